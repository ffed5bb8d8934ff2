// The two languages of the page.

import { byId, h, recall, remember } from "./dom.js";

let texts = {};
let language = document.documentElement.lang === "de" ? "de" : "en";

export async function loadWords() {
  const files = document.documentElement.dataset.texts.split(" ");
  const parts = await Promise.all(files.map(async (name) => (await fetch(`/static/${name}`)).json()));
  for (const part of parts) {
    for (const [name, words] of Object.entries(part)) texts[name] = { ...texts[name], ...words };
  }
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
  document.cookie = `schiri-language=${language}; path=/; max-age=31536000; samesite=strict`;
  apply();
}

/** Where a game is watched: the referee's page, unless the game has one of its own. */
export const gamePage = (game) => ({ "dice-flick": "/flick/game", "qwixx-express": "/qwixx" })[game] ?? "/game";

/** Numbers with a real minus sign. */
export const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);
export const plain = (n) => (n < 0 ? `−${-n}` : `${n}`);

const ATTRIBUTES = { tLabel: "aria-label", tTitle: "title", tPlaceholder: "placeholder", tAlt: "alt" };

function apply() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const [name, attribute] of Object.entries(ATTRIBUTES)) {
    const marked = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const element of document.querySelectorAll(`[data-${marked}]`)) {
      element.setAttribute(attribute, t(element.dataset[name]));
    }
  }
  const title = document.querySelector("title");
  if (title.dataset.tTitleOf) title.textContent = `${t(title.dataset.tTitleOf)} · ${t("title")}`;
  const other = byId("language");
  if (!other) return;
  const code = t("other_language_code");
  other.replaceChildren(h("span", { class: "long" }, t("other_language")), h("span", { class: "short" }, code.toUpperCase()));
  other.setAttribute("aria-label", `${code.toUpperCase()} – ${t("other_language")}`);
  other.lang = code;
}
