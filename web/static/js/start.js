// The start page: go on with a game, begin one, look at old ones.

import { ask, tell } from "./api.js";
import { mayControl } from "./control.js";
import { byId, h, icon, show } from "./dom.js";
import { startPage } from "./shell.js";
import { gamePage, known, lang, plain, t } from "./words.js";

let desk = null;
let games = [];

const day = (iso) => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleDateString(lang() === "de" ? "de-DE" : "en-GB", { dateStyle: "medium" });
};
const gameName = (game) => (known(`game_${game}`) ? t(`game_${game}`) : game);

function render() {
  show(byId("games"), [lang(), games], () => games.map(line));
  byId("no-games").hidden = games.length > 0;
  if (!desk) return;
  const kept = desk.interrupted;
  byId("go-on").hidden = !desk.playing;
  byId("go-on").href = gamePage(desk.playing?.game);
  const again = desk.known && !desk.playing && mayControl();
  byId("again").hidden = !again;
  if (again) byId("again-words").textContent = t("play_again", { place: desk.known.place });
  byId("new-game").className = desk.playing || again ? "quiet big" : "strong big";
  byId("resume").hidden = !kept || Boolean(desk.playing) || !mayControl();
  byId("resume-what").hidden = byId("resume").hidden;
  if (kept) {
    const facts = { game: gameName(kept.game), players: kept.players.join(", "), turns: kept.turns, date: day(kept.begun) };
    byId("resume-what").textContent = t("resume_what", facts);
  }
}

function line(game) {
  const facts = [t("game_line", game), game.winners ? t("winners_line", { names: game.winners.join(t("and")) }) : ""];
  return h(
    "li",
    {},
    h(
      "a",
      { href: `/report?game=${game.number}` },
      h("strong", {}, `${gameName(game.game)} · ${game.players.join(", ")}`),
      h("small", {}, day(game.begun)),
      h("small", {}, facts.filter(Boolean).join(" · ")),
      h("span", { class: "row" }, Object.values(game.scores).map((points) => h("b", {}, plain(points))), icon("next")),
    ),
  );
}

async function look() {
  try {
    [desk, { games }] = await Promise.all([ask("/api/desk"), ask("/api/games")]);
  } catch {
    return;
  }
  render();
}

/** Only this computer may let others in, and only its screen shows the code. */
async function offerWatching() {
  const { code } = await ask("/api/access");
  byId("watch-card").hidden = !code;
  byId("watch-code").textContent = code ?? "";
}

byId("watch").addEventListener("click", async () => {
  const home = await tell("/api/home", {});
  if (!home) return;
  byId("watch-address").textContent = home.address;
  byId("watch-qr").src = URL.createObjectURL(new Blob([home.code], { type: "image/svg+xml" }));
  byId("watch-open").hidden = false;
  byId("watch").hidden = true;
});
byId("again").addEventListener("click", async () => {
  byId("again").disabled = true;
  const found = await tell("/api/table/again", {});
  if (found) location.href = found.next;
  else byId("again").disabled = false;
});
byId("resume").addEventListener("click", async () => {
  if (await tell("/api/resume", {})) location.href = "/game";
});
await startPage({ onWords: render, onControl: render });
await Promise.all([look(), offerWatching()]);
