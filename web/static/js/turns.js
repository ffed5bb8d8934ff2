// The past: the list of turns, newest first, and the two big messages (illegal move, question).

import { byId, h, icon, show } from "./dom.js";
import { command, mayControl, toast } from "./control.js";
import { editTurn, removeTurn } from "./edit.js";
import { isIllegal } from "./illegal.js";
import { die, pawn, playerNamed } from "./now.js";
import { lang, say, t } from "./words.js";

const NOTES = {
  correction: ["edit", "correction"],
  undo: ["undo", "undone"],
  needs_you: ["needs_you", "asked"],
  lost: ["lost", "lost"],
  found: ["move_seen", "found"],
  end: ["trophy", "ended"],
};

const note = (turn) => NOTES[turn.type] ?? NOTES.correction;

export function verdict(turn) {
  return turn.legal === false
    ? h("span", { class: "tag illegal" }, icon("stop"), t("illegal"))
    : h("span", { class: "tag" }, icon("check"), t("legal"));
}

export function showTurns(snapshot, fresh) {
  const turns = snapshot.turns ?? [];
  byId("no-turns").hidden = turns.length > 0;
  byId("turn-list").hidden = turns.length === 0;
  const changed = show(byId("turn-list"), [lang(), turns, snapshot.players, mayControl()], () =>
    turns.map((turn, k) => item(snapshot, turn, k, fresh && k === turns.length - 1)).reverse(),
  );
  if (changed && fresh) byId("turn-list").scrollTop = 0;
  byId("undo").hidden = !mayControl() || !turns.some((turn) => turn.type === "turn");
  byId("take").hidden = !mayControl() || !(snapshot.places ?? []).length;
}

function item(snapshot, turn, index, isNew) {
  const isTurn = turn.type === "turn" || turn.type == null;
  const kinds = ["turn", isTurn ? "" : "is-note", isIllegal(turn) ? "is-illegal" : "", isNew ? "is-new" : ""];
  return h(
    "li",
    { class: kinds.filter(Boolean).join(" ") },
    h("span", { class: "turn-number" }, isTurn ? String(turn.turn ?? "") : icon(note(turn)[0])),
    h("div", {}, isTurn ? turnHead(snapshot, turn) : noteHead(turn), sentences(turn)),
    mayControl() ? tools(snapshot, turn, index) : null,
  );
}

/** Edit, insert, remove: a small menu for each line. */
function tools(snapshot, turn, index) {
  const { game } = snapshot;
  const entry = (mark, words, action) =>
    h("button", { type: "button", onclick: (event) => { event.currentTarget.closest("details").open = false; action(); } }, icon(mark), t(words));
  const number = turn.turn ?? index + 1;
  return h(
    "details",
    { class: "turn-tools" },
    h("summary", { "aria-label": t("turn_tools", { n: number }) }, icon("edit")),
    h(
      "div",
      {},
      turn.type === "turn" ? entry("edit", "change_turn", () => editTurn({ do: "change", index, turn, game })) : null,
      entry("new", "insert_before", () => editTurn({ do: "insert", index, turn: null, game })),
      index === (snapshot.turns ?? []).length - 1 ? entry("new", "insert_after", () => editTurn({ do: "insert", index: index + 1, turn: null, game })) : null,
      entry("trash", "remove_turn", () => removeTurn(index)),
    ),
  );
}

function turnHead(snapshot, turn) {
  const name = h("strong", {}, turn.player ?? "");
  return h(
    "div",
    { class: "turn-head" },
    pawn(playerNamed(snapshot, turn.player)),
    name,
    turn.roll ? die(turn.roll) : null,
    clock(turn.t_s),
    verdict(turn),
  );
}

const noteHead = (turn) =>
  h("div", { class: "turn-head" }, h("strong", {}, t(note(turn)[1])), clock(turn.t_s));

function sentences(turn) {
  const words = say(turn.text ?? turn.why);
  const faults = (turn.violations ?? []).map((violation) => h("p", { class: "fault" }, say(violation.text)));
  return [words ? h("p", {}, words) : null, ...faults];
}

function clock(seconds) {
  if (typeof seconds !== "number") return null;
  const whole = Math.round(seconds);
  return h("time", {}, `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`);
}

/** Undoing and taking the table as it stands ask once more on the same button, for a few seconds. */
export function setUpUndo() {
  const calm = ["undo", "take"].map(askedTwice);
  return () => calm.forEach((stop) => stop());
}

function askedTwice(name) {
  const button = byId(name);
  let sure = 0;
  const calm = () => {
    clearTimeout(sure);
    sure = 0;
    button.classList.remove("sure");
    byId(`${name}-words`).textContent = t(name);
  };
  button.addEventListener("click", async () => {
    if (sure) {
      calm();
      if (await command({ do: name })) toast(t("sent"));
      return;
    }
    button.classList.add("sure");
    byId(`${name}-words`).textContent = t(`${name}_sure`);
    sure = setTimeout(calm, 4000);
  });
  return calm;
}
