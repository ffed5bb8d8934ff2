// For beginners, on request: the legal moves of this roll, drawn on the picture and said in words.

import { ask } from "./api.js";
import { arrow, endsOf, highOf, pointsOf } from "./arrows.js";
import { mayControl } from "./control.js";
import { byId } from "./dom.js";
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
  // The layer lies on the picture as it is shown, whatever its shape.
  const high = highOf(byId("frame").naturalWidth, byId("frame").naturalHeight);
  const at = pointsOf(snapshot, high);
  layer.setAttribute("viewBox", `0 0 1600 ${high}`);
  layer.replaceChildren(...legal.flatMap((turn) => endsOf(turn, at)).flatMap(([from, to]) => arrow(from, to)));
  layer.removeAttribute("hidden");
}
