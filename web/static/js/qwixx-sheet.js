// Teaching a score sheet: a photo, its four corners, then a few spots on the flat picture; checked before it is kept.

import { codeHeader } from "./control.js";
import { makeCorners } from "./corners.js";
import { byId } from "./dom.js";
import { startPage } from "./shell.js";
import { svg } from "./svg.js";
import { say, t } from "./words.js";

const SPOTS = [
  "red_first", "red_size", "red_last", "red_lock", "yellow_first", "green_first", "blue_first", "misthrow_first",
  "misthrow_last",
];

/** What is done now: "photo", "corners", "spots", "check" or "kept". */
let step = "photo";
let photo = null;
let spots = [];
let flat = "";
let problem = null;

const corners = makeCorners(byId("drawn"), byId("live"), byId("loupe"), () => {});

function render() {
  byId("problem").hidden = !problem;
  if (problem) byId("problem").textContent = say(problem);
  byId("work").hidden = step === "photo";
  byId("flatten").hidden = step !== "corners";
  byId("back").hidden = step !== "spots" || !spots.length;
  byId("segments-part").hidden = step !== "spots" && step !== "check";
  byId("keep").hidden = step !== "check";
  byId("again").hidden = step !== "check";
  const words = { corners: "teach_corners", spots: `teach_${SPOTS[spots.length]}`, check: "teach_check", kept: "teach_kept" };
  byId("what").textContent = step in words ? t(words[step]) : "";
  const unit = byId("live").naturalWidth / 200;
  corners.draw(
    step === "spots" ? spots.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 1.2 * unit, class: "spot" })) : [],
    step === "corners",
  );
}

/** Shows a picture; resolves when it is there. */
function shown(address) {
  const image = byId("live");
  return new Promise((done) => {
    image.onload = () => {
      byId("drawn").setAttribute("viewBox", `0 0 ${image.naturalWidth} ${image.naturalHeight}`);
      corners.within([image.naturalWidth, image.naturalHeight]);
      image.hidden = false;
      done();
    };
    image.src = address;
  });
}

async function begin(file) {
  if (!file) return;
  photo = file;
  problem = null;
  await shown(URL.createObjectURL(file));
  const { naturalWidth: w, naturalHeight: h } = byId("live");
  corners.set([[0.15, 0.2], [0.85, 0.2], [0.85, 0.8], [0.15, 0.8]].map(([x, y]) => [x * w, y * h]));
  step = "corners";
  render();
}

/** The server's answer to the photo with what was tapped; null where it refuses, with its sentence shown. */
async function sent(address, more) {
  problem = null;
  const query = new URLSearchParams({ corners: JSON.stringify(corners.get()), ...more });
  try {
    const answer = await fetch(`${address}?${query}`, { method: "POST", body: photo, headers: codeHeader() });
    if (answer.ok) return answer;
    problem = (await answer.json()).error;
  } catch {
    problem = { de: t("offline"), en: t("offline") };
  }
  return null;
}

async function flatten() {
  const answer = await sent("/api/qwixx/sheet/flat", {});
  if (answer) {
    flat = URL.createObjectURL(await answer.blob());
    await spotsAnew();
  }
  render();
}

async function spotsAnew() {
  await shown(flat);
  spots = [];
  step = "spots";
}

async function teach(keep) {
  const answer = await sent("/api/qwixx/sheet", {
    clicks: JSON.stringify(spots), segments: byId("segments").value, keep: keep ? "1" : "0",
  });
  if (answer) {
    await shown(`data:image/jpeg;base64,${(await answer.json()).picture}`);
    step = keep ? "kept" : "check";
  } else await spotsAnew();
  render();
}

function tapped(event) {
  if (step !== "spots" || spots.length === SPOTS.length) return;
  const drawing = byId("drawn");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  spots.push([at.x, at.y]);
  if (spots.length === SPOTS.length) teach(false);
  else render();
}

async function lookUp() {
  const answer = await fetch("/api/qwixx/sheet");
  byId("known").hidden = !answer.ok || !(await answer.json()).known;
}

byId("photo").addEventListener("change", (event) => begin(event.target.files[0]));
byId("flatten").addEventListener("click", flatten);
byId("drawn").addEventListener("click", tapped);
byId("back").addEventListener("click", () => {
  spots.pop();
  render();
});
byId("again").addEventListener("click", async () => {
  await spotsAnew();
  render();
});
byId("keep").addEventListener("click", async () => {
  await teach(true);
  lookUp();
});
byId("forget").addEventListener("click", async () => {
  await fetch("/api/qwixx/sheet", { method: "DELETE", headers: codeHeader() });
  lookUp();
});

await startPage({ onWords: render });
lookUp();
