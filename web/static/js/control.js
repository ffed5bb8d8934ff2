// Commands to the referee. Other computers than the referee's own need the code from its console.

import { byId } from "./dom.js";
import { say, t } from "./words.js";

let allowed = false;
let code = "";
let onChange = () => {};

export const mayControl = () => allowed;

export function setUpControl(changed) {
  onChange = changed;
  try {
    code = sessionStorage.getItem("schiri-code") ?? "";
  } catch {
    code = "";
  }
  const dialog = byId("code-dialog");
  byId("control").addEventListener("click", () => {
    byId("code-problem").textContent = "";
    dialog.showModal();
  });
  byId("code-cancel").addEventListener("click", () => dialog.close());
  byId("code-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    code = byId("code").value.trim();
    const problem = await check();
    if (allowed) dialog.close();
    else byId("code-problem").textContent = problem;
  });
  check();
}

/** Send a command; true when the referee has taken it into its queue. */
export async function command(wanted) {
  try {
    const answer = await fetch("/api/command", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...codeHeader() },
      body: JSON.stringify(wanted),
    });
    if (answer.ok) return true;
    toast(say((await answer.json()).error));
  } catch {
    toast(t("offline"));
  }
  return false;
}

let hiding = 0;

export function toast(words) {
  const element = byId("toast");
  element.textContent = words;
  element.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (element.hidden = true), 5000);
}

export const codeHeader = () => (code ? { "X-Schiri-Code": code } : {});

async function check() {
  try {
    const answer = await fetch("/api/access", { headers: codeHeader() });
    const { control, problem } = await answer.json();
    allowed = control;
    if (allowed && code) sessionStorage.setItem("schiri-code", code);
    byId("control").hidden = allowed;
    onChange();
    return say(problem);
  } catch {
    return t("offline");
  }
}
