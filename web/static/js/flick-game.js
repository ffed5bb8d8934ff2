// Ten rounds of Dice Flick, live: what the turn is worth, the score pad, corrections by a tap.

import { ask, tell, watch } from "./api.js";
import { mayControl } from "./control.js";
import { byId, h, show } from "./dom.js";
import { boardGrid } from "./flick-board.js";
import { setUpHoleDialog } from "./flick-edit.js";
import { connect } from "./live.js";
import { startPage } from "./shell.js";
import { lang, say, t } from "./words.js";

let snapshot = null;
let counted = null;
let asked = "";

const edit = setUpHoleDialog(
  (hole, changed) => tell("/api/flick/command", { do: "hole", row: hole.row, col: hole.col, colour: changed.colour, value: changed.value }),
  ["empty", "white", "blue", "yellow", "green", "pink"],
);

/** The 25 holes as the grid shows them: dice that lie there, then stickers. */
function holes(box) {
  const found = [];
  for (let row = 1; row <= 5; row++) {
    for (let col = 1; col <= 5; col++) {
      const here = ([r, c]) => r === row && c === col;
      const die = box.board.find((d) => d.row === row && d.col === col);
      const sticker = Object.keys(box.markers).find((name) => box.markers[name].some(here));
      if (die) found.push({ row, col, content: "die", colour: die.colour, value: die.value });
      else if (sticker) found.push({ row, col, content: "marker", marker: sticker });
      else found.push({ row, col, content: "empty" });
    }
  }
  return found;
}

async function count(box) {
  const wanted = { holes: holes(box), markers: box.markers, options: box.options };
  const key = JSON.stringify(wanted);
  if (key === asked) return;
  asked = key;
  try {
    counted = await ask("/api/flick/score", wanted);
  } catch {
    asked = "";
    return;
  }
  render();
}

function render() {
  const box = snapshot?.flick;
  byId("no-game").hidden = !snapshot || Boolean(box);
  byId("live").hidden = !box;
  if (!box) return;
  count(box);
  const over = snapshot.end;
  byId("round").textContent = t("flick_round", { n: box.round, all: box.rounds });
  byId("turn-title").textContent = over
    ? t("flick_won", { names: over.winners.join(t("and")) })
    : t("flick_turn_of", { name: snapshot.to_move });
  byId("flicked").textContent = over ? "" : t("flick_flicked", { n: box.flicks.length, due: box.due });
  byId("points").textContent = box.best_score;
  byId("points-unit").textContent = t(box.best_score === 1 ? "flick_point_unit" : "flick_points_unit");
  for (const id of ["claim-form", "undo"]) byId(id).hidden = !mayControl();
  byId("undo").disabled = !snapshot.turns.length;
  showWorth(box);
  const why = [say(snapshot.why), say(snapshot.warning)].filter(Boolean).join(" ");
  byId("why").hidden = !why;
  byId("why").textContent = why;
  show(byId("grid"), [lang(), box.board, box.groups, box.warnings, mayControl()], () => grid(box));
  show(byId("pad"), [lang(), box.table, snapshot.scores, box.rounds], () => pad(box));
  show(byId("last"), [lang(), snapshot.turns.at(-1)], () => lastTurn(snapshot.turns.at(-1)));
}

function showWorth(box) {
  const fits = counted && counted.best_score === box.best_score;
  const sums = fits ? counted.groups.map((group, k) => [group.colour ?? group.kind, say(counted.sums[k])]) : [];
  show(byId("sums"), [sums], () => sums.map(([kind, text]) => h("li", {}, h("i", { class: `swatch g-${kind}` }), text)));
  byId("back").textContent = fits && counted.returned.length ? t("flick_back", { dice: counted.back[lang()] }) : "";
}

function grid(box) {
  const reading = { holes: holes(box), warnings: box.warnings };
  return boardGrid(reading, box, (hole) => mayControl() && edit(hole));
}

function pad(box) {
  const head = h("tr", {}, h("th", { scope: "col" }, t("flick_round_short")), snapshot.players.map((p) => h("th", { scope: "col" }, p.name)));
  const rows = [];
  for (let k = 0; k < box.rounds; k++) {
    rows.push(h("tr", {}, h("th", { scope: "row" }, `${k + 1}`), box.table.map((points) => h("td", {}, points[k] ?? ""))));
  }
  const total = h("tr", { class: "total" }, h("th", { scope: "row" }, t("flick_total")), snapshot.scores.map((s) => h("td", {}, s.total)));
  return [h("thead", {}, head), h("tbody", {}, rows), h("tfoot", {}, total)];
}

function lastTurn(turn) {
  if (!turn) return [];
  const faults = (turn.violations ?? []).map((v) => h("p", { class: "note is-bad" }, say(v.text)));
  return [h("p", {}, `${t("flick_last")}: ${say(turn.text)}`), ...faults];
}

byId("claim-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const points = byId("claim").value === "" ? snapshot.flick.best_score : Number(byId("claim").value);
  if ((await tell("/api/flick/command", { do: "next", points })) !== undefined) byId("claim").value = "";
});
byId("end-turn").addEventListener("click", () => tell("/api/flick/command", { do: "next" }));
byId("undo").addEventListener("click", () => tell("/api/flick/command", { do: "undo" }));
await startPage({ onWords: render, onControl: render });
watch(byId("frame"), "/camera/frame.jpg");
connect(
  (newest) => {
    snapshot = newest;
    render();
  },
  (connected) => (byId("offline").hidden = connected),
);
