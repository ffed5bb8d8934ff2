// For beginners, on request: the legal moves of this roll, drawn on the picture and said in words.

import { ask } from "./api.js";
import { arrow, pointsOf } from "./arrows.js";
import { mayControl } from "./control.js";
import { byId } from "./dom.js";
import { svg } from "./svg.js";
import { say, t } from "./words.js";

let on = false;
let shown = "";

export function setUpHints(newest) {
  byId("hint").addEventListener("click", () => {
    on = !on;
    shown = "";
    showHints(newest());
  });
}

export async function showHints(snapshot) {
  if (!snapshot) return;
  const possible = mayControl() && (snapshot.places ?? []).length > 0 && !snapshot.end;
  byId("hint").hidden = !possible;
  byId("hint").setAttribute("aria-pressed", on ? "true" : "false");
  const layer = byId("hints");
  const words = byId("hint-words");
  if (!on || !possible || !snapshot.roll || snapshot.needs_you) {
    layer.toggleAttribute("hidden", true);
    words.textContent = on && possible && !snapshot.roll ? t("hints_need_roll") : t(on ? "hide_hints" : "show_hints");
    shown = "";
    return;
  }
  const key = JSON.stringify([snapshot.turns?.length, snapshot.roll, snapshot.places]);
  if (key === shown) return;
  shown = key;
  try {
    const { candidates } = await ask("/api/game/candidates", { index: snapshot.turns.length, roll: snapshot.roll });
    const legal = candidates.filter((turn) => turn.legal);
    draw(layer, legal, snapshot);
    words.textContent = legal.length ? t("hide_hints") : t("no_hints");
    byId("announce").textContent = legal.map((turn) => say(turn.text)).join("; ");
  } catch {
    layer.toggleAttribute("hidden", true);
  }
}

function draw(layer, legal, snapshot) {
  const at = pointsOf(snapshot);
  const moves = legal.flatMap((turn) => (turn.moves ?? []).map((move) => [at(move.from), at(move.to)]));
  // The layer lies on the picture as it is shown, whatever its shape.
  const { naturalWidth = 16, naturalHeight = 9 } = byId("frame");
  const high = (1600 * (naturalHeight || 9)) / (naturalWidth || 16);
  layer.setAttribute("viewBox", `0 0 1600 ${high}`);
  const arrows = moves.filter(([from, to]) => from && to).flatMap(([from, to]) => arrow(from, to));
  layer.replaceChildren(svg("g", { transform: `scale(1 ${high / 900})` }, arrows));
  layer.removeAttribute("hidden");
}
