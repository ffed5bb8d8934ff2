// Where places are on the picture, and arrows between them. In units of a picture of 1600 x 900.

import { svg } from "./svg.js";

/** A function from the names of places (as moves have them) to points, undefined where one is not known. */
export function pointsOf(snapshot) {
  const places = new Map((snapshot.places ?? []).map((place) => [String(place.place), [place.at[0] * 1600, place.at[1] * 900]]));
  const last = Math.max(...[...places.keys()].map(Number).filter(Number.isFinite));
  return (name) => places.get(String(name === "start" ? 0 : name === "finish" || name === "home" ? last : name));
}

export function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const tip = [[x2, y2], [x2 - 30 * ux + 16 * uy, y2 - 30 * uy - 16 * ux], [x2 - 30 * ux - 16 * uy, y2 - 30 * uy + 16 * ux]];
  return [
    svg("line", { class: "arrow-edge", x1, y1, x2: x2 - 20 * ux, y2: y2 - 20 * uy }),
    svg("line", { class: "arrow", x1, y1, x2: x2 - 20 * ux, y2: y2 - 20 * uy }),
    svg("circle", { class: "arrow-start", cx: x1, cy: y1, r: 11 }),
    svg("polygon", { class: "arrow-tip", points: tip.join(" ") }),
  ];
}
