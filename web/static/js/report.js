// The report of a game: result, course of the scores, dice, all turns.

import { ask } from "./api.js";
import { byId, h, icon } from "./dom.js";
import { pawn } from "./now.js";
import { startPage } from "./shell.js";
import { svg } from "./svg.js";
import { known, lang, plain, say, t } from "./words.js";

const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 40;
const BELOW = 28;

const game = new URLSearchParams(location.search).get("game");
const asked = game ? `?game=${encodeURIComponent(game)}` : "";
let report = null;

function render() {
  byId("none").hidden = report !== null;
  byId("report").hidden = report === null;
  byId("export").hidden = report === null;
  if (!report) return;
  const name = known(`game_${report.game}`) ? t(`game_${report.game}`) : report.game;
  byId("what").textContent = [name, say(report.end?.text) || t("report_open"), t("report_minutes", { n: report.minutes })].join(" · ");
  byId("result").replaceChildren(...table());
  byId("course").replaceChildren(chart(), legend());
  byId("rolls").replaceChildren(rolls());
  byId("chance").textContent = say(report.chance.text);
  byId("all").replaceChildren(...report.turns.map(line));
}

const playerOf = (name) => report.players.find((player) => player.name === name);
const last = (name) => report.course[name]?.at(-1) ?? 0;

function table() {
  const heads = ["report_player", "scores", "turns", "report_illegal", "report_mean"].map((key) => h("th", { scope: "col" }, t(key)));
  const rows = [...report.people].sort((a, b) => last(b.name) - last(a.name)).map((person) => {
    const won = (report.end?.winners ?? []).includes(person.name);
    return h(
      "tr",
      { class: won ? "winner" : "" },
      h("td", {}, pawn(playerOf(person.name)), person.name, won ? [" ", icon("trophy", { label: t("wins") })] : null),
      h("td", { class: "points" }, plain(last(person.name))),
      h("td", {}, String(person.turns)),
      h("td", {}, String(person.illegal)),
      h("td", {}, person.mean_roll === null ? "–" : person.mean_roll.toLocaleString(lang())),
    );
  });
  return [h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)];
}

function chart() {
  const lines = Object.values(report.course);
  const count = Math.max(2, ...lines.map((points) => points.length));
  const low = Math.min(0, ...lines.flat());
  const high = Math.max(1, ...lines.flat());
  const step = niceStep((high - low) / 5);
  const [bottom, top] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const x = (k) => LEFT + (k / (count - 1)) * (WIDTH - LEFT - 12);
  const y = (points) => 10 + ((top - points) / (top - bottom)) * (HEIGHT - BELOW - 10);
  const parts = [];
  for (let value = bottom; value <= top; value += step) {
    parts.push(svg("line", { class: value === 0 ? "axis zero" : "axis", x1: LEFT, x2: WIDTH, y1: y(value), y2: y(value) }));
    parts.push(svg("text", { x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" }, plain(value)));
  }
  const every = niceStep(count / 8);
  for (let k = 0; k < count; k += every) parts.push(svg("text", { x: x(k), y: HEIGHT - 6, "text-anchor": "middle" }, String(k)));
  for (const [name, points] of Object.entries(report.course)) {
    const way = points.map((value, k) => `${x(k)},${y(value)}`).join(" ");
    parts.push(svg("polyline", { class: "course-edge", points: way }));
    parts.push(svg("polyline", { class: `course-line c-${playerOf(name)?.colour}`, points: way }));
  }
  report.turns.forEach((turn, k) => {
    if (turn.legal === false) parts.push(svg("circle", { class: "broken", cx: x(k + 1), cy: y(report.course[turn.player]?.[k + 1] ?? 0), r: 5 }));
  });
  const words = Object.keys(report.course).map((name) => `${name} ${plain(last(name))}`).join(", ");
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${t("report_course")}: ${words}` }, parts);
}

const niceStep = (raw) => {
  const size = 10 ** Math.floor(Math.log10(Math.max(raw, 1)));
  return [1, 2, 5, 10].map((n) => n * size).find((n) => n >= raw) ?? 1;
};

function legend() {
  const names = Object.keys(report.course).map((name) => h("li", {}, pawn(playerOf(name)), name));
  return h("ul", { class: "legend" }, names, h("li", { class: "quietly" }, icon("stop"), t("report_mark")));
}

function rolls() {
  const most = Math.max(1, ...report.rolls);
  const total = report.rolls.reduce((sum, n) => sum + n, 0);
  const wide = WIDTH / 6;
  const y = (n) => 22 + (1 - n / most) * (HEIGHT - 80);
  const parts = report.rolls.flatMap((n, k) => [
    svg("rect", { class: "bar-of-rolls", x: k * wide + 18, width: wide - 36, y: y(n), height: HEIGHT - 58 - y(n), rx: 4 }),
    svg("text", { x: (k + 0.5) * wide, y: y(n) - 7, "text-anchor": "middle" }, String(n)),
    svg("use", { href: `#i-die-${k + 1}`, class: "die", x: (k + 0.5) * wide - 17, y: HEIGHT - 48, width: 34, height: 34 }),
  ]);
  if (total) parts.push(svg("line", { class: "expected", x1: 0, x2: WIDTH, y1: y(total / 6), y2: y(total / 6) }));
  const words = report.rolls.map((n, k) => `${k + 1}: ${n}`).join(", ");
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${t("report_rolls")}: ${words}` }, parts);
}

function line(turn) {
  const faults = (turn.violations ?? []).map((violation) => h("span", { class: "fault" }, ` ${say(violation.text)}`));
  return h("li", {}, h("b", {}, turn.type === "turn" ? `${turn.turn ?? ""}.` : ""), h("span", {}, say(turn.text), faults));
}

byId("print").addEventListener("click", () => window.print());
byId("export").href += asked;
await startPage({ onWords: render });
try {
  report = await ask(`/api/report${asked}`);
} catch {
  report = null;
}
render();
