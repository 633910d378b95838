/** Small helpers that build HTML and SVG elements. */

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value */
/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Attributes that are null, undefined or false are left out; functions under
 * "onclick" and the like become listeners.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Value>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, Value>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, Value>} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/**
 * Paragraphs of plain text.
 *
 * @param {string[]} texts
 * @returns {HTMLElement[]}
 */
export function paragraphs(texts) {
  return texts.map((text) => h("p", {}, text));
}

/**
 * A screen's heading, which can be given the focus.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function heading(text) {
  return h("h1", { tabindex: -1 }, text);
}

/**
 * A number of points, with a proper minus sign.
 *
 * @param {number} value
 * @returns {string}
 */
export function points(value) {
  return value < 0 ? `−${-value}` : String(value);
}
