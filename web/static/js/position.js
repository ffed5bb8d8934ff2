// The start position: what the camera sees against what should stand there.

import { ask } from "./api.js";
import { byId, h, icon, show } from "./dom.js";
import { svg } from "./svg.js";
import { lang, say, t } from "./words.js";

/** `fix(fields)`: somebody says that the table is right, and the setup should be so. */
export function positionView(fix) {
  let found = null;
  let fault = "";
  let looking = false;
  let size = [1280, 720];

  function drawing() {
    const marks = [];
    for (const place of found?.places ?? []) {
      const [cx, cy] = place.at;
      marks.push(svg("circle", { class: place.wrong ? "spot is-wrong" : "spot", cx, cy, r: place.radius }));
      if (place.wrong) marks.push(svg("text", { class: "spot-mark", x: cx, y: cy, "font-size": size[0] / 36 }, "?"));
    }
    for (const tile of found?.tiles ?? []) {
      marks.push(svg("circle", { class: "spot", cx: tile.at[0], cy: tile.at[1], r: size[0] / 60 }));
    }
    return marks;
  }

  function differences() {
    return found.places.filter((place) => place.wrong).map((place) =>
      h(
        "li",
        {},
        h("strong", {}, placeName(place.name)),
        h("span", {}, t("should_be", { what: contents(place.tile, place.pieces) })),
        h("span", {}, t("is_seen", { what: contents(place.tile_seen, place.pieces_seen) })),
        place.fix
          ? h("button", { type: "button", class: "quiet", onclick: () => fix(place.fix) }, icon("check"), t("meant_so"))
          : null,
      ),
    );
  }

  function view() {
    if (fault) return [h("p", { class: "note is-bad" }, icon("warn"), h("span", {}, fault))];
    if (!found) return [h("p", { class: "quietly" }, t("looking"))];
    return [
      h("p", { class: `note ${found.found ? "is-good" : "is-warn"}` }, icon(found.found ? "check" : "needs_you"), h("span", {}, say(found.text))),
      found.places.some((place) => place.wrong) ? h("ul", { class: "differences" }, differences()) : null,
      found.colours.length ? h("div", {}, h("h3", {}, t("set_colours")), h("ul", { class: "swatches" }, found.colours.map(swatch))) : null,
      found.close.map((text) => h("p", { class: "note is-warn" }, icon("warn"), h("span", {}, say(text)))),
    ];
  }

  return {
    right: () => found?.found === true,
    forget() {
      found = null;
    },
    async look(setup) {
      if (looking) return;
      looking = true;
      try {
        found = await ask("/api/setup/position", { setup });
        fault = "";
      } catch (error) {
        found = null;
        fault = error.message;
      }
      looking = false;
      this.render();
    },
    render(desk) {
      if (desk?.camera?.size) size = desk.camera.size;
      byId("drawn").setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
      byId("drawn").replaceChildren(...drawing());
      show(byId("position"), [lang(), found, fault], view);
    },
  };
}

function swatch({ name, rgb }) {
  const boxes = rgb.map((colour, k) => svg("rect", { x: k * 24, y: 0, width: 24, height: 24, fill: colour }));
  const key = `colour_${name}`;
  return h("li", {}, svg("svg", { class: "swatch", viewBox: `0 0 ${24 * rgb.length} 24`, width: 24 * rgb.length, height: 24, "aria-hidden": "true" }, boxes), t(key));
}

const placeName = (name) => (["start", "finish", "home", "luck"].includes(name) ? t(`place_${name}`) : name.replace("-", "−"));

function contents(tile, pieces) {
  const counts = new Map();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) => `${count} × ${pieceName(name)}`);
  if (tile) parts.unshift(t("tile_named", { name: tile === "luck" ? t("luck") : tile.replace("-", "−") }));
  return parts.join(", ") || t("nothing_there");
}

function pieceName(name) {
  const [kind, colour] = name.split(":");
  return colour ? t(`colour_${colour}`) : t(`piece_${kind}`);
}
