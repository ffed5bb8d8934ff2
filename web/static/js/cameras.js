// Choosing a camera: what is plugged in (looked for again and again), a phone, a network stream, a recording.

import { ask, askPicture, tell, watch } from "./api.js";
import { mayControl } from "./control.js";
import { byId, h, icon, show } from "./dom.js";
import { startPage } from "./shell.js";
import { lang, t } from "./words.js";

const LOOK_AGAIN_MS = 3000;
const PREVIEW_MS = 7000;
const MARKS = { camera: "camera", video: "film", phone: "phone", stream: "network" };

let list = { cameras: [], chosen: null };
let desk = {};
const previews = new Map();

function render() {
  const real = list.cameras.filter((camera) => camera.kind !== "video");
  show(byId("cameras"), [lang(), real, list.chosen], () => real.map(card));
  const videos = list.cameras.filter((camera) => camera.kind === "video");
  show(byId("videos"), [lang(), videos, list.chosen], () => videos.map(card));
  byId("no-cameras").hidden = real.some((camera) => camera.kind === "camera");
  const camera = desk.camera;
  byId("next").hidden = !camera?.size;
  byId("nothing").hidden = Boolean(camera?.size);
  byId("live").hidden = !camera?.size;
  byId("picked").hidden = !camera;
  if (!camera) return;
  show(byId("picked"), [lang(), camera], () => [
    icon(MARKS[camera.kind]),
    h("strong", {}, name(camera)),
    camera.size ? h("span", { class: "quietly" }, `${camera.size[0]} × ${camera.size[1]}`) : null,
    h("span", { class: camera.connected ? "tag" : "tag illegal" }, icon(camera.connected ? "check" : "lost"), t(camera.connected ? "delivers" : "silent")),
  ]);
}

export function name(camera) {
  if (camera.kind === "phone") return t("a_phone_as_camera");
  if (camera.id === "video-demo") return t("demo_video");
  return camera.kind === "camera" && /^\d+$/.test(camera.name) ? t("camera_number", { n: camera.name }) : camera.name;
}

function card(camera) {
  const chosen = camera.id === list.chosen;
  const picture = h("span", { class: "thumb" }, icon(MARKS[camera.kind]));
  const kept = previews.get(camera.id);
  if (kept) picture.replaceChildren(h("img", { src: kept, alt: "" }));
  const button = h(
    "button",
    { type: "button", class: "pick", "aria-pressed": chosen ? "true" : "false", onclick: () => choose(camera, button) },
    picture,
    h("span", { class: "words" }, h("strong", {}, name(camera)), h("small", {}, t(`kind_${camera.kind}`))),
  );
  button.dataset.camera = camera.id;
  return h("li", {}, button);
}

async function choose(camera, button) {
  button.setAttribute("aria-busy", "true");
  try {
    if (camera.kind === "phone") await invitePhone();
    else desk = await ask("/api/camera", { id: camera.id });
    problem("");
  } catch (error) {
    problem(error.message);
  }
  button.removeAttribute("aria-busy");
  await look();
}

function problem(words) {
  const note = byId("problem");
  note.hidden = !words;
  note.replaceChildren(icon("warn"), words);
}

async function invitePhone() {
  const invited = await ask("/api/phone", { here: location.protocol === "http:" && new URLSearchParams(location.search).has("here") });
  const code = new Blob([invited.code], { type: "image/svg+xml" });
  byId("qr").src = URL.createObjectURL(code);
  byId("phone-address").textContent = invited.address;
  byId("phone-dialog").showModal();
}

async function look() {
  if (!mayControl()) return;
  try {
    [list, desk] = await Promise.all([ask("/api/cameras"), ask("/api/desk")]);
  } catch {
    return;
  }
  render();
  const phone = desk.camera?.kind === "phone" && desk.camera.connected;
  byId("phone-state").textContent = t(phone ? "phone_there" : "phone_waits");
  byId("phone-state").className = phone ? "arrived" : "";
}

async function lookAgain() {
  if (document.visibilityState === "visible") await look();
  setTimeout(lookAgain, LOOK_AGAIN_MS);
}

async function refreshPreviews() {
  for (const camera of list.cameras) {
    if (camera.kind === "phone" || (camera.kind === "video" && previews.has(camera.id))) continue;
    if (document.visibilityState !== "visible") break;
    try {
      const got = await askPicture(`/api/cameras/${camera.id}/preview`, {});
      if (!got) continue;
      const old = previews.get(camera.id);
      previews.set(camera.id, URL.createObjectURL(got.blob));
      const thumb = document.querySelector(`[data-camera="${camera.id}"] .thumb`);
      thumb?.replaceChildren(h("img", { src: previews.get(camera.id), alt: "" }));
      if (old) URL.revokeObjectURL(old);
    } catch {
      // Unplugged meanwhile: the next look at the list takes it away.
    }
  }
  setTimeout(refreshPreviews, PREVIEW_MS);
}

let begun = false;
async function begin() {
  if (begun || !mayControl()) return;
  begun = true;
  await lookAgain();
  refreshPreviews();
}

byId("phone-close").addEventListener("click", () => byId("phone-dialog").close());
byId("stream-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const found = await tell("/api/camera", { stream: byId("stream").value });
  if (found) desk = found;
  look();
});
watch(byId("live"), "/camera/raw.jpg", { gapMs: 250, onPicture: () => render() });
await startPage({ onWords: render, onControl: begin });
