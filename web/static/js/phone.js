// This phone as camera: pictures go to the referee one after the other, as fast as they arrive, ten a second at most.

import { byId, icon } from "./dom.js";
import { startPage } from "./shell.js";
import { say, t } from "./words.js";

const GAP_MS = 110;
const LONGEST_PX = 1920;
const QUALITY = 0.85;
const RETRY_MS = [500, 1000, 2000, 4000];

const key = location.hash.slice(1);
const video = byId("video");
const canvas = document.createElement("canvas");
let facing = "environment";
let stream = null;
let lock = null;
let running = false;
let failures = 0;
let times = [];
let told = ["", {}, ""];

function tell(name, facts = {}, kind = "") {
  told = [name, facts, kind];
  const note = byId("state");
  note.className = `note ${kind}`;
  note.replaceChildren(icon({ "is-good": "check", "is-bad": "warn", "is-warn": "warn" }[kind] ?? "phone"), typeof facts === "string" ? facts : t(name, facts));
}

async function open() {
  if (!navigator.mediaDevices?.getUserMedia) {
    tell("phone_insecure", {}, "is-bad");
    return false;
  }
  stream?.getTracks().forEach((track) => track.stop());
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: facing }, width: { ideal: 1920 }, height: { ideal: 1080 } },
    });
  } catch (error) {
    tell(error.name === "NotAllowedError" ? "phone_denied" : "phone_no_camera", {}, "is-bad");
    return false;
  }
  // A phone call or another app takes the camera away: get it back as soon as that is possible.
  stream.getVideoTracks()[0].addEventListener("ended", () => running && setTimeout(open, 1000));
  video.srcObject = stream;
  await video.play().catch(() => {});
  return true;
}

async function stayAwake() {
  try {
    lock = await navigator.wakeLock?.request("screen");
  } catch {
    lock = null; // battery saver: the tip below the picture says what to do
  }
}

async function start() {
  if (running) return;
  if (!(await open())) return;
  running = true;
  byId("start").hidden = true;
  byId("turn").hidden = false;
  stayAwake();
  send();
}

async function send() {
  const began = performance.now();
  let wait = GAP_MS;
  try {
    const picture = await shot();
    if (picture) wait = await post(picture);
  } catch {
    wait = failed("phone_lost_server");
  }
  setTimeout(send, Math.max(0, wait - (performance.now() - began)));
}

async function post(picture) {
  const answer = await fetch("/phone/picture", {
    method: "POST",
    headers: { "X-Schiri-Phone": key, "Content-Type": "image/jpeg" },
    body: picture,
  });
  if (answer.ok) {
    failures = 0;
    const now = performance.now();
    times = [...times.filter((time) => now - time < 3000), now];
    tell("phone_sends", { n: Math.max(1, Math.round(times.length / 3)) }, "is-good");
    return GAP_MS;
  }
  const { error } = await answer.json();
  tell("", say(error), answer.status === 409 ? "is-warn" : "is-bad");
  return 2000;
}

function failed(name) {
  tell(name, {}, "is-warn");
  failures += 1;
  return RETRY_MS[Math.min(failures, RETRY_MS.length) - 1];
}

function shot() {
  const { videoWidth, videoHeight } = video;
  if (!videoWidth || document.visibilityState !== "visible") return null;
  const scale = Math.min(1, LONGEST_PX / Math.max(videoWidth, videoHeight));
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible" || !running) return;
  stayAwake();
  if (stream?.getVideoTracks()[0]?.readyState === "ended") open();
});
byId("start").addEventListener("click", start);
byId("turn").addEventListener("click", () => {
  facing = facing === "environment" ? "user" : "environment";
  open();
});

await startPage({ onWords: () => told[0] && tell(...told) });
if (!key) tell("phone_no_key", {}, "is-bad");
else {
  tell("phone_ready");
  // Permission that was given before needs no second tap.
  const permission = await navigator.permissions?.query({ name: "camera" }).catch(() => null);
  if (permission?.state === "granted") start();
}
