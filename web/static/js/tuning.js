// Fine-tuning with a set's own pictures: how far it is, what it came to, given up or switched back at any time.

import { ask, tell } from "./api.js";
import { mayControl, toast } from "./control.js";
import { byId, h, show } from "./dom.js";
import { lang, say, t } from "./words.js";

const EVERY_MS = 2000;

let state = null;
let timer = null;

const percent = (share) => `${(100 * share).toLocaleString(lang(), { maximumFractionDigits: 1 })} %`;

/** Draws what is known; again after every answer and with every change of language. */
export function renderTuning() {
  if (!state) return;
  show(byId("tuning"), [lang(), state], () => [
    h("p", {}, t(state.frames === 1 ? "tune_frames_one" : "tune_frames", { n: state.frames })),
    state.problem ? h("p", { class: "note is-warn" }, say(state.problem)) : null,
    state.can ? null : h("p", { class: "note" }, t("tune_cannot")),
    state.frames < state.needed ? h("p", { class: "note", id: "play-first" }, t("tune_play_first", { n: state.needed })) : null,
    ...results(),
    state.running ? running() : buttons(),
  ]);
}

function running() {
  const { share, what, left_s: left } = state.running;
  const minutes = left == null ? "" : t(left < 90 ? "tune_left_s" : "tune_left_min", { n: left < 90 ? left : Math.round(left / 60) });
  return h("div", { class: "row" },
    h("progress", { max: 1, value: share, "aria-label": t("tune_title") }),
    h("span", { role: "status" }, `${t(`tune_what_${what}`)} ${minutes}`),
    h("button", { type: "button", class: "quiet", onclick: () => order("cancel") }, t("cancel")));
}

function results() {
  const { report } = state;
  const kinds = ["tile", "die"].filter((kind) => report[kind]);
  const lines = kinds.map((kind) => {
    const { before, after, count, better } = report[kind];
    const facts = { before: percent(before), after: percent(after), n: count };
    return h("li", {}, `${t(`sets_kind_${kind}`)}: ${t("tune_result", facts)} ${t(better ? "tune_better" : "tune_kept")}`);
  });
  if (!lines.length) return [];
  const better = kinds.some((kind) => report[kind].better);
  return [h("ul", {}, lines), better ? h("p", {}, t(report.use ? "tune_used" : "tune_unused")) : null];
}

function buttons() {
  const { report, can, frames, needed } = state;
  const better = ["tile", "die"].some((kind) => report[kind]?.better);
  return h("div", { class: "row" },
    h("button", { type: "button", class: "strong", disabled: !can || frames < needed, onclick: () => order("start") }, t("tune_start")),
    better ? h("button", { type: "button", class: "quiet", onclick: () => order(report.use ? "general" : "own") }, t(report.use ? "tune_back" : "tune_own")) : null);
}

async function order(what) {
  take(await tell("/api/sets/tune", { what }));
}

function take(answer) {
  state = answer ?? state;
  renderTuning();
  clearTimeout(timer);
  if (state?.running) timer = setTimeout(refreshTuning, EVERY_MS);
}

/** Asks how far it is; while it runs again every two seconds. */
export async function refreshTuning() {
  if (!mayControl()) return;
  try {
    take(await ask("/api/sets/tune"));
  } catch (error) {
    toast(error.message);
  }
}
