// The present: state of the referee, whose turn it is, the scores, the end.

import { byId, h, icon, show } from "./dom.js";
import { known, lang, plain, say, signed, t } from "./words.js";

const STATES = ["waiting", "hand_in_view", "settling", "at_rest", "move_seen", "needs_you", "lost"];

/** A pawn in its colour, with the colour's name for those who cannot see it. */
export function pawn(player) {
  if (!player?.colour) return null;
  const key = `colour_${player.colour}`;
  return icon("pawn", { className: `pawn c-${player.colour}`, label: known(key) ? t(key) : player.colour });
}

export function die(roll) {
  const face = Number.isInteger(roll) && roll >= 1 && roll <= 6 ? roll : 0;
  return icon(`die-${face}`, { className: face ? "die" : "die unknown", label: face ? t("rolled", { n: roll }) : t("not_rolled") });
}

export const playerNamed = (snapshot, name) => (snapshot.players ?? []).find((player) => player.name === name);

export function showGame(snapshot) {
  const key = `game_${snapshot.game}`;
  byId("game-name").textContent = snapshot.game ? (known(key) ? t(key) : snapshot.game) : t("claim");
}

export function showState(snapshot) {
  const state = STATES.includes(snapshot.state) ? snapshot.state : "waiting";
  const fps = snapshot.fps ? Math.round(snapshot.fps) : 0;
  const element = byId("state");
  element.className = `state state-${state}`;
  show(element, [lang(), state, snapshot.why, snapshot.warning, fps], () => [
    icon(state),
    h(
      "div",
      { class: "words" },
      h("strong", {}, t(`state_${state}`)),
      h("small", {}, say(snapshot.why) || t("state")),
      snapshot.warning ? h("small", { class: "state-warning" }, say(snapshot.warning)) : null,
    ),
    fps ? h("span", { class: "meter" }, t("frames", { n: fps })) : null,
  ]);
}

export function showToMove(snapshot) {
  const element = byId("to-move");
  element.hidden = !snapshot.to_move && !snapshot.end;
  element.className = snapshot.end ? "end" : "to-move";
  show(element, [lang(), snapshot.to_move, snapshot.turn, snapshot.roll, snapshot.end, snapshot.players], () =>
    snapshot.end ? endWords(snapshot.end) : moveWords(snapshot),
  );
}

function moveWords(snapshot) {
  const label = [t("to_move"), snapshot.turn ? t("turn_number", { n: snapshot.turn }) : ""].filter(Boolean).join(" · ");
  return [
    pawn(playerNamed(snapshot, snapshot.to_move)),
    h("div", { class: "words" }, h("small", {}, label), h("strong", {}, snapshot.to_move)),
    die(snapshot.roll),
  ];
}

function endWords(end) {
  const winners = end.winners ?? [];
  const names = [winners.slice(0, -1).join(", "), winners.at(-1)].filter(Boolean).join(t("and"));
  const key = winners.length > 1 ? "winner_many" : "winner_one";
  return [
    icon("trophy"),
    h("div", { class: "words" }, h("small", {}, reason(end) || t("ended")), h("strong", {}, t(key, { names }))),
    h("a", { class: "to-report", href: "/report" }, icon("chart"), t("nav_report")),
  ];
}

/** The first sentence says why it is over; the second, who has won, stands in large letters already. */
const reason = (end) => (say(end.text).match(/^[^.!]+[.!]/) ?? [""])[0];

export function showScores(snapshot) {
  const scores = snapshot.scores ?? [];
  const best = Math.max(...scores.map((score) => score.total));
  const alone = scores.filter((score) => score.total === best).length === 1;
  const list = byId("scores");
  list.className = scores.length > 3 ? "many" : "";
  show(list, [lang(), scores, snapshot.players, snapshot.end], () =>
    scores.map((score) => scoreCard(snapshot, score, badge(snapshot, score, alone && score.total === best))),
  );
}

function badge(snapshot, score, leads) {
  if (snapshot.end) return (snapshot.end.winners ?? []).includes(score.player) ? ["trophy", "wins"] : null;
  return leads ? ["crown", "leads"] : null;
}

function scoreCard(snapshot, score, mark) {
  const player = playerNamed(snapshot, score.player);
  const parts = score.parts ?? [];
  return h(
    "li",
    { class: `score c-${player?.colour ?? "none"}` },
    pawn(player) ?? h("span"),
    h(
      "span",
      { class: "name" },
      score.player,
      mark ? h("span", { class: "leads" }, icon(mark[0]), t(mark[1])) : null,
    ),
    h("span", { class: "total" }, h("span", { class: "sr-only" }, `${t("scores")}: `), plain(score.total)),
    h("div", { class: "parts" }, parts.length ? parts.map(part) : t("nothing_yet")),
  );
}

/** One part of a score: a tile as it was collected, and what it counts where luck has turned it. */
function part({ what, points }) {
  const [turned, name] = String(what).startsWith("luck:") ? [true, what.slice(5)] : [false, String(what)];
  const chip = tile(name, points);
  if (!turned) return chip;
  const words = `${minus(name)} ${t("becomes", { points: signed(points) })}`;
  return h("span", { class: "flipped", title: words }, chip, icon("clover"), signed(points));
}

function tile(name, points) {
  if (name === "luck") return h("span", { class: "tile luck", title: t("luck") }, icon("clover", { label: t("luck") }));
  const number = /^[+-]\d+$/.test(name);
  const kind = number ? (name.startsWith("-") ? "minus" : "plus") : "other";
  if (number) return h("span", { class: `tile ${kind}` }, minus(name));
  return h("span", { class: "part" }, `${name.replace(/^(\w+):/, "").replace("-", "−")} ${signed(points)}`);
}

const minus = (name) => name.replace("-", "−");
