// The two languages of the page.

import { byId, h, recall, remember } from "./dom.js";

let texts = {};
let language = document.documentElement.lang === "de" ? "de" : "en";

export async function loadWords() {
  const answer = await fetch("/static/texts.json");
  texts = await answer.json();
  const chosen = recall("language");
  if (chosen in texts) language = chosen;
  apply();
}

export const lang = () => language;

/** The words for `key`, with `{name}` replaced from `facts`. */
export function t(key, facts = {}) {
  const words = texts[language]?.[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}

/** Whether there are words for `key`. */
export const known = (key) => key in (texts[language] ?? {});

/** A text of the referee: `{de, en}`, or a plain string. */
export function say(text) {
  if (text == null) return "";
  return typeof text === "string" ? text : (text[language] ?? text.en ?? "");
}

export function switchLanguage() {
  language = language === "de" ? "en" : "de";
  remember("language", language);
  apply();
}

/** Numbers with a real minus sign. */
export const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);
export const plain = (n) => (n < 0 ? `−${-n}` : `${n}`);

function apply() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  const other = byId("language");
  const code = t("other_language_code");
  other.replaceChildren(h("span", { class: "long" }, t("other_language")), h("span", { class: "short" }, code.toUpperCase()));
  other.setAttribute("aria-label", `${code.toUpperCase()} – ${t("other_language")}`);
  other.lang = code;
  byId("frame").alt = t("picture");
}
