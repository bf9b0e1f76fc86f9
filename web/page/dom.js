// Small helpers to make elements. Text is set as text, so nothing of a listing or a kernel is read as HTML; only what the module has
// made HTML of, with all texts escaped, is set as such.

/** The element of an id. */
export const $ = (id) => document.getElementById(id);

/** An element with attributes and children; strings become text. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** The same in a drawing. */
export function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Shows text in an element, or hides the element if there is none. */
export function say(element, text) {
  element.textContent = text ?? "";
  element.hidden = !text;
}

/** A count with its noun. */
export const several = (count, noun) => `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
