// Asking and telling the server, with the code where one was given, and its sentence where something goes wrong.

import { codeHeader, toast } from "./control.js";
import { say, t } from "./words.js";

export class Refused extends Error {
  constructor(status, text) {
    super(say(text));
    this.status = status;
    this.text = text;
  }
}

/** The answer's JSON (null for 204). Throws Refused with the server's sentence. */
export async function ask(address, body) {
  const answer = await fetched(address, body);
  return answer.status === 204 ? null : answer.json();
}

/** The answer's picture as a blob, null for 204, and its headers. */
export async function askPicture(address, body) {
  const answer = await fetched(address, body);
  return answer.status === 204 ? null : { blob: await answer.blob(), headers: answer.headers };
}

/** Like ask, but a fault becomes a toast and null. */
export async function tell(address, body) {
  try {
    return await ask(address, body);
  } catch (error) {
    toast(error.message);
    return null;
  }
}

async function fetched(address, body) {
  const wanted = { headers: { ...codeHeader() } };
  if (body !== undefined) {
    wanted.method = "POST";
    wanted.headers["Content-Type"] = "application/json";
    wanted.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(address, wanted);
  } catch {
    throw new Refused(0, t("offline"));
  }
  if (answer.ok) return answer;
  let text = null;
  try {
    text = (await answer.json()).error;
  } catch {
    // Not our JSON: something between us and the server.
  }
  throw new Refused(answer.status, text ?? t("offline"));
}

/** Shows a live picture in `image`, one after the other; `address` gets `after=N`. Returns a function that stops it. */
export function watch(image, address, { gapMs = 150, onPicture = () => {} } = {}) {
  let shown = 0;
  let url = "";
  let stopped = false;
  async function next() {
    if (stopped) return;
    let wait = 600;
    if (document.visibilityState === "visible") {
      try {
        const got = await askPicture(`${address}?after=${shown}`);
        if (got && !stopped) {
          shown = Number(got.headers.get("X-Picture"));
          const old = url;
          url = URL.createObjectURL(got.blob);
          image.src = url;
          await image.decode().catch(() => {});
          if (old) URL.revokeObjectURL(old);
          image.hidden = false;
          onPicture(got);
          wait = gapMs;
        }
      } catch {
        wait = 2000;
      }
    }
    setTimeout(next, wait);
  }
  next();
  return () => {
    stopped = true;
  };
}
