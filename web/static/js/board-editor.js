// The board of Spuk: its fields are clicked on the picture, from the start to the treasure; saved and shared as a file.

import { ask, watch } from "./api.js";
import { byId, h, show } from "./dom.js";
import { svg } from "./svg.js";
import { lang, t } from "./words.js";

const KINDS = ["round", "numbered", "square", "treasure"];
const MOST_FIELDS = 80;

export function boardEditor(changed) {
  let fields = [];
  let seen = [];
  let kind = "round";
  let table = false;
  let size = [1280, 720];
  let watching = false;

  const drawing = byId("board-drawn");

  /** Kinds follow from the order: the first is the start; numbered fields count up. */
  function numbered() {
    let number = 0;
    return fields.map((field, index) => ({
      index,
      kind: field.kind,
      number: field.kind === "numbered" ? ++number : null,
      centre_mm: field.centre_mm,
    }));
  }

  async function click(event) {
    if (!table || fields.length >= MOST_FIELDS) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const { points } = await ask("/api/table/points", { px: [[at.x, at.y]] });
    if (!points) return;
    fields.push({ kind: fields.length ? kind : "start", centre_mm: points[0] });
    seen.push([at.x, at.y]);
    if (fields.at(-1).kind === "square" || fields.at(-1).kind === "numbered") kind = "round";
    changed();
  }

  async function place() {
    const known = fields.every((field) => Array.isArray(field.centre_mm));
    const found = table && known && fields.length ? await ask("/api/table/points", { mm: fields.map((field) => field.centre_mm) }) : { points: [] };
    seen = found.points ?? [];
    draw();
  }

  function draw() {
    drawing.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    const r = size[0] / 75;
    const line = svg("polyline", { class: "board-line", points: seen.join(" ") });
    const marks = numbered().map((field, k) => {
      if (!seen[k]) return null;
      const [x, y] = seen[k];
      const shape = field.kind === "square" || field.kind === "treasure" || field.kind === "start"
        ? svg("rect", { class: `field-mark k-${field.kind}`, x: x - r, y: y - r, width: 2 * r, height: 2 * r })
        : svg("circle", { class: `field-mark k-${field.kind}`, cx: x, cy: y, r });
      return svg("g", {}, shape, svg("text", { class: "field-number", x, y, "font-size": r * 1.1 }, String(field.number ?? k)));
    });
    drawing.replaceChildren(line, ...marks.filter(Boolean));
  }

  drawing.addEventListener("click", click);
  byId("board-undo").addEventListener("click", () => {
    fields.pop();
    seen.pop();
    changed();
  });
  byId("board-save").addEventListener("click", () => {
    const text = JSON.stringify({ board: { fields: numbered() } }, null, 1);
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "spuk-board.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  byId("board-file").addEventListener("change", async (event) => {
    try {
      const data = JSON.parse(await event.currentTarget.files[0].text());
      set(data.board ?? data);
      changed();
    } catch {
      byId("board-state").textContent = t("board_no_file");
    }
    event.target.value = "";
  });

  function set(given) {
    const list = given?.fields;
    fields = Array.isArray(list) ? list.map((field) => ({ kind: String(field.kind), centre_mm: field.centre_mm ?? null })) : [];
    place();
  }

  return {
    set,
    value: () => (fields.length ? { fields: numbered() } : null),
    measured(yes) {
      table = yes;
      place();
    },
    render() {
      if (!watching) {
        watching = true;
        watch(byId("board-live"), "/camera/raw.jpg", {
          gapMs: 500,
          onPicture: ({ headers }) => {
            const now = headers.get("X-Size").split("x").map(Number);
            if (now.join() !== size.join()) {
              size = now;
              draw();
            }
          },
        });
      }
      show(byId("kinds"), [lang(), kind], () =>
        KINDS.map((name) =>
          h("button", { type: "button", class: "quiet kind", "aria-pressed": name === kind ? "true" : "false", onclick: () => { kind = name; changed(); } }, t(`field_${name}`)),
        ),
      );
      byId("board-state").textContent = table ? t("board_count", { n: fields.length }) : t("board_no_table");
      draw();
    },
  };
}
