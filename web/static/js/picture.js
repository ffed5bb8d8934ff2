// The live picture: the next one is asked for when the last has arrived, so a slow viewer only slows itself.

import { byId } from "./dom.js";

const GAP_MS = 120;
const IDLE_MS = 500;

export function watchPicture() {
  const frame = byId("frame");
  let shown = 0;
  let address = "";

  async function next() {
    let wait = IDLE_MS;
    if (document.visibilityState === "visible") {
      try {
        const answer = await fetch(`/camera/frame.jpg?after=${shown}`);
        if (answer.status === 200) {
          shown = Number(answer.headers.get("X-Picture"));
          await put(await answer.blob());
          wait = GAP_MS;
        }
      } catch {
        wait = 4 * IDLE_MS;
      }
    }
    setTimeout(next, wait);
  }

  async function put(blob) {
    const old = address;
    address = URL.createObjectURL(blob);
    frame.src = address;
    try {
      await frame.decode();
    } catch {
      return;
    } finally {
      if (old) URL.revokeObjectURL(old);
    }
    frame.hidden = false;
    byId("no-picture").hidden = true;
  }

  next();
}
