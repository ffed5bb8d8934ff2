// Where places are on the picture, and arrows between them, in units of a picture that is 1600 wide.

import { svg } from "./svg.js";

/** How high a picture of this shape is where it is 1600 wide. */
export const highOf = (width, height) => (width && height ? (1600 * height) / width : 900);

/** A function from the names of places (as moves have them) to points, undefined where one is not known. */
export function pointsOf(snapshot, high = 900) {
  const places = new Map((snapshot.places ?? []).map((place) => [String(place.place), [place.at[0] * 1600, place.at[1] * high]]));
  const last = Math.max(...[...places.keys()].map(Number).filter(Number.isFinite));
  return (name) => places.get(String(name === "start" ? 0 : name === "finish" || name === "home" ? last : name));
}

/** From and to of every move whose places are known. */
export function endsOf(turn, at) {
  return (turn.moves ?? []).map((move) => [at(move.from), at(move.to)]).filter(([from, to]) => from && to);
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
