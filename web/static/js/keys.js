// The keyboard: one key for everything that is needed often; can be switched off.

import { byId, recall, remember } from "./dom.js";
import { t } from "./words.js";

let on = recall("keys") !== "off";

/** `actions`: key to function. Keys do nothing while somebody types or a dialog other than ours is open. */
export function setUpKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "?") {
      open();
      return;
    }
    if (!on || document.querySelector("dialog[open]")) return;
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  byId("keys").addEventListener("click", open);
  byId("keys-close").addEventListener("click", () => byId("keys-dialog").close());
  byId("keys-on").checked = on;
  byId("keys-on").addEventListener("change", (event) => {
    on = event.currentTarget.checked;
    remember("keys", on ? "on" : "off");
  });
}

function open() {
  byId("keys-dialog").showModal();
}

export const nameKeys = () => byId("keys").setAttribute("aria-label", t("keys"));
