// The past: the list of turns, newest first, and the two big messages (illegal move, question).

import { byId, h, icon, show } from "./dom.js";
import { command, mayControl, toast } from "./control.js";
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

let dismissed = null;

const note = (turn) => NOTES[turn.type] ?? NOTES.correction;

export const isIllegal = (turn) => turn?.type === "turn" && turn.legal === false;

export function verdict(turn) {
  return turn.legal === false
    ? h("span", { class: "tag illegal" }, icon("stop"), t("illegal"))
    : h("span", { class: "tag" }, icon("check"), t("legal"));
}

export function showTurns(snapshot, fresh) {
  const turns = snapshot.turns ?? [];
  byId("no-turns").hidden = turns.length > 0;
  byId("turn-list").hidden = turns.length === 0;
  const changed = show(byId("turn-list"), [lang(), turns, snapshot.players], () =>
    turns.map((turn, k) => item(snapshot, turn, fresh && k === turns.length - 1)).reverse(),
  );
  if (changed && fresh) byId("turn-list").scrollTop = 0;
  byId("undo").hidden = !mayControl() || !turns.some((turn) => turn.type === "turn");
}

function item(snapshot, turn, isNew) {
  const isTurn = turn.type === "turn" || turn.type == null;
  const kinds = ["turn", isTurn ? "" : "is-note", isIllegal(turn) ? "is-illegal" : "", isNew ? "is-new" : ""];
  return h(
    "li",
    { class: kinds.filter(Boolean).join(" ") },
    h("span", { class: "turn-number" }, isTurn ? String(turn.turn ?? "") : icon(note(turn)[0])),
    h("div", {}, isTurn ? turnHead(snapshot, turn) : noteHead(turn), sentences(turn)),
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

/** The big red message while the newest turn is illegal and nobody has put it away. */
export function showBanner(snapshot) {
  const last = (snapshot.turns ?? []).at(-1);
  const visible = isIllegal(last) && dismissed !== key(last) && !snapshot.needs_you;
  const banner = byId("banner");
  banner.hidden = !visible;
  if (!visible) return;
  show(banner, [lang(), last, mayControl()], () => [
    icon("stop"),
    h(
      "div",
      { class: "say", role: "alert" },
      h("h2", {}, t("was_illegal", { name: last.player })),
      (last.violations ?? []).map((violation) => h("p", { class: "rule" }, say(violation.text))),
      h("p", { class: "what" }, say(last.text)),
    ),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "strong", onclick: () => putAway(last) }, t("close"))),
  ]);
}

function putAway(turn) {
  dismissed = key(turn);
  byId("banner").hidden = true;
  byId("turns").focus({ preventScroll: true });
}

const key = (turn) => `${turn.turn}/${turn.t_s}/${turn.player}`;

/** The question with its possible answers. */
export function showQuestion(snapshot) {
  const question = snapshot.needs_you;
  const ask = byId("ask");
  ask.hidden = !question;
  if (!question) return;
  show(ask, [lang(), question, mayControl()], () => [
    h(
      "header",
      {},
      icon("needs_you"),
      h("div", {}, h("h2", {}, t("needs_title")), h("p", {}, say(question.why) || t("needs_hint"))),
    ),
    h("ul", {}, (question.alternatives ?? []).map(choice)),
    h(
      "button",
      { type: "button", class: "quiet nothing", disabled: !mayControl(), onclick: (event) => dismiss(event.currentTarget) },
      t("nothing_happened"),
    ),
  ]);
}

function choice(turn, index) {
  const button = h(
    "button",
    { type: "button", class: "choice", disabled: !mayControl(), onclick: () => choose(button, index) },
    turn.roll ? die(turn.roll) : null,
    h("span", { class: "words" }, h("span", {}, say(turn.text) || turn.player), verdict(turn)),
  );
  return h("li", {}, button);
}

const choose = (button, index) => answer(button, { do: "choose", index });
const dismiss = (button) => answer(button, { do: "dismiss" });

async function answer(button, wanted) {
  button.disabled = true;
  if (await command(wanted)) toast(t("sent"));
  else button.disabled = false;
}

/** Undo asks once more on the same button, for a few seconds. */
export function setUpUndo() {
  const button = byId("undo");
  let sure = 0;
  const calm = () => {
    clearTimeout(sure);
    sure = 0;
    button.classList.remove("sure");
    byId("undo-words").textContent = t("undo");
  };
  button.addEventListener("click", async () => {
    if (sure) {
      calm();
      if (await command({ do: "undo" })) toast(t("sent"));
      return;
    }
    button.classList.add("sure");
    byId("undo-words").textContent = t("undo_sure");
    sure = setTimeout(calm, 4000);
  });
  return calm;
}
