// Dice Flick: a photo goes up, the board comes back; a tap corrects a hole and the score follows.

import { codeHeader } from "./control.js";
import { ask } from "./api.js";
import { byId, h, icon, recall, remember } from "./dom.js";
import { boardGrid, overlay } from "./flick-board.js";
import { setUpHoleDialog } from "./flick-edit.js";
import { startPage } from "./shell.js";
import { lang, say, t } from "./words.js";

let reading = null;
let counted = null;
let photoUrl = "";
let problem = null;

const keptMarkers = () => {
  try {
    return JSON.parse(recall("flick-markers") ?? "null");
  } catch {
    return null;
  }
};

async function read(send) {
  problem = null;
  byId("problem").hidden = true;
  byId("busy").hidden = false;
  byId("take").inert = true;
  try {
    const kept = keptMarkers();
    const query = kept ? `?markers=${encodeURIComponent(JSON.stringify(kept))}` : "";
    const answer = await send(query);
    const body = await answer.json();
    if (!answer.ok) throw body.error ?? { de: t("offline"), en: t("offline") };
    reading = body;
    counted = body.counted;
    byId("claim").value = "";
    byId("verdict").textContent = "";
  } catch (fault) {
    problem = fault instanceof Error ? { de: t("offline"), en: t("offline") } : fault;
    reading = null;
  }
  byId("busy").hidden = true;
  byId("take").inert = false;
  render();
  (problem ? byId("problem") : byId("result")).scrollIntoView({ behavior: "smooth", block: "start" });
}

function readFile(file) {
  if (!file) return;
  if (photoUrl) URL.revokeObjectURL(photoUrl);
  photoUrl = URL.createObjectURL(file);
  read((query) => fetch(`/api/flick/photo${query}`, { method: "POST", body: file, headers: codeHeader() }));
}

async function readCamera() {
  const frame = await fetch("/camera/frame.jpg");
  if (frame.status === 200) {
    if (photoUrl) URL.revokeObjectURL(photoUrl);
    photoUrl = URL.createObjectURL(await frame.blob());
  }
  read((query) => fetch(`/api/flick/camera${query}`, { method: "POST", headers: codeHeader() }));
}

function render() {
  byId("problem").hidden = !problem;
  if (problem) byId("problem").textContent = say(problem);
  byId("result").hidden = !reading;
  showKept();
  if (!reading) return;
  byId("points").textContent = counted.best_score;
  byId("points-unit").textContent = t(counted.best_score === 1 ? "flick_point_unit" : "flick_points_unit");
  byId("sums").replaceChildren(
    ...counted.groups.map((group, k) =>
      h("li", {}, h("i", { class: `swatch g-${group.colour ?? group.kind}` }), say(counted.sums[k])),
    ),
    ...(counted.groups.length ? [] : [h("li", {}, t("flick_nothing"))]),
  );
  byId("back").textContent = counted.returned.length ? t("flick_back", { dice: counted.back[lang()] }) : "";
  byId("warnings").replaceChildren(
    ...reading.warned.map((text) => h("p", { class: "note is-warn" }, icon("warn"), h("span", {}, say(text)))),
  );
  showVerdict();
  byId("grid").replaceChildren(...boardGrid(reading, counted, edit));
  byId("shown").replaceChildren(overlay(reading, counted, photoUrl, edit));
}

function showVerdict() {
  const claim = counted.claim;
  byId("verdict").textContent = claim ? say(claim.text) : "";
  byId("verdict").className = claim ? (claim.right ? "is-right" : "is-wrong") : "";
}

async function count() {
  const claimed = byId("claim").value === "" ? null : Number(byId("claim").value);
  try {
    counted = await ask("/api/flick/score", { holes: reading.holes.map(bare), markers: reading.markers, claimed });
    problem = null;
  } catch (fault) {
    problem = fault.text ?? fault.message;
  }
  render();
}

const bare = ({ row, col, content, colour, value, marker }) => ({ row, col, content, colour, value, marker });

// Correcting a hole.

const edit = setUpHoleDialog((hole, changed) => {
  const at = reading.holes.findIndex(({ row, col }) => row === hole.row && col === hole.col);
  reading.holes[at] = changed;
  const gone = reading.warnings.map((w) => w.row === hole.row && w.col === hole.col);
  reading.warnings = reading.warnings.filter((_, k) => !gone[k]);
  reading.warned = reading.warned.filter((_, k) => !gone[k]);
  if (changed.content !== "die") setSticker(hole.row, hole.col, changed.marker ?? null);
  count();
});

/** A hole without a die shows its sticker: what is set there is what the board has. */
function setSticker(row, col, kind) {
  for (const [name, cells] of Object.entries(reading.markers)) {
    reading.markers[name] = cells.filter(([r, c]) => r !== row || c !== col);
    if (!reading.markers[name].length) delete reading.markers[name];
  }
  if (kind) (reading.markers[kind] ??= []).push([row, col]);
  if (kind === "centre") reading.markers.centre = [[row, col]];
}

// Stickers of this copy.

function showKept() {
  const kept = keptMarkers();
  byId("forget").hidden = !kept;
  const names = Object.entries(kept ?? {}).flatMap(([name, cells]) => cells.map(([r, c]) => `${t(`flick_${name}`)} ${r}/${c}`));
  byId("kept").textContent = kept ? t("flick_kept", { what: names.join(", ") }) : t("flick_none_kept");
}

byId("photo").addEventListener("change", (event) => {
  readFile(event.target.files[0]);
  event.target.value = "";
});
byId("from-camera").addEventListener("click", readCamera);
byId("claim-form").addEventListener("submit", (event) => {
  event.preventDefault();
  count();
});
byId("keep").addEventListener("click", () => {
  remember("flick-markers", JSON.stringify(reading.markers));
  showKept();
});
byId("forget").addEventListener("click", () => {
  remember("flick-markers", "null");
  showKept();
});
byId("rounds-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = [1, 2, 3, 4].map((n) => byId(`name-${n}`).value.trim()).filter(Boolean);
  byId("start-problem").hidden = true;
  try {
    await ask("/api/flick/start", { players, markers: keptMarkers() });
    remember("flick-players", JSON.stringify(players));
    location.href = "/flick/game";
  } catch (fault) {
    byId("start-problem").textContent = fault.message;
    byId("start-problem").hidden = false;
  }
});
for (const [k, name] of JSON.parse(recall("flick-players") ?? "[]").entries()) byId(`name-${k + 1}`).value = name;
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  readFile(event.dataTransfer.files[0]);
});
document.addEventListener("paste", (event) => readFile(event.clipboardData.files[0]));
await startPage({ onWords: render });
