// The scoreboard: large, by itself, for many viewers; what is wrong fills it until the next turn.

import { byId, h, icon, show } from "./dom.js";
import { isIllegal } from "./illegal.js";
import { connect } from "./live.js";
import { playerNamed, showGame, showToMove } from "./now.js";
import { startPage } from "./shell.js";
import { lang, plain, say, t } from "./words.js";

let snapshot = null;

function render() {
  if (!snapshot) return;
  showGame(snapshot);
  showToMove(snapshot);
  byId("to-move").classList.add("board-now");
  const last = (snapshot.turns ?? []).at(-1);
  call(last);
  const scores = snapshot.scores ?? [];
  const best = Math.max(...scores.map((score) => score.total));
  const alone = scores.filter((score) => score.total === best).length === 1;
  show(byId("board-scores"), [lang(), scores, snapshot.players, snapshot.to_move, snapshot.end], () =>
    scores.map((score) => card(score, mark(score, alone && score.total === best))),
  );
  show(byId("last"), [lang(), last], () => (last ? [h("span", {}, say(last.text))] : []));
}

function call(last) {
  const element = byId("call");
  const asks = Boolean(snapshot.needs_you);
  element.classList.toggle("asks", asks);
  show(element, [lang(), snapshot.needs_you, isIllegal(last) ? last : null], () => {
    if (asks) return [icon("needs_you"), h("div", {}, h("h2", {}, t("needs_title")), h("p", {}, say(snapshot.needs_you.why)))];
    if (!isIllegal(last)) return [];
    const rules = (last.violations ?? []).map((violation) => h("p", {}, say(violation.text)));
    return [icon("stop"), h("div", {}, h("h2", {}, t("was_illegal", { name: last.player })), rules)];
  });
}

function mark(score, leads) {
  if (snapshot.end) return (snapshot.end.winners ?? []).includes(score.player) ? ["trophy", "wins"] : null;
  return leads ? ["crown", "leads"] : null;
}

function card(score, badge) {
  const player = playerNamed(snapshot, score.player);
  const moves = score.player === snapshot.to_move;
  return h(
    "li",
    { class: `board-score c-${player?.colour || "none"} ${moves ? "to-move-now" : ""}` },
    h("span", { class: "name" }, score.player),
    h("span", { class: "total" }, h("span", { class: "sr-only" }, `${t("scores")}: `), plain(score.total)),
    h("span", { class: "leads" }, badge ? [icon(badge[0]), t(badge[1])] : null),
  );
}

byId("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
await startPage({ onWords: render });
connect(
  (newest) => {
    snapshot = newest;
    render();
  },
  (connected) => (byId("offline").hidden = connected),
);
