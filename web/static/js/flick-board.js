// The board of Dice Flick: as a grid of buttons, and drawn over the photo.

import { h } from "./dom.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
export const STICKERS = ["upgrade_green", "upgrade_blue", "upgrade_yellow", "bonus", "centre"];
const MARKS = { upgrade_green: "×2", upgrade_blue: "×2", upgrade_yellow: "×2", bonus: "+1", centre: "◎" };

const PIPS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 4, 7, 3, 6, 9] };

export const stickerOf = (hole) => (hole.content === "marker" ? hole.marker.replace(":", "_") : null);

export function holeName(hole) {
  return t("flick_hole", hole);
}

function holds(hole) {
  if (hole.content === "empty") return t("flick_empty");
  if (hole.content === "marker") return t(`flick_${stickerOf(hole)}`);
  return hole.colour === "pink" ? t("flick_pink") : t("flick_die", { colour: t(`flick_${hole.colour}`), value: hole.value });
}

/** Buttons (25) by row and column; `edit(hole)` is called for the one pressed. */
export function boardGrid(reading, counted, edit) {
  const flagged = new Set(reading.warnings.filter((w) => w.row).map((w) => `${w.row}/${w.col}`));
  return reading.holes.map((hole) => {
    const at = `${hole.row}/${hole.col}`;
    const groups = counted.groups.filter((g) => g.cells.some(([r, c]) => r === hole.row && c === hole.col));
    const notes = [holds(hole), flagged.has(at) ? t("flick_unsure") : "", hole.corrected ? t("flick_corrected") : ""];
    const label = [holeName(hole), ...notes].filter(Boolean).join(", ");
    return h(
      "button",
      {
        type: "button",
        class: `hole${groups.length ? ` in-${groups[0].colour ?? groups[0].kind}` : ""}${flagged.has(at) ? " is-flagged" : ""}`,
        "aria-label": label,
        title: label,
        onclick: () => edit(hole),
      },
      face(hole),
    );
  });
}

function face(hole) {
  if (hole.content === "die") {
    if (hole.colour === "pink") return h("span", { class: "flick-die d-pink" }, "✹");
    const pips = PIPS[hole.value].map((cell) => h("i", { class: `at-${cell}` }));
    return h("span", { class: `flick-die d-${hole.colour}` }, pips);
  }
  const sticker = stickerOf(hole);
  return sticker ? h("span", { class: `flick-sticker s-${sticker}` }, MARKS[sticker]) : h("span", { class: "flick-hole" });
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The photo with the groups drawn on it; a hole that is tapped is edited. */
export function overlay(reading, counted, photoUrl, edit) {
  const [width, height] = reading.size;
  const centre = ([row, col]) => reading.centres[(row - 1) * 5 + col - 1];
  const around = bounds(reading);
  const drawing = svg("svg", { viewBox: around.join(" "), class: "flick-drawing" });
  drawing.append(svg("image", { href: photoUrl, x: 0, y: 0, width, height }));
  for (const [k, group] of counted.groups.entries()) drawing.append(...outline(group, centre, reading.reach, k, around));
  for (const group of counted.groups) drawing.append(...badge(group, centre, reading.reach));
  for (const warned of reading.warnings.filter((w) => w.row)) {
    const [x, y] = centre([warned.row, warned.col]);
    drawing.append(svg("circle", { cx: x, cy: y, r: reading.reach * 0.42, class: "g-flag" }));
  }
  for (const hole of reading.holes) {
    const [x, y] = centre([hole.row, hole.col]);
    const spot = svg("circle", { cx: x, cy: y, r: reading.reach * 0.45, class: "g-tap" });
    spot.addEventListener("click", () => edit(hole));
    drawing.append(spot);
  }
  return drawing;
}

function bounds(reading) {
  const xs = reading.centres.map((c) => c[0]);
  const ys = reading.centres.map((c) => c[1]);
  const gap = reading.reach * 1.6;
  const x = Math.max(0, Math.min(...xs) - gap);
  const y = Math.max(0, Math.min(...ys) - gap);
  return [x, y, Math.min(reading.size[0], Math.max(...xs) + gap) - x, Math.min(reading.size[1], Math.max(...ys) + gap) - y];
}

/** The outline of all holes of a group together: their shape less the same shape a little smaller. */
function outline(group, centre, reach, k, [x, y, width, height]) {
  const area = { x, y, width, height };
  const outer = svg("g", { fill: "#fff", stroke: "#fff" }, ...shape(group, centre, reach, 0.46, 0.6, 0.2));
  const inner = svg("g", { fill: "#000", stroke: "#000" }, ...shape(group, centre, reach, 0.39, 0.46, 0.06));
  const mask = svg("mask", { id: `group-${k}`, maskUnits: "userSpaceOnUse", ...area }, outer, inner);
  return [mask, svg("rect", { ...area, class: `g-shape g-${group.colour ?? group.kind}`, mask: `url(#group-${k})` })];
}

function shape(group, centre, reach, radius, wide, thin) {
  const parts = [];
  for (const [k, cell] of group.cells.entries()) {
    const [x, y] = centre(cell);
    parts.push(svg("circle", { cx: x, cy: y, r: reach * radius, "stroke-width": 0 }));
    for (const other of group.cells.slice(k + 1)) {
      const near = Math.abs(other[0] - cell[0]) + Math.abs(other[1] - cell[1]) === 1;
      if (!near && group.kind !== "line") continue;
      const [u, v] = centre(other);
      parts.push(svg("line", { x1: x, y1: y, x2: u, y2: v, "stroke-width": reach * (near ? wide : thin) }));
    }
  }
  return parts;
}

function badge(group, centre, reach) {
  const [x, y] = centre(group.cells[0]);
  const [u, v] = [x - reach * 0.34, y - reach * 0.34];
  const words = svg("text", { x: u, y: v, "font-size": reach * 0.3, class: "g-points" }, `${group.points}`);
  return [svg("circle", { cx: u, cy: v, r: reach * 0.25, class: `g-badge g-${group.colour ?? group.kind}` }), words];
}
