// Setting up a game: which, who, by which rules; then what stands on the table against what should stand there.

import { ask, watch } from "./api.js";
import { boardEditor } from "./board-editor.js";
import { mayControl } from "./control.js";
import { byId, h, icon, show } from "./dom.js";
import { playersRange, showPlayers, showSeats } from "./players.js";
import { positionView } from "./position.js";
import { routeEditor } from "./route.js";
import { startPage } from "./shell.js";
import { gamePage, known, lang, t } from "./words.js";

const OTHER_PAGES = { "dice-flick": "/flick", "qwixx-express": "/qwixx" };
const MARKS = { verflixxt: "clover", "verflixxt-nochmal": "clover", spuk: "pawn", "dice-flick": "die", "qwixx-express": "pen" };
const RANDOM = new Set(["random"]);

let games = [];
let desk = {};
const draft = { game: "verflixxt", variant: null, options: {}, players: [], guards_start: null, board: null, markers: null };

const info = () => games.find((game) => game.name === draft.game);
const words = (thing) => thing[lang()];
const title = (name) => (known(`game_${name}`) ? t(`game_${name}`) : name);

/** The setup as the server wants it. */
export function setup() {
  const game = info();
  const found = { game: draft.game, variant: draft.variant ?? game.variants[0].value, options: changedOptions() };
  found.players = draft.players.map((player) => ({ ...player }));
  if (draft.game.startsWith("verflixxt") && RANDOM.has(found.variant)) found.route = route.values();
  if (draft.game.startsWith("verflixxt") && draft.guards_start) found.guards_start = draft.guards_start;
  if (draft.game === "spuk") found.board = board.value();
  if (draft.markers && draft.game === "dice-flick") found.markers = draft.markers;
  return found;
}

function changedOptions() {
  const defaults = new Map(info().options.map((option) => [option.name, option.default]));
  return Object.fromEntries(
    Object.entries(draft.options).filter(([name, value]) => defaults.has(name) && JSON.stringify(value) !== JSON.stringify(defaults.get(name))),
  );
}

const route = routeEditor(setup, changed);
const board = boardEditor(changed);
const position = positionView((fields) => {
  if (fields.route) route.set(fields.route);
  if (fields.guards_start) draft.guards_start = fields.guards_start;
  changed();
});

function changed() {
  position.forget();
  render();
  validate();
}

function render() {
  if (!games.length) return;
  renderGames();
  showPlayers(info(), draft.players, changed);
  showSeats(info(), draft.players, changed);
  renderVariants();
  renderOptions();
  const random = draft.game.startsWith("verflixxt") && RANDOM.has(draft.variant ?? info().variants[0].value);
  byId("route-card").hidden = !random;
  if (random) route.render();
  byId("board-card").hidden = draft.game !== "spuk";
  if (draft.game === "spuk") board.render();
  const watched = info().watched;
  byId("position-card").hidden = !info().placed;
  position.render(desk);
  byId("start").disabled = !watched;
}

function renderGames() {
  show(byId("games"), [lang(), games, draft.game], () =>
    games.map((game) =>
      h(
        "button",
        { type: "button", class: "game-card", "aria-pressed": game.name === draft.game ? "true" : "false", onclick: () => chooseGame(game) },
        icon(MARKS[game.name] ?? "die"),
        h("strong", {}, title(game.name)),
        h("small", {}, game.watched ? playersRange(game) : t(OTHER_PAGES[game.name] ? "own_page" : "not_watched")),
      ),
    ),
  );
}

function chooseGame(game) {
  if (OTHER_PAGES[game.name] && !game.watched) {
    location.href = OTHER_PAGES[game.name];
    return;
  }
  draft.game = game.name;
  draft.variant = null;
  draft.guards_start = null;
  draft.options = {};
  fitPlayers();
  changed();
}

/** As many players as the game takes, each with a colour of the game. */
function fitPlayers() {
  const { players: range, colours } = info();
  draft.players.length = Math.min(draft.players.length, range[1]);
  while (draft.players.length < range[0]) draft.players.push({ name: "", colour: "", seat: "" });
  const taken = new Set();
  for (const player of draft.players) {
    if (!colours.includes(player.colour) || taken.has(player.colour)) player.colour = colours.find((colour) => !taken.has(colour)) ?? "";
    taken.add(player.colour);
  }
}

function renderVariants() {
  const game = info();
  const chosen = draft.variant ?? game.variants[0].value;
  show(byId("variants"), [lang(), game.name, chosen], () => [
    h("legend", { class: "sr-only" }, t("variant")),
    game.variants.map((variant) =>
      h(
        "label",
        { class: "choice-line" },
        h("input", {
          type: "radio", name: "variant", value: variant.value, checked: variant.value === chosen,
          onchange: () => {
            draft.variant = variant.value;
            draft.guards_start = null;
            changed();
          },
        }),
        words(variant),
      ),
    ),
  ]);
}

function renderOptions() {
  const game = info();
  const count = Object.keys(changedOptions()).length;
  byId("changed-rules").textContent = count ? t("changed_rules", { n: count }) : t("usual_rules");
  show(byId("options"), [lang(), game.name, draft.options], () => game.options.map(optionRow));
}

function optionRow(option) {
  const value = draft.options[option.name] ?? option.default;
  const set = (given) => {
    draft.options[option.name] = given;
    changed();
  };
  const yesNo = option.choices.length === 2 && option.choices.every((choice) => typeof choice.value === "boolean");
  if (yesNo) {
    return h(
      "label",
      { class: "choice-line" },
      h("input", { type: "checkbox", checked: value === true, onchange: (event) => set(event.currentTarget.checked) }),
      words(option),
    );
  }
  const id = `option-${option.name}`;
  const label = h("label", { for: id }, words(option));
  if (!option.choices.length) {
    const list = Array.isArray(option.default);
    const read = (text) => (list ? text.split(/[\s,;]+/).filter(Boolean).map(Number) : Number(text));
    const field = h("input", { id, inputmode: "numeric", value: list ? value.join(", ") : value, onchange: (event) => set(read(event.currentTarget.value)) });
    return h("div", { class: "field" }, label, field);
  }
  const choices = option.choices.map((choice) =>
    h("option", { value: JSON.stringify(choice.value), selected: choice.value === value }, words(choice)),
  );
  const select = h("select", { id, onchange: (event) => set(JSON.parse(event.currentTarget.value)) }, choices);
  return h("div", { class: "field" }, label, select);
}

let validation = 0;
async function validate() {
  const mine = ++validation;
  if (draft.game === "spuk" && !board.value()) {
    problem(t("board_missing"));
    return false;
  }
  try {
    await ask("/api/setup/check", { setup: setup() });
    if (mine === validation) problem("");
    return true;
  } catch (error) {
    if (mine === validation) problem(error.message);
    return false;
  }
}

function problem(text) {
  const note = byId("problem");
  note.hidden = !text;
  note.replaceChildren(icon("warn"), h("span", {}, text));
}

async function startGame() {
  const button = byId("start");
  button.disabled = true;
  try {
    await ask("/api/game/start", { setup: setup() });
    location.href = gamePage(draft.game);
  } catch (error) {
    problem(error.message);
    button.disabled = false;
  }
}

async function lookAtPosition() {
  if (document.visibilityState === "visible" && info()?.placed && desk.camera && byId("problem").hidden) {
    await position.look(setup());
  }
  setTimeout(lookAtPosition, position.right() ? 4000 : 1500);
}

let begun = false;
async function begin() {
  if (begun || !mayControl()) return;
  begun = true;
  const found = await ask("/api/setup");
  ({ games, desk } = found);
  const last = found.last;
  if (games.some((game) => game.name === last.game)) {
    Object.assign(draft, { game: last.game, variant: last.variant ?? null, options: { ...last.options } });
    draft.players = (last.players ?? []).map(({ name = "", colour = "", seat = "" }) => ({ name, colour, seat }));
    draft.guards_start = last.guards_start ?? null;
    route.set(last.route);
    board.set(last.board);
    draft.markers = last.markers ?? null;
  }
  fitPlayers();
  board.measured(desk.plane !== null);
  changed();
  lookAtPosition();
}

byId("start").addEventListener("click", startGame);
byId("look-again").addEventListener("click", () => position.look(setup()));
byId("add-player").addEventListener("click", () => {
  if (draft.players.length >= info().players[1]) return;
  draft.players.push({ name: "", colour: "", seat: "" });
  fitPlayers();
  changed();
  byId("players").querySelector("li:last-child input")?.focus();
});
watch(byId("live"), "/camera/raw.jpg", { gapMs: 400 });
await startPage({ onWords: render, onControl: begin });
