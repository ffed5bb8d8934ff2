// Measuring the table: markers are looked for all the time, corners can be dragged; the result is drawn as a grid.

import { ask, tell, watch } from "./api.js";
import { mayControl } from "./control.js";
import { makeCorners } from "./corners.js";
import { byId, h, icon, show } from "./dom.js";
import { startPage } from "./shell.js";
import { svg } from "./svg.js";
import { lang, say, t } from "./words.js";

const LOOK_MS = 700;
const WATCH_MS = 3000;
const PLACES = ["corner_0", "corner_1", "corner_2", "corner_3"];

let way = "markers";
let seen = null;
let state = { plane: null, kept: [], playing: false };
let checked = null;
let steady = 0;
let lookFault = "";
/** Grows whenever somebody begins anew: answers to what was asked before no longer count. */
let attempt = 0;
let nextLook = 0;

const corners = makeCorners(byId("drawn"), byId("live"), byId("loupe"), () => {});

function render() {
  for (const name of ["markers", "corners"]) {
    byId(`way-${name}`).setAttribute("aria-pressed", way === name ? "true" : "false");
    byId(`${name}-part`).hidden = way !== name;
  }
  renderMarkers();
  renderKept();
  renderResult();
  draw();
}

function renderMarkers() {
  const found = Object.keys(seen?.markers ?? {});
  show(byId("found"), [lang(), found], () =>
    [0, 1, 2, 3].map((number) => {
      const there = found.includes(String(number));
      return h("li", { class: there ? "is-there" : "" }, icon(there ? "check" : "lost"), `${number}`, h("small", {}, t(PLACES[number])));
    }),
  );
}

function renderKept() {
  byId("kept-card").hidden = !state.kept.length || Boolean(state.plane);
  show(byId("kept"), [lang(), state.kept], () =>
    state.kept.map((entry) => {
      const kind = entry.fits === null ? "kept_unknown" : entry.fits ? "kept_fits" : "kept_moved";
      const mark = entry.fits === null ? "ruler" : entry.fits ? "check" : "warn";
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: entry.fits === false ? "quiet" : "strong", onclick: () => useKept(entry.place) },
          icon(mark),
          h("span", { class: "words" }, entry.place, h("small", {}, t(kind, { mm: entry.moved_mm }))),
        ),
      );
    }),
  );
}

function renderResult() {
  const plane = state.plane;
  const problem = way === "markers" ? say(seen?.problem) : t("corners_open");
  show(byId("result"), [lang(), plane, problem, checked, lookFault], () => {
    if (!plane) return [h("p", { class: "quietly" }, lookFault || problem || t("looking"))];
    const facts = { w: Math.round(plane.size_mm[0]), h: Math.round(plane.size_mm[1]), mm: plane.mm_per_px.toFixed(1) };
    return [
      light(plane.rating, say(plane.text), t("plane_facts", facts)),
      checked ? light(checked.rating, say(checked.text), "") : null,
      h("button", { type: "button", class: "quiet", onclick: forget }, icon("undo"), t("measure_again")),
    ];
  });
  byId("place-field").hidden = !plane;
  byId("next").disabled = !plane || plane.rating === "bad";
  byId("go-on").hidden = !plane || !state.playing;
  const faults = seen?.light ?? [];
  show(byId("light"), [lang(), faults, Boolean(seen)], () =>
    faults.length
      ? faults.map((fault) => h("p", { class: "note is-warn" }, icon("light"), say(fault.text)))
      : [h("p", { class: "note is-good" }, icon("light"), t(seen ? "light_good" : "light_unknown"))],
  );
}

const light = (rating, words, more) =>
  h(
    "div",
    { class: `traffic rating-${rating}` },
    h("span", { class: "lamps", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
    h("p", {}, h("strong", {}, t(`rating_${rating}`)), " ", words, more ? h("span", { class: "quietly" }, ` ${more}`) : null),
  );

function draw() {
  const drawing = byId("drawn");
  if (seen) drawing.setAttribute("viewBox", `0 0 ${seen.size[0]} ${seen.size[1]}`);
  const below = [];
  if (state.plane) {
    for (const line of state.plane.grid) below.push(svg("polyline", { class: "grid-line", points: line.join(" ") }));
  }
  if (way === "markers") {
    for (const [number, quad] of Object.entries(seen?.markers ?? {})) {
      const x = quad.reduce((sum, point) => sum + point[0], 0) / 4;
      const y = quad.reduce((sum, point) => sum + point[1], 0) / 4;
      below.push(svg("polygon", { class: "marker", points: quad.join(" ") }));
      below.push(svg("text", { class: "marker-number", x, y, "font-size": seen.size[0] / 45 }, number));
    }
  }
  corners.draw(below, way === "corners" && !state.plane);
}

async function look() {
  nextLook = 0;
  if (mayControl() && document.visibilityState === "visible") {
    try {
      seen = await ask("/api/table/look");
      lookFault = "";
      corners.within(seen.size);
      steady = seen.plane && seen.plane.rating !== "bad" ? steady + 1 : 0;
      // Twice the same good answer: nobody is laying the markers out any more.
      if (way === "markers" && steady >= 2 && !state.plane) await measure("/api/table/markers", {});
    } catch (error) {
      lookFault = error.message;
    }
    render();
  }
  nextLook = setTimeout(look, state.plane ? WATCH_MS : LOOK_MS);
}

async function measure(address, wanted) {
  const mine = ++attempt;
  const measured = await tell(address, wanted);
  if (!measured || mine !== attempt) return;
  state = measured;
  checked = null;
  if (!byId("place").value) byId("place").value = state.kept[0]?.place ?? t("place_default");
  render();
  check();
}

async function check() {
  const mine = attempt;
  try {
    const found = await ask("/api/table/check", {});
    if (mine === attempt && state.plane && found?.tiles >= 6) checked = found;
    render();
  } catch {
    // The check is a help, not a condition.
  }
}

function forget() {
  attempt += 1;
  state = { ...state, plane: null };
  checked = null;
  steady = -4;
  if (!seen) byId("result").dataset.shown = "";
  render();
  if (!nextLook) return;
  clearTimeout(nextLook);
  nextLook = setTimeout(look, LOOK_MS);
}

async function useKept(place) {
  await measure("/api/table/kept", { place });
  byId("place").value = place;
}

async function propose() {
  byId("propose").disabled = true;
  const found = await tell("/api/table/propose", {});
  byId("propose").disabled = false;
  if (!found) return;
  corners.set(found.corners_px);
  byId("proposal").textContent = t(`proposal_${found.from}`);
  render();
}

async function keep() {
  await tell("/api/table/keep", { place: byId("place").value });
}

byId("way-markers").addEventListener("click", () => {
  way = "markers";
  forget();
});
byId("way-corners").addEventListener("click", () => {
  way = "corners";
  forget();
  if (!corners.known()) propose();
});
byId("propose").addEventListener("click", propose);
byId("take").addEventListener("click", () => {
  const size = [Number(byId("width").value), Number(byId("height").value)];
  measure("/api/table/corners", { corners_px: corners.get(), size_mm: size });
});
byId("preset").addEventListener("change", () => {
  const [width, height] = byId("preset").value.split("x");
  if (height) [byId("width").value, byId("height").value] = [width, height];
});
byId("lens").addEventListener("click", async () => {
  try {
    const found = await ask("/api/table/lens", {});
    byId("lens-result").textContent = t("lens_result", { before: found.before_px, after: found.error_px });
    forget();
  } catch (error) {
    byId("lens-result").textContent = error.message;
  }
});
for (const id of ["width", "height"]) byId(id).addEventListener("input", () => (byId("preset").value = ""));
byId("next").addEventListener("click", async () => {
  await keep();
  location.href = "/setup";
});
byId("go-on").addEventListener("click", async () => {
  await keep();
  if (await tell("/api/game/table", {})) location.href = "/game";
});

let begun = false;
async function begin() {
  if (begun || !mayControl()) return;
  begun = true;
  try {
    state = await ask("/api/table");
    if (state.plane) byId("place").value = state.kept[0]?.place ?? t("place_default");
    // The markers lie where they lay: nothing has to be done again.
    const fitting = state.kept.find((entry) => entry.fits);
    if (!state.plane && fitting) await useKept(fitting.place);
  } catch (error) {
    byId("problem").hidden = false;
    byId("problem").replaceChildren(icon("warn"), h("span", {}, error.message, " ", h("a", { href: "/camera" }, t("step_camera"))));
  }
  render();
  look();
}

watch(byId("live"), "/camera/raw.jpg", { onPicture: () => (byId("nothing").hidden = true) });
await startPage({ onWords: render, onControl: begin });
