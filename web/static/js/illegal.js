// An illegal move fills the page: which rule, before and after, and what to do about it.

import { arrow, endsOf, highOf, pointsOf } from "./arrows.js";
import { mayControl } from "./control.js";
import { byId, h, icon, show } from "./dom.js";
import { editTurn } from "./edit.js";
import { svg } from "./svg.js";
import { lang, say, t } from "./words.js";

let putAway = null;
let putting = null;

export const isIllegal = (turn) => turn?.type === "turn" && turn.legal === false;
export const keyOf = (turn) => `${turn.type}-${turn.turn}-${turn.t_s}`;

/** Open while the newest turn is illegal and nobody has put it away. */
export function showBanner(snapshot) {
  const turns = snapshot.turns ?? [];
  const last = turns.at(-1);
  const dialog = byId("banner");
  const visible = isIllegal(last) && putAway !== keyOf(last) && !snapshot.needs_you;
  if (!visible) {
    if (dialog.open) dialog.close();
    return;
  }
  const right = putting === keyOf(last);
  show(dialog, [lang(), last, mayControl(), right], () => (right ? putRight(last) : verdict(snapshot, last, turns.length - 1)));
  if (!dialog.open && !byId("edit-dialog").open) {
    dialog.showModal();
    dialog.querySelector("button.strong")?.focus();
  }
}

function verdict(snapshot, turn, index) {
  return [
    h("header", {}, icon("stop"), h("div", {}, h("h2", { id: "banner-title" }, t("was_illegal", { name: turn.player })), rules(turn))),
    h("p", { class: "what" }, say(turn.text)),
    pictures(snapshot, turn),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "strong", onclick: () => begin(turn) }, icon("undo"), t("put_right")),
      h("button", { type: "button", class: "other", onclick: () => close(turn) }, icon("play"), t("play_on")),
      mayControl()
        ? h("button", { type: "button", class: "other", onclick: () => wrong(turn, index) }, icon("edit"), t("not_so"))
        : null,
    ),
  ];
}

const rules = (turn) => (turn.violations ?? []).map((violation) => h("p", { class: "rule" }, say(violation.text)));

/** The camera sees the table being put right; people only need to know what to put where. */
function putRight(turn) {
  const steps = (turn.moves ?? []).map((move) => h("li", {}, t("move_back", { piece: piece(move.piece), from: place(move.to), to: place(move.from) })));
  for (const tile of turn.taken ?? []) steps.push(h("li", {}, t("lay_back", { tile: tile === "luck" ? t("luck") : tile.replace("-", "−") })));
  return [
    h("header", {}, icon("undo"), h("div", {}, h("h2", { id: "banner-title" }, t("put_right")), h("p", { class: "rule" }, t("put_right_how")))),
    h("ol", { class: "steps-back" }, steps),
    h("p", { class: "what" }, t("put_right_then", { name: turn.player, n: turn.roll ?? "?" })),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "strong", onclick: () => close(turn) }, icon("check"), t("close"))),
  ];
}

/** Before, with rings around what was moved; after, with arrows along the moves. */
function pictures(snapshot, turn) {
  const rings = ([from]) => svg("circle", { class: "ring", cx: from[0], cy: from[1], r: 56 });
  const marks = { before: rings, after: ([from, to]) => arrow(from, to) };
  const figure = (when) => {
    const drawing = svg("svg", { viewBox: "0 0 1600 900", role: "img", "aria-label": t(`picture_${when}`) });
    const whole = h("figure", {}, drawing, h("figcaption", {}, t(`picture_${when}`)));
    const photo = new Image();
    photo.onload = () => {
      const high = highOf(photo.naturalWidth, photo.naturalHeight);
      const moves = endsOf(turn, pointsOf(snapshot, high));
      drawing.setAttribute("viewBox", `0 0 1600 ${high}`);
      drawing.replaceChildren(svg("image", { href: photo.src, width: 1600, height: high }), ...moves.flatMap(marks[when]));
    };
    photo.onerror = () => whole.remove();
    photo.src = `/camera/line/${when}.jpg?key=${encodeURIComponent(keyOf(turn))}`;
    return whole;
  };
  return h("div", { class: "before-after" }, figure("before"), figure("after"));
}

function piece(name) {
  const [kind, colour] = String(name).split(":");
  return colour ? t(`the_${kind}`, { colour: t(`colour_${colour}`) }) : t(`the_${kind}`);
}

function place(name) {
  if (name === "start" || name === 0) return t("to_start");
  if (name === "finish" || name === "home" || name === "out") return t(`to_${name}`);
  return t("to_place", { n: name });
}

function begin(turn) {
  putting = keyOf(turn);
  byId("banner").dataset.shown = "";
  showBanner({ turns: [turn] });
}

function close(turn) {
  putAway = keyOf(turn);
  byId("banner").close();
  byId("turns").focus({ preventScroll: true });
}

function wrong(turn, index) {
  close(turn);
  editTurn({ do: "change", index, turn });
}

/** Esc puts it away too. */
export function setUpBanner(newest) {
  byId("banner").addEventListener("cancel", () => {
    const last = newest()?.turns?.at(-1);
    if (last) putAway = keyOf(last);
  });
}
