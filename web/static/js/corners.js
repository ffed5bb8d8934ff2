// Four corners that can be dragged by mouse and finger and moved by arrow keys, with a loupe.

import { byId } from "./dom.js";
import { svg } from "./svg.js";
import { t } from "./words.js";

const STEP_PX = { plain: 1, shift: 10 };
const LOUPE_PX = 44;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Corners in a drawing over an image; `onChange` after every move. */
export function makeCorners(drawing, image, loupe, onChange) {
  let points = null;
  let size = [1280, 720];
  const layer = svg("g");
  const shape = svg("polygon", { class: "frame" });
  const handles = [0, 1, 2, 3].map(handle);

  function handle(k) {
    const element = svg(
      "g",
      { class: "handle", role: "button", tabindex: 0 },
      svg("circle", { class: "hit", fill: "transparent" }),
      svg("circle", { class: "ring" }),
      svg("circle", { class: "ring" }),
      svg("circle", { class: "dot" }),
    );
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      element.focus({ preventScroll: true });
      magnify(k);
    });
    element.addEventListener("pointermove", (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      move(k, place(event));
    });
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => (loupe.hidden = true));
    element.addEventListener("keydown", (event) => {
      const step = KEYS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = event.shiftKey ? STEP_PX.shift : STEP_PX.plain;
      move(k, [points[k][0] + step[0] * far, points[k][1] + step[1] * far]);
      byId("announce").textContent = `${Math.round(points[k][0])}, ${Math.round(points[k][1])}`;
    });
    element.addEventListener("blur", () => (loupe.hidden = true));
    return element;
  }

  function place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  function move(k, [x, y]) {
    points[k] = [Math.min(Math.max(x, 0), size[0] - 1), Math.min(Math.max(y, 0), size[1] - 1)];
    put();
    magnify(k);
    onChange();
  }

  /** What lies under a corner, four times as large, with a cross. */
  function magnify(k) {
    loupe.hidden = false;
    loupe.className = points[k][0] < size[0] / 2 ? "at-right" : "at-left";
    const pen = loupe.getContext("2d");
    const scale = image.naturalWidth / size[0];
    const part = LOUPE_PX * scale;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, loupe.width, loupe.height);
    pen.drawImage(image, points[k][0] * scale - part / 2, points[k][1] * scale - part / 2, part, part, 0, 0, loupe.width, loupe.height);
    const middle = loupe.width / 2;
    pen.strokeStyle = "#f2b632";
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(middle, 0);
    pen.lineTo(middle, loupe.height);
    pen.moveTo(0, middle);
    pen.lineTo(loupe.width, middle);
    pen.stroke();
  }

  function put() {
    if (!points) return;
    shape.setAttribute("points", points.join(" "));
    const unit = size[0] / 1280;
    // Large enough for a finger whatever the size on the screen: 44 CSS pixels across.
    const reach = 22 * Math.max(1, size[0] / (drawing.clientWidth || size[0]));
    handles.forEach((element, k) => {
      element.setAttribute("transform", `translate(${points[k][0]} ${points[k][1]})`);
      element.setAttribute("aria-label", t("corner_label", { corner: t(`corner_${k}`) }));
      const [hit, outer, inner, dot] = element.children;
      hit.setAttribute("r", reach);
      outer.setAttribute("r", 15 * unit);
      inner.setAttribute("r", 15 * unit);
      dot.setAttribute("r", 2.2 * unit);
    });
  }

  return {
    known: () => points !== null,
    get: () => points,
    set(given) {
      points = given.map(([x, y]) => [x, y]);
      put();
    },
    within(given) {
      size = given;
      put();
    },
    /** Draw `below` and, where `visible`, the corners on top; the handles stay the same elements and keep the focus. */
    draw(below, visible) {
      layer.replaceChildren(...below);
      if (layer.parentNode !== drawing) drawing.append(layer, shape, ...handles);
      const shown = visible && points !== null;
      for (const element of [shape, ...handles]) element.setAttribute("visibility", shown ? "visible" : "hidden");
      handles.forEach((element) => element.setAttribute("tabindex", shown ? "0" : "-1"));
      put();
    },
  };
}
