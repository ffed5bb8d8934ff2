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
  const told = isIllegal(last) ? last : null;
  element.classList.toggle("asks", Boolean(snapshot.needs_you || blind()) || !told);
  const { needs_you, why, warning } = snapshot;
  show(element, [lang(), needs_you, blind() && why, warning, told], () => {
    const words = loudest(told);
    if (!warning) return words;
    return words.length ? [...words, h("p", { class: "beside" }, say(warning))] : [icon("needs_you"), h("p", {}, say(warning))];
  });
}

const blind = () => snapshot.state === "lost";

/** What matters most now: a question, that nothing can be seen, a move that was not legal; nothing otherwise. */
function loudest(illegal) {
  if (snapshot.needs_you) return message("needs_you", t("needs_title"), [say(snapshot.needs_you.why)]);
  if (blind()) return message("lost", t("state_lost"), [say(snapshot.why)]);
  if (!illegal) return [];
  const rules = (illegal.violations ?? []).map((violation) => say(violation.text));
  return message("stop", t("was_illegal", { name: illegal.player }), rules);
}

const message = (sign, head, lines) => [icon(sign), h("div", {}, h("h2", {}, head), lines.map((line) => h("p", {}, line)))];

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
