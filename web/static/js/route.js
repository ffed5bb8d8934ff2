// The route of a shuffled layout: read from the table, put right by taps.

import { ask } from "./api.js";
import { byId, h, icon, show } from "./dom.js";
import { lang, t } from "./words.js";

const TILES = [-10, -9, -8, -8, -7, -7, -6, -6, -5, -5, -4, -4, -3, -3, -2, -2, -1, -1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
const NOCHMAL = TILES.filter((value) => value !== -1 && value !== -2);
const UNSURE = 0.6;

const label = (value) => (value === 0 ? t("luck") : value > 0 ? `+${value}` : `−${-value}`);
const kind = (value) => (value === 0 ? "luck" : value > 0 ? "plus" : "minus");

function face(value) {
  if (value === null) return h("span", { class: "tile other" }, "?");
  return h("span", { class: `tile ${kind(value)}` }, value === 0 ? icon("clover", { label: t("luck") }) : label(value));
}

export function routeEditor(setup, changed) {
  let values = [];
  let sure = [];
  let at = -1;

  const tiles = () => (setup().game === "verflixxt-nochmal" ? NOCHMAL : TILES);

  function left() {
    const rest = [...tiles()];
    for (const value of values) {
      const k = rest.indexOf(value);
      if (k >= 0) rest.splice(k, 1);
    }
    return rest;
  }

  function open(k) {
    at = k;
    const choices = [...new Set(tiles())];
    byId("tiles").replaceChildren(
      ...choices.map((value) => h("button", { type: "button", "aria-label": label(value), onclick: () => choose(value) }, face(value))),
      h("button", { type: "button", class: "quiet", onclick: remove }, icon("trash"), t("no_tile_here")),
    );
    byId("tile-dialog").showModal();
  }

  /** A value of which there are no more is exchanged with the tile that has it. */
  function choose(value) {
    const other = left().includes(value) ? -1 : values.findIndex((one, k) => one === value && k !== at);
    if (other >= 0) values[other] = values[at];
    values[at] = value;
    sure[at] = 1;
    byId("tile-dialog").close();
    changed();
  }

  function remove() {
    values.splice(at, 1);
    sure.splice(at, 1);
    byId("tile-dialog").close();
    changed();
  }

  /** "-3 +5 L 8": quicker than taps for a whole route. */
  byId("route-text").addEventListener("change", (event) => {
    const words = event.currentTarget.value.split(/[\s,;]+/).filter(Boolean);
    const read = words.map((word) => (/^(l|g|luck|glück|0)$/i.test(word) ? 0 : Number(word.replace("−", "-"))));
    if (!read.length || read.some((value) => !Number.isInteger(value))) return;
    values = read;
    sure = values.map(() => 1);
    changed();
  });
  byId("tile-cancel").addEventListener("click", () => byId("tile-dialog").close());
  byId("read-route").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      const found = await ask("/api/setup/route", { setup: setup() });
      values = found.route;
      sure = found.sure;
    } catch (error) {
      byId("route-left").textContent = error.message;
    }
    button.disabled = false;
    changed();
  });

  return {
    values: () => (values.length ? values : null),
    set(given) {
      values = Array.isArray(given) ? given.map((value) => (value === "luck" ? 0 : Number(value))) : [];
      sure = values.map(() => 1);
    },
    render() {
      const whole = tiles().length;
      show(byId("route"), [lang(), values, sure, whole], () => [
        ...values.map((value, k) =>
          h("li", {}, h("button", { type: "button", class: sure[k] < UNSURE ? "unsure" : "", "aria-label": t("tile_number", { n: k + 1, name: value === null ? "?" : label(value) }), onclick: () => open(k) }, face(value), h("small", {}, String(k + 1)))),
        ),
        values.length && values.length < whole
          ? h("li", {}, h("button", { type: "button", "aria-label": t("tile_add"), onclick: () => { values.push(null); sure.push(0); open(values.length - 1); } }, icon("new")))
          : null,
      ].filter(Boolean));
      const rest = left();
      byId("route-left").textContent = values.length
        ? rest.length ? t("route_left", { n: rest.length, tiles: rest.map(label).join(", ") }) : t("route_whole", { n: whole })
        : t("route_empty");
    },
  };
}
