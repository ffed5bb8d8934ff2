// Sound and speech: off until somebody switches them on, and only for what is new.

import { byId, icon, recall, remember } from "./dom.js";
import { lang, say, t } from "./words.js";

const on = { sound: recall("sound") === "on", speech: recall("speech") === "on" };
let audio = null;
/** Kinds that this browser could not play: no loudspeaker, no voice, not allowed. The page goes on without. */
const silent = new Set();

export function setUpAnnouncements() {
  for (const kind of ["sound", "speech"]) {
    const button = byId(kind);
    if (kind === "speech" && !("speechSynthesis" in window)) button.hidden = true;
    button.addEventListener("click", () => {
      on[kind] = !on[kind];
      remember(kind, on[kind] ? "on" : "off");
      nameSwitches();
      silent.delete(kind);
      if (on[kind] && kind === "sound") beep([[660, 0.12]]);
      if (on[kind] && kind === "speech") speak(t("speech_on"));
      if (!on.speech) attempt("speech", () => window.speechSynthesis?.cancel());
    });
  }
  nameSwitches();
}

export function nameSwitches() {
  for (const kind of ["sound", "speech"]) {
    const button = byId(kind);
    button.replaceChildren(icon(on[kind] ? kind : `${kind}-off`));
    button.setAttribute("aria-pressed", on[kind] ? "true" : "false");
    button.setAttribute("aria-label", t(kind));
    const mute = on[kind] && silent.has(kind);
    button.toggleAttribute("data-silent", mute);
    button.title = `${t(kind)}: ${mute ? `${t("no_audio")} ` : ""}${t(on[kind] ? "switch_off" : "switch_on")}`;
    if (mute) button.setAttribute("aria-label", `${t(kind)}: ${t("no_audio")}`);
  }
}

/** A new line of the record that people should hear about. */
export function announceTurn(turn) {
  byId("announce").textContent = [say(turn.text), ...faults(turn)].join(" ");
  const wrong = turn.type === "turn" && turn.legal === false;
  if (on.sound) beep(wrong ? [[392, 0.22], [262, 0.45]] : [[784, 0.08]]);
  if (on.speech) speak(wrong ? [t("say_illegal"), ...faults(turn)].join(" ") : say(turn.text));
}

export function announceQuestion(question) {
  byId("announce").textContent = `${t("say_needs")} ${say(question.why)}`;
  if (on.sound) beep([[523, 0.12], [659, 0.18]]);
  if (on.speech) speak(t("say_needs"));
}

const faults = (turn) => (turn.violations ?? []).map((violation) => say(violation.text));

/** Do something that a browser without sound cannot; what is said and shown never waits for it. */
function attempt(kind, work) {
  const failed = () => {
    silent.add(kind);
    nameSwitches();
  };
  try {
    Promise.resolve(work()).catch(failed);
  } catch {
    failed();
  }
}

function speak(words) {
  attempt("speech", () => {
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.lang = lang() === "de" ? "de-DE" : "en-GB";
    speechSynthesis.cancel();
    speechSynthesis.speak(utterance);
  });
}

function beep(tones) {
  attempt("sound", () => {
    audio ??= new AudioContext();
    play(tones);
    return audio.resume();
  });
}

function play(tones) {
  let start = audio.currentTime + 0.02;
  for (const [hertz, seconds] of tones) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.35, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds);
    start += seconds;
  }
}
