// Qwixx Express live: Stopp, dice as read, what the round is worth, both sheets; everything put right by a tap.

import { tell, watch } from "./api.js";
import { codeHeader, mayControl, toast } from "./control.js";
import { byId, h, icon, show } from "./dom.js";
import { connect } from "./live.js";
import { startPage } from "./shell.js";
import { lang, say, t } from "./words.js";

const ROWS = ["red", "yellow", "green", "blue"];
const COLOURS = [...ROWS, "white"];
const numbers = (row) => Array.from({ length: 11 }, (_, k) => (row === "red" || row === "yellow" ? k + 2 : 12 - k));

let snapshot = null;

const send = (wanted) => tell("/api/qwixx/command", wanted);
const names = () => snapshot.players.map((player) => player.name);

function render() {
  const now = snapshot?.qwixx;
  byId("no-game").hidden = !snapshot || Boolean(now);
  byId("live").hidden = !now;
  if (!now) return;
  const over = snapshot.end;
  byId("round").textContent = t("qwixx_round", { n: snapshot.turn });
  byId("now-title").textContent = over
    ? t("qwixx_won", { names: over.winners.join(t("and")) })
    : now.stopper ? t("qwixx_stopped", { name: now.stopper }) : t("qwixx_rolling");
  const may = mayControl();
  byId("undo").hidden = !may;
  byId("undo").disabled = !snapshot.turns.length;
  byId("done").hidden = !may || Boolean(over) || !now.stopper;
  byId("done").disabled = now.missing.length > 0;
  byId("unstop").hidden = !may || !now.stopper || Boolean(over);
  const missing = now.stopper && !over ? now.missing.map((what) => t(`qwixx_missing_${what}`)) : [];
  const lost = snapshot.state === "lost" ? [say(snapshot.why)] : [];
  byId("missing").textContent = [...lost, say(snapshot.warning), ...missing].filter(Boolean).join(" ");
  show(byId("stops"), [lang(), names(), now.stopper, may, Boolean(over)], () => stops(now, may, over));
  show(byId("hands"), [lang(), now.dice, now.rerolls, now.stopper, may], () => now.dice.map((dice, k) => hand(now, dice, k, may)));
  show(byId("proposal"), [lang(), now.proposal], () => proposal(now.proposal));
  show(byId("sheets"), [lang(), now.sheets, snapshot.scores, may], () => now.sheets.map((sheet, k) => sheetCard(now, sheet, k, may)));
  show(byId("rounds"), [lang(), snapshot.turns], () => [...snapshot.turns].reverse().map(roundLine));
}

function stops(now, may, over) {
  if (!may || over || now.stopper) return [];
  return names().map((player, k) =>
    h("button", { type: "button", class: "q-stop", onclick: () => send({ do: "stop", player }), "aria-keyshortcuts": `${k + 1}` },
      h("span", { class: "q-stop-sign" }, t("qwixx_stop")), h("span", { class: "q-stop-name" }, player), h("kbd", {}, `${k + 1}`)));
}

function hand(now, dice, k, may) {
  const player = names()[k];
  const shown = dice ?? { numbers: [1, 1], colour: "white" };
  const change = (wanted) => send({ do: "dice", player, ...shown, ...wanted });
  const number = (i) => h("button", {
    type: "button", class: dice ? "q-die" : "q-die unknown", disabled: !may,
    "aria-label": t("qwixx_die", { name: player, value: dice ? shown.numbers[i] : "?" }),
    onclick: () => change({ numbers: shown.numbers.map((n, j) => (j === i ? (n % 6) + 1 : n)) }),
  }, dice ? `${shown.numbers[i]}` : "?");
  const colour = h("button", {
    type: "button", class: `q-die q-${dice ? shown.colour : "unknown"}`, disabled: !may,
    "aria-label": t("qwixx_die", { name: player, value: dice ? t(`qwixx_${shown.colour}`) : "?" }),
    onclick: () => change({ colour: COLOURS[(COLOURS.indexOf(shown.colour) + 1) % COLOURS.length] }),
  }, dice ? (shown.colour === "white" ? "★" : "") : "?");
  const sum = h("strong", { class: "q-sum" }, dice ? `${shown.numbers[0] + shown.numbers[1]}` : "–");
  return h("div", { class: "q-hand" }, h("h3", {}, player), h("div", { class: "q-dice" }, number(0), number(1), colour, sum), rerolls(now, k, may));
}

function rerolls(now, k, may) {
  if (!now.stopper) return [];
  const count = now.rerolls[k];
  const step = (by, sign) => h("button", {
    type: "button", class: "quiet q-step", disabled: !may || count + by < 0, "aria-label": t(by > 0 ? "qwixx_more" : "qwixx_less"),
    onclick: () => send({ do: "rerolls", player: names()[k], count: count + by }),
  }, sign);
  return h("p", { class: "q-rerolls" }, step(-1, "−"), t(count === 1 ? "qwixx_reroll" : "qwixx_rerolls", { n: count }), step(1, "+"));
}

function proposal(found) {
  if (!found) return [];
  const faults = found.violations.map((fault) => h("li", {}, say(fault.text)));
  const head = h("p", { class: found.legal ? "note is-good" : "note is-bad" }, icon(found.legal ? "check" : "stop"), say(found.text));
  return faults.length ? [head, h("ul", { class: "q-faults" }, faults)] : [head];
}

function sheetCard(now, sheet, k, may) {
  const player = names()[k];
  const score = snapshot.scores[k];
  const lines = ROWS.map((row) => h("div", { class: `q-row q-of-${row}` },
    numbers(row).map((value) => field(sheet, player, row, value, may)), field(sheet, player, row, "lock", may),
    h("span", { class: "q-points" }, points(score, `row:${row}`))));
  const misthrow = [];
  let place = 0;
  for (const length of now.segments) {
    for (let i = 0; i <= length; i++) misthrow.push(field(sheet, player, "misthrow", ++place, may, i === length));
  }
  const upload = h("label", { class: "quiet q-photo" }, icon("camera"), t("qwixx_photo"),
    h("input", { type: "file", accept: "image/jpeg", capture: "environment", onchange: (event) => photo(player, event.target) }));
  return h("section", { class: "card q-sheet" },
    h("div", { class: "row apart" }, h("h2", {}, player), h("strong", { class: "q-total" }, t("qwixx_points", { n: score?.total ?? 0 }))),
    lines, h("div", { class: "q-row q-misthrow" }, misthrow, h("span", { class: "q-points" }, points(score, "misthrow"))), may ? upload : []);
}

function points(score, what) {
  const part = score?.parts.find((one) => one.what === what);
  return part ? `${part.points}`.replace("-", "−") : "";
}

function field(sheet, player, row, value, may, minus = false) {
  const crossed = sheet.fields.find((one) => one.row === row && one.value === value);
  const unsure = !crossed && sheet.doubtful.some((one) => one.row === row && one.value === value);
  const text = value === "lock" ? icon("lock") : row === "misthrow" ? (minus ? "−5" : "") : `${value}`;
  const state = crossed ? t(crossed.new ? "qwixx_new" : "qwixx_crossed", { n: crossed.round }) : unsure ? t("qwixx_unsure") : t("qwixx_free");
  const label = `${player}, ${t(`qwixx_${row}`)} ${value === "lock" ? t("qwixx_lock") : value}: ${state}`;
  const kind = ["q-field", crossed ? "crossed" : "", crossed?.new ? "new" : "", unsure ? "unsure" : "", minus ? "minus" : ""];
  return h("button", {
    type: "button", class: kind.filter(Boolean).join(" "), disabled: !may, "aria-label": label, title: label,
    onclick: () => send({ do: "field", player, row, value, crossed: !crossed }),
  }, h("span", {}, text), crossed && !crossed.new && crossed.round ? h("small", {}, `${crossed.round}`) : unsure ? h("small", {}, "?") : []);
}

function roundLine(turn) {
  const faults = (turn.violations ?? []).map((fault) => h("p", { class: "note is-bad" }, say(fault.text)));
  return h("li", { value: turn.turn, class: turn.legal === false ? "bad" : "" }, h("p", {}, say(turn.text)), faults);
}

async function photo(player, input) {
  const file = input.files[0];
  if (!file) return;
  toast(t("qwixx_reading"));
  const query = new URLSearchParams({ player });
  try {
    const answer = await fetch(`/api/qwixx/photo?${query}`, { method: "POST", body: file, headers: codeHeader() });
    const told = await answer.json();
    if (!answer.ok) toast(say(told.error));
    else toast(told.doubtful.length ? t("qwixx_read_unsure", { n: told.doubtful.length }) : t("qwixx_read"));
  } catch {
    toast(t("offline"));
  }
  input.value = "";
}

byId("done").addEventListener("click", () => send({ do: "done" }));
byId("unstop").addEventListener("click", () => send({ do: "unstop" }));
byId("undo").addEventListener("click", () => send({ do: "undo" }));
document.addEventListener("keydown", (event) => {
  const now = snapshot?.qwixx;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector("dialog[open]");
  if (!now || typing || event.ctrlKey || event.metaKey || event.altKey || !mayControl() || now.stopper || snapshot.end) return;
  const player = names()[Number(event.key) - 1];
  if (player) send({ do: "stop", player });
});
await startPage({ onWords: render, onControl: render });
watch(byId("frame"), "/camera/frame.jpg");
connect(
  (newest) => {
    snapshot = newest;
    render();
  },
  (connected) => (byId("offline").hidden = connected),
);
