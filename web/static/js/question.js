// The question with its possible answers, each as a picture of the table with the move drawn on it.

import { arrow, endsOf, highOf, pointsOf } from "./arrows.js";
import { command, mayControl, toast } from "./control.js";
import { byId, h, icon, show } from "./dom.js";
import { die } from "./now.js";
import { svg } from "./svg.js";
import { verdict } from "./turns.js";
import { lang, say, t } from "./words.js";

let photo = "";
let photoHigh = 900;
let photoOf = null;

/** The picture that all alternatives are drawn on, taken once for each question. */
async function takePhoto(question) {
  if (photoOf === question.t_s) return;
  photoOf = question.t_s;
  try {
    let answer = await fetch("/camera/raw.jpg");
    if (answer.status !== 200) answer = await fetch("/camera/frame.jpg");
    if (answer.status !== 200) return;
    if (photo) URL.revokeObjectURL(photo);
    const blob = await answer.blob();
    const bitmap = await createImageBitmap(blob);
    photoHigh = highOf(bitmap.width, bitmap.height);
    photo = URL.createObjectURL(blob);
    byId("ask").dataset.shown = "";
  } catch {
    photo = "";
  }
}

export function showQuestion(snapshot, again) {
  const question = snapshot.needs_you;
  const element = byId("ask");
  element.hidden = !question;
  if (!question) return;
  takePhoto(question).then(() => element.dataset.shown === "" && again());
  show(element, [lang(), question, mayControl(), photo], () => [
    h("header", {}, icon("needs_you"), h("div", {}, h("h2", {}, t("needs_title")), h("p", {}, say(question.why) || t("needs_hint")))),
    h("ul", {}, (question.alternatives ?? []).map((turn, index) => choice(snapshot, turn, index))),
    h(
      "button",
      { type: "button", class: "quiet nothing", disabled: !mayControl(), onclick: (event) => answer(event.currentTarget, { do: "dismiss", t_s: question.t_s }) },
      t("nothing_happened"),
    ),
  ]);
}

function choice(snapshot, turn, index) {
  const button = h(
    "button",
    { type: "button", class: "choice", disabled: !mayControl(), onclick: () => answer(button, { do: "choose", index, t_s: snapshot.needs_you.t_s }) },
    drawn(snapshot, turn),
    h("span", { class: "row" }, h("kbd", {}, String(index + 1)), turn.roll ? die(turn.roll) : null, h("span", { class: "words" }, h("span", {}, say(turn.text) || turn.player), verdict(turn))),
  );
  return h("li", {}, button);
}

async function answer(button, wanted) {
  button.disabled = true;
  if (await command(wanted)) toast(t("sent"));
  else button.disabled = false;
}

/** The part of the table where the move was made, with arrows. */
function drawn(snapshot, turn) {
  const moves = endsOf(turn, pointsOf(snapshot, photoHigh));
  if (!photo || !moves.length) return null;
  const ends = moves.flat();
  const middle = [0, 1].map((k) => ends.reduce((sum, end) => sum + end[k], 0) / ends.length);
  const reach = Math.max(220, ...ends.map((end) => Math.hypot(end[0] - middle[0], end[1] - middle[1]) + 120));
  const box = [middle[0] - reach, middle[1] - reach * 0.56, 2 * reach, 2 * reach * 0.56];
  const arrows = moves.map(([from, to]) => arrow(from, to));
  return svg(
    "svg",
    { class: "drawn", viewBox: box.join(" "), preserveAspectRatio: "xMidYMid slice", role: "img", "aria-label": say(turn.text) },
    svg("image", { href: photo, width: 1600, height: photoHigh, preserveAspectRatio: "none" }),
    arrows,
  );
}
