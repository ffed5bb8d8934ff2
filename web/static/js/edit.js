// Putting the record right: choose the roll, then what really happened; the rules offer what is possible.

import { ask } from "./api.js";
import { command, toast } from "./control.js";
import { byId, h, icon } from "./dom.js";
import { die } from "./now.js";
import { say, t } from "./words.js";

const ROLLS = [1, 2, 3, 4, 5, 6];
const ACTIONS = { may: 0, may_not: 6, must: 12 };

let wanted = null;
let roll = null;
let action = "may";
let asked = 0;

/** `edit`: `{do: "change" | "insert", index, turn}`; the turn is what the record says now, or null. */
export function editTurn(edit) {
  wanted = edit;
  roll = edit.turn?.roll ?? null;
  action = edit.turn?.action_die ?? "may";
  byId("edit-title").textContent = t(edit.do === "insert" ? "insert_title" : "change_title");
  renderRolls();
  offer();
  byId("edit-dialog").showModal();
}

function renderRolls() {
  const choose = (n) => () => {
    roll = n;
    renderRolls();
    offer();
  };
  const buttons = ROLLS.map((n) => h("button", { type: "button", "aria-pressed": n === roll ? "true" : "false", "aria-label": t("rolled", { n }), onclick: choose(n) }, die(n)));
  const actions = wanted.game === "verflixxt-nochmal"
    ? Object.keys(ACTIONS).map((name) => h("button", { type: "button", "aria-pressed": name === action ? "true" : "false", onclick: () => { action = name; renderRolls(); offer(); } }, t(`action_${name}`)))
    : [];
  byId("edit-rolls").replaceChildren(...buttons, ...actions);
}

async function offer() {
  const list = byId("edit-list");
  const mine = ++asked;
  if (!roll) {
    list.replaceChildren(h("li", { class: "quietly" }, t("choose_roll")));
    return;
  }
  list.replaceChildren(); // a turn of another roll must not be taken for one of this roll
  try {
    const extra = wanted.game === "verflixxt-nochmal" ? ACTIONS[action] : 0;
    const found = await ask("/api/game/candidates", { index: wanted.index, roll: roll + extra });
    if (mine === asked) list.replaceChildren(...found.candidates.map(choice));
  } catch (error) {
    if (mine === asked) list.replaceChildren(h("li", { class: "problem" }, error.message));
  }
}

function choice(turn) {
  const words = h(
    "span",
    { class: "words" },
    h("span", {}, say(turn.text)),
    turn.legal ? null : h("small", {}, (turn.violations ?? []).map((violation) => say(violation.text)).join(" ")),
  );
  return h("li", {}, h("button", { type: "button", class: `choice ${turn.legal ? "" : "is-illegal"}`, onclick: () => send(turn) }, icon(turn.legal ? "check" : "stop"), words));
}

async function send(turn) {
  byId("edit-dialog").close();
  if (await command({ do: wanted.do, index: wanted.index, turn: plain(turn) })) toast(t("sent"));
}

/** Only what happened: verdict and sentences are the referee's. */
function plain(turn) {
  const { legal, violations, text, ...rest } = turn;
  return rest;
}

export async function removeTurn(index) {
  if (await command({ do: "remove", index })) toast(t("sent"));
}

export function setUpEdit() {
  byId("edit-cancel").addEventListener("click", () => byId("edit-dialog").close());
}
