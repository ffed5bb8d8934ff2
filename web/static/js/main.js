// The page: takes snapshots of the game and shows them.

import { announceQuestion, announceTurn, nameSwitches, setUpAnnouncements } from "./announce.js";
import { byId } from "./dom.js";
import { setUpDrawnBoard, showDrawnBoard } from "./drawn-board.js";
import { setUpEdit } from "./edit.js";
import { setUpHints, showHints } from "./hints.js";
import { setUpBanner, showBanner } from "./illegal.js";
import { nameKeys, setUpKeys } from "./keys.js";
import { connect } from "./live.js";
import { showGame, showScores, showState, showToMove } from "./now.js";
import { watchPicture } from "./picture.js";
import { showQuestion } from "./question.js";
import { startPage } from "./shell.js";
import { setUpUndo, showTurns } from "./turns.js";

let snapshot = null;
let calmUndo = () => {};
let nameBoard = () => {};

function render(fresh = false) {
  if (!snapshot) return;
  showGame(snapshot);
  showBanner(snapshot);
  showQuestion(snapshot, render);
  showDrawnBoard(snapshot);
  showHints(snapshot);
  showState(snapshot);
  showToMove(snapshot);
  showScores(snapshot);
  showTurns(snapshot, fresh);
}

function take(newest) {
  if (newest.flick) {
    location.replace("/flick/game"); // its board is no table
    return;
  }
  if (newest.qwixx) {
    location.replace("/qwixx"); // neither are its sheets
    return;
  }
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
  nameKeys();
  nameBoard();
  calmUndo();
  render();
}

const press = (selector) => () => document.querySelector(selector)?.click();

/** What the keys do; the digits answer the open question. */
function keys() {
  const digits = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [String(n), press(`#ask li:nth-child(${n}) .choice`)]));
  return {
    ...digits,
    0: press("#ask .nothing"),
    u: press("#undo:not([hidden])"),
    m: press("#sound"),
    s: press("#speech:not([hidden])"),
    b: press("#draw-board:not([hidden])"),
    h: press("#hint:not([hidden])"),
    t: press("#theme"),
    l: press("#language"),
  };
}

async function start() {
  await startPage({ onWords, onControl: render });
  setUpAnnouncements();
  calmUndo = setUpUndo();
  setUpEdit();
  setUpBanner(() => snapshot);
  nameBoard = setUpDrawnBoard(() => snapshot && showDrawnBoard(snapshot));
  setUpHints(() => snapshot);
  setUpKeys(keys());
  watchPicture();
  connect(take, (connected) => (byId("offline").hidden = connected));
}

start();
