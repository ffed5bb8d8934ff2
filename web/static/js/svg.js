// Elements of drawings.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children (strings or nodes). */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(4).filter((child) => child != null && child !== false));
  return element;
}
