// The dialog that corrects a hole of Dice Flick: what lies there, and its pips.

import { byId, h } from "./dom.js";
import { holeName, STICKERS, stickerOf } from "./flick-board.js";
import { t } from "./words.js";

const COLOURS = ["white", "blue", "yellow", "green", "pink"];
const KINDS = ["empty", ...COLOURS, ...STICKERS];

/** Wires the dialog; returns what opens it for a hole. `onChange(hole, changed)` gets the corrected hole. */
export function setUpHoleDialog(onChange, kinds = KINDS) {
  let chosen = null;

  const picked = (name) => byId("hole-form").elements[name].value;
  const showValues = () => {
    byId("values-set").hidden = !COLOURS.includes(picked("content")) || picked("content") === "pink";
  };

  byId("hole-form").addEventListener("change", showValues);
  byId("hole-form").addEventListener("submit", () => onChange(chosen, corrected(chosen, picked("content"), picked("value"))));
  byId("hole-cancel").addEventListener("click", () => byId("hole-dialog").close());

  return (hole) => {
    chosen = hole;
    byId("hole-title").textContent = holeName(hole);
    const kind = kindOf(hole, kinds);
    byId("contents").replaceChildren(...kinds.map((name) => radio("content", name, t(`flick_${name}`), name === kind, `k-${name}`)));
    const value = hole.content === "die" ? hole.value : 1;
    byId("values").replaceChildren(...[1, 2, 3, 4, 5, 6].map((n) => radio("value", n, `${n}`, n === value, "k-value")));
    showValues();
    byId("hole-dialog").showModal();
    byId("contents").querySelector("input:checked").focus();
  };
}

function kindOf(hole, kinds) {
  const kind = hole.content === "die" ? hole.colour : (stickerOf(hole) ?? "empty");
  return kinds.includes(kind) ? kind : "empty";
}

function corrected({ row, col, box_px }, kind, value) {
  const changed = { row, col, box_px, confidence: 1, corrected: true };
  if (kind === "empty") return { ...changed, content: "empty" };
  if (!COLOURS.includes(kind)) return { ...changed, content: "marker", marker: kind };
  return { ...changed, content: "die", colour: kind, value: kind === "pink" ? 6 : Number(value) };
}

function radio(name, value, words, checked, className) {
  const input = h("input", { type: "radio", name, value, checked });
  return h("label", { class: `kind ${className}` }, input, h("span", {}, words));
}
