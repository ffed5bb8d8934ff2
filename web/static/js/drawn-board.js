// The board as a drawing, as seen from the camera: quieter than the picture, and readable from the sofa.

import { byId, recall, remember } from "./dom.js";
import { svg } from "./svg.js";
import { t } from "./words.js";

let on = recall("drawn-board") === "on";

export function setUpDrawnBoard(again) {
  const button = byId("draw-board");
  const name = () => {
    button.setAttribute("aria-pressed", on ? "true" : "false");
    byId("draw-board-words").textContent = t(on ? "show_picture" : "show_drawing");
  };
  button.addEventListener("click", () => {
    on = !on;
    remember("drawn-board", on ? "on" : "off");
    name();
    again();
  });
  name();
  return name;
}

export function showDrawnBoard(snapshot) {
  const places = snapshot.places ?? [];
  const board = byId("board");
  byId("draw-board").hidden = !places.length;
  const visible = on && places.length > 0;
  board.toggleAttribute("hidden", !visible);
  byId("picture").classList.toggle("is-drawn", visible);
  if (!visible) return;
  const key = JSON.stringify(places);
  if (board.dataset.shown === key) return;
  board.dataset.shown = key;
  const points = places.map(({ at }) => [at[0] * 1600, at[1] * 900]);
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const pad = 90;
  const box = [Math.min(...xs) - pad, Math.min(...ys) - pad, Math.max(...xs) - Math.min(...xs) + 2 * pad, Math.max(...ys) - Math.min(...ys) + 2 * pad];
  const unit = usual(points);
  board.setAttribute("viewBox", box.join(" "));
  board.replaceChildren(
    svg("polyline", { class: "way", points: points.join(" ") }),
    ...places.map((place, k) => tile(place, points[k], unit, k === 0 || k === places.length - 1)),
    ...places.flatMap((place, k) => pieces(place, points[k], unit)),
  );
}

/** Usual distance of places that follow each other. */
function usual(points) {
  const steps = points.slice(1).map(([x, y], k) => Math.hypot(x - points[k][0], y - points[k][1])).sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] || 80;
}

function octagon([x, y], r) {
  return Array.from({ length: 8 }, (_, k) => {
    const angle = (Math.PI / 8) * (2 * k + 1);
    return `${x + r * Math.cos(angle)},${y + r * Math.sin(angle)}`;
  }).join(" ");
}

function tile(place, at, unit, end) {
  const gone = place.tile === "";
  const kind = end ? "end" : gone ? "gone" : !place.tile ? "field" : place.tile === "luck" ? "luck" : place.tile.startsWith("-") ? "minus" : "plus";
  const label = end || gone ? "" : place.tile ? (place.tile === "luck" ? "♣" : place.tile.replace("-", "−")) : String(place.place);
  return svg(
    "g",
    {},
    svg("polygon", { class: `b-tile b-${kind}`, points: octagon(at, end ? unit * 0.75 : unit * 0.47) }),
    label ? svg("text", { class: `b-text b-text-${kind}`, x: at[0], y: at[1] + (place.pieces.length ? unit * 0.25 : 0), "font-size": unit * (place.pieces.length ? 0.27 : 0.36) }, label) : null,
  );
}

function pieces(place, [x, middle], unit) {
  const count = place.pieces.length;
  const y = count > 4 ? middle : middle - unit * 0.1;
  return place.pieces.map((name, k) => {
    const angle = (2 * Math.PI * k) / Math.max(count, 1) - Math.PI / 2;
    const away = count > 1 ? unit * (count > 4 ? 0.5 : 0.26) : 0;
    const [cx, cy] = [x + away * Math.cos(angle), y + away * Math.sin(angle)];
    const [kind, colour] = name.split(":");
    return svg("circle", { class: colour ? `b-pawn c-${colour}` : `b-${kind}`, cx, cy, r: unit * (colour ? 0.19 : 0.15) });
  });
}
