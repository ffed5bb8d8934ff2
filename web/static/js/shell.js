// What every page has: words, language, colours, control by code.

import { mayControl, setUpControl } from "./control.js";
import { byId, icon, remember } from "./dom.js";
import { loadWords, switchLanguage, t } from "./words.js";

/**
 * Start a page: loads the words, wires the header, then calls `onWords()`, again after every change of language, and
 * `onControl()` whenever it becomes known whether this viewer may control (ask `mayControl()` of control.js).
 */
export async function startPage({ onWords = () => {}, onControl = () => {} } = {}) {
  await loadWords();
  nameTheme();
  byId("theme").addEventListener("click", switchTheme);
  byId("language").addEventListener("click", () => {
    switchLanguage();
    nameTheme();
    onWords();
  });
  onWords();
  setUpControl(() => {
    const missing = byId("needs-code");
    if (missing) missing.hidden = mayControl();
    onControl();
  });
}

function nameTheme() {
  const dark = document.documentElement.dataset.theme === "dark";
  const button = byId("theme");
  button.replaceChildren(icon(dark ? "sun" : "moon"));
  button.setAttribute("aria-label", t(dark ? "light" : "dark"));
  button.title = t(dark ? "light" : "dark");
}

function switchTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  remember("theme", root.dataset.theme);
  nameTheme();
}
