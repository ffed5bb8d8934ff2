// Building elements without ever parsing text as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; children may be strings, nodes, null. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(4).filter((child) => child != null && child !== false));
  return element;
}

/** An icon from the sheet in the page; with a label it is read out, without it is decoration. */
export function icon(name, { className = "", label = "" } = {}) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  if (className) svg.setAttribute("class", className);
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

export const byId = (id) => document.getElementById(id);

/** Show children in an element, but only when `key` (anything JSON can say) has changed since the last time. */
export function show(element, key, build) {
  const text = JSON.stringify(key);
  if (element.dataset.shown === text) return false;
  element.dataset.shown = text;
  element.replaceChildren(...[build()].flat(4).filter(Boolean));
  return true;
}

export function recall(name) {
  try {
    return localStorage.getItem(`schiri-${name}`);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`schiri-${name}`, value);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
}
