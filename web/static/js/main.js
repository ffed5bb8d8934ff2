// The page: takes snapshots of the game and shows them.

import { announceQuestion, announceTurn, nameSwitches, setUpAnnouncements } from "./announce.js";
import { byId } from "./dom.js";
import { connect } from "./live.js";
import { showGame, showScores, showState, showToMove } from "./now.js";
import { watchPicture } from "./picture.js";
import { startPage } from "./shell.js";
import { setUpUndo, showBanner, showQuestion, showTurns } from "./turns.js";

let snapshot = null;
let calmUndo = () => {};

function render(fresh = false) {
  if (!snapshot) return;
  showGame(snapshot);
  showBanner(snapshot);
  showQuestion(snapshot);
  showState(snapshot);
  showToMove(snapshot);
  showScores(snapshot);
  showTurns(snapshot, fresh);
}

function take(newest) {
  const before = snapshot;
  snapshot = newest;
  const news = before ? newTurns(before.turns ?? [], newest.turns ?? []) : [];
  render(news.length > 0);
  news.forEach(announceTurn);
  if (before && newest.needs_you && !before.needs_you) announceQuestion(newest.needs_you);
}

/** Lines that were added; none after an undo, where the list has only become shorter. */
function newTurns(before, after) {
  return after.length > before.length ? after.slice(before.length) : [];
}

function onWords() {
  nameSwitches();
  calmUndo();
  render();
}

async function start() {
  await startPage({ onWords, onControl: render });
  setUpAnnouncements();
  calmUndo = setUpUndo();
  watchPicture();
  connect(take, (connected) => (byId("offline").hidden = connected));
}

start();
