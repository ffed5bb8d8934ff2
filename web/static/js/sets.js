// What Schiri knows about this set: seen, put right, removed, passed on; symbols taught by a tap on the picture.

import { ask, askPicture, tell, watch } from "./api.js";
import { codeHeader, mayControl, toast } from "./control.js";
import { byId, h, show } from "./dom.js";
import { startPage } from "./shell.js";
import { svg } from "./svg.js";
import { refreshTuning, renderTuning } from "./tuning.js";
import { lang, say, t } from "./words.js";

const KINDS = ["tile", "die", "action_die", "worm", "piece"];
const TAUGHT = ["action_die", "worm", "die", "tile"];

let state = null;
let dice = [];
let size = [1280, 720];
let aim = null;
let opened = null;

const nameOf = (kind, label) => {
  if (kind === "tile") return label === "luck" ? t("luck") : label.replace("-", "−");
  return kind === "die" ? t("sets_face", { n: label }) : t(`sets_${label}`);
};
const current = () => state.sets.find((one) => one.id === state.current);

function render() {
  if (!state) return;
  show(byId("which"), [lang(), state.sets, state.current], () =>
    state.sets.map((one) => h("option", { value: one.id, selected: one.id === state.current }, one.name)));
  show(byId("kind"), [lang()], () => TAUGHT.map((kind) => h("option", { value: kind }, t(`sets_kind_${kind}`))));
  renderLabels();
  show(byId("exemplars"), [lang(), state.exemplars], sections);
  renderMarks();
  renderTuning();
}

function renderLabels() {
  const kind = byId("kind").value;
  show(byId("label"), [lang(), kind], () => state.labels[kind].map((label) => h("option", { value: label }, nameOf(kind, label))));
}

function sections() {
  if (!state.exemplars.length) return [h("p", { class: "note" }, t("sets_nothing"))];
  const disputed = state.exemplars.filter((one) => one.doubted);
  const kinds = KINDS.filter((kind) => state.exemplars.some((one) => one.kind === kind)).map((kind) => {
    const all = state.exemplars.filter((one) => one.kind === kind);
    const labels = state.labels[kind].filter((label) => all.some((one) => one.label === label));
    const count = t(all.length === 1 ? "sets_count_one" : "sets_count", { n: all.length });
    return h("section", { class: "card" },
      h("div", { class: "row apart" }, h("h2", {}, t(`sets_kind_${kind}`)), h("p", { class: "quietly" }, count)),
      labels.map((label) => h("div", { class: "of-label" },
        h("h3", {}, nameOf(kind, label)), all.filter((one) => one.label === label).map(exemplar))));
  });
  return disputed.length ? [disputes(disputed), ...kinds] : kinds;
}

/** What later evidence speaks against, above everything else, with a way to be rid of it. */
function disputes(all) {
  return h("section", { class: "card", id: "disputed" },
    h("h2", {}, t("sets_disputed")), h("p", { class: "note is-warn" }, t("sets_doubted")),
    all.map((one) => h("div", { class: "of-label" }, h("h3", {}, `${t(`sets_kind_${one.kind}`)}: ${nameOf(one.kind, one.label)}`), exemplar(one))),
    h("div", { class: "row" },
      h("button", { type: "button", class: "quiet", id: "forget-disputed", onclick: () => take(tell("/api/sets/forget", { ids: all.map((one) => one.id) })) }, t("sets_forget_disputed"))));
}

function exemplar(one) {
  const image = h("img", { alt: "", width: 64, height: 64 });
  picture(one, image);
  const words = `${nameOf(one.kind, one.label)}, ${told(one)}${one.doubted ? `, ${t("sets_doubt")}` : ""}`;
  return h("button", { type: "button", class: one.doubted ? "exemplar doubted" : "exemplar", "aria-label": words, title: words, onclick: () => open(one) },
    image, one.doubted ? h("span", { class: "mark" }, t("sets_doubt")) : null);
}

const told = (one) => t("sets_taught", { date: one.taught.slice(0, 10), source: t(`sets_source_${one.source}`) });

async function picture(one, image) {
  try {
    const got = await askPicture(`/api/sets/crop/${one.id}.png`);
    image.src = URL.createObjectURL(got.blob);
    await image.decode().catch(() => {});
    URL.revokeObjectURL(image.src);
  } catch {
    image.alt = "?";
  }
}

function open(one) {
  opened = one;
  byId("one-words").textContent = `${nameOf(one.kind, one.label)}, ${told(one)}`;
  picture(one, byId("one-crop"));
  byId("one-labels").replaceChildren(...state.labels[one.kind].map((label) =>
    h("button", { type: "button", class: "quiet", "aria-pressed": label === one.label ? "true" : "false", onclick: () => relabel(label) }, nameOf(one.kind, label))));
  byId("one-dialog").showModal();
}

async function take(answer) {
  state = (await answer) ?? state;
  render();
  refreshTuning();
}

async function relabel(label) {
  await take(tell("/api/sets/relabel", { id: opened.id, label }));
  byId("one-dialog").close();
}

function askName(title, value, act) {
  byId("name-title").textContent = title;
  byId("name").value = value;
  byId("name-form").onsubmit = () => act(byId("name").value);
  byId("name-dialog").showModal();
}

async function download() {
  try {
    const { blob } = await askPicture("/api/sets/file");
    const link = h("a", { href: URL.createObjectURL(blob), download: `schiri-${current().name}.zip` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (error) {
    toast(error.message);
  }
}

async function upload(input) {
  const file = input.files[0];
  input.value = "";
  if (!file) return;
  try {
    const answer = await fetch("/api/sets/file", { method: "POST", body: file, headers: codeHeader() });
    const got = await answer.json();
    if (!answer.ok) return toast(say(got.error));
    state = got;
    toast(t("sets_imported"));
    render();
  } catch {
    toast(t("offline"));
  }
}

function renderMarks() {
  const marks = byId("marks");
  marks.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const boxes = dice.flatMap(({ box: [x, y, right, bottom], reads, sure }) => {
    const kind = state.labels.action_die.includes(reads) ? "action_die" : "die";
    const words = reads ? `${nameOf(kind, reads)} ${Math.round(100 * sure)} %` : t("sets_unknown");
    return [svg("rect", { x, y, width: right - x, height: bottom - y }), svg("text", { x, y: y - 6 }, words)];
  });
  const cross = aim ? [svg("circle", { cx: aim[0] * size[0], cy: aim[1] * size[1], r: size[0] / 90 })] : [];
  marks.replaceChildren(...boxes, ...cross);
}

async function look() {
  byId("reads").textContent = t("sets_looking");
  const got = await tell("/api/sets/look");
  if (got) ({ dice, size } = got);
  byId("reads").textContent = dice.length ? t("sets_reads") : t("sets_no_dice");
  renderMarks();
}

async function teach() {
  if (!aim || !mayControl()) return;
  const [kind, label] = [byId("kind").value, byId("label").value];
  byId("reads").textContent = t("sets_looking");
  const got = await tell("/api/sets/teach", { kind, label, at: aim });
  byId("reads").textContent = got ? t("sets_learnt", { name: nameOf(kind, label) }) : "";
  if (got) await take(got);
}

function tapped(event) {
  const box = byId("live").getBoundingClientRect();
  if (!box.width) return;
  aim = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  if (aim.some((part) => part < 0 || part > 1)) return;
  renderMarks();
  teach();
}

function keyed(event) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[event.key];
  if (step) {
    event.preventDefault();
    aim = (aim ?? [0.5, 0.5]).map((part, k) => Math.min(Math.max(part + 0.01 * step[k], 0), 1));
    renderMarks();
  } else if (event.key === "Enter") teach();
}

async function begin() {
  if (!mayControl() || state) return;
  try {
    state = await ask("/api/sets");
    const { camera, plane } = (await ask("/api/setup")).desk;
    byId("no-camera").hidden = Boolean(camera && plane);
    byId("view").hidden = !camera;
    if (camera) watch(byId("live"), "/camera/raw.jpg", { gapMs: 400 });
  } catch (error) {
    toast(error.message);
  }
  render();
  refreshTuning();
}

byId("which").addEventListener("change", (event) => take(tell("/api/sets/choose", { id: event.currentTarget.value })));
byId("kind").addEventListener("change", renderLabels);
byId("new").addEventListener("click", () => askName(t("sets_new_name"), "", (name) => take(tell("/api/sets/new", { name }))));
byId("rename").addEventListener("click", () => askName(t("sets_rename"), current().name, (name) => take(tell("/api/sets/rename", { id: state.current, name }))));
byId("name-cancel").addEventListener("click", () => byId("name-dialog").close());
byId("remove").addEventListener("click", () => {
  byId("sure-title").textContent = t("sets_sure", { name: current().name });
  byId("sure-dialog").showModal();
});
byId("sure-cancel").addEventListener("click", () => byId("sure-dialog").close());
byId("sure-ok").addEventListener("click", async () => {
  byId("sure-dialog").close();
  await take(tell("/api/sets/remove", { id: state.current }));
});
byId("one-close").addEventListener("click", () => byId("one-dialog").close());
byId("one-forget").addEventListener("click", async () => {
  byId("one-dialog").close();
  await take(tell("/api/sets/forget", { ids: [opened.id] }));
});
byId("export").addEventListener("click", download);
byId("file").addEventListener("change", (event) => upload(event.currentTarget));
byId("look").addEventListener("click", look);
byId("view").addEventListener("click", tapped);
byId("view").addEventListener("keydown", keyed);
await startPage({ onWords: render, onControl: begin });
