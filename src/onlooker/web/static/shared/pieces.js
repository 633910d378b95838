/**
 * The things on a map, each an SVG group around the origin; a cell is 100 wide.
 *
 * @import { AgentStyle, AmuletStyle } from "./palette.js"
 * @import { Child } from "./dom.js"
 */

import { s } from "./dom.js";
import { CHEST, CHEST_EDGE, FAINT_INK, INK, MAIN_HUE, PAPER, mix } from "./palette.js";
import { BADGES, CHEST_LID, CHEST_OUTLINE, PATTERNS, disc, regular } from "./shapes.js";

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} [fill]
 * @param {string} [weight]
 * @returns {SVGTextElement}
 */
function letter(text, x, y, size, fill = INK, weight = "bold") {
  const look = { fill, "font-size": size, "font-weight": weight, "text-anchor": "middle" };
  return s("text", { x, y, dy: "0.36em", ...look }, text);
}

/**
 * The sign of a colour. Letters are for chests and agents alone.
 *
 * @param {AmuletStyle} style
 * @param {string} fill
 * @param {number} y
 * @param {number} size
 * @returns {SVGPathElement}
 */
function badge(style, fill, y, size) {
  return s("path", {
    class: "badge",
    d: BADGES[style.badge] ?? "",
    fill,
    "fill-rule": "evenodd",
    transform: `translate(0 ${y}) scale(${size})`,
  });
}

/**
 * A wizard: a hexagon with its colour's sign, and its name below.
 *
 * @param {AmuletStyle} style
 * @param {string} [name]
 * @returns {SVGGElement}
 */
export function wizard(style, name = "") {
  const hexagon = regular(6, 38, 0, name ? -10 : 0);
  const y = name ? -10 : 0;
  return s(
    "g",
    { class: "wizard" },
    s("path", { d: hexagon, fill: style.fill, stroke: PAPER, "stroke-width": 11 }),
    s("path", { d: hexagon, fill: style.fill, stroke: INK, "stroke-width": 4 }),
    badge(style, style.ink, y, 1.75),
    name && letter(name, 0, 38.5, Math.min(21, 150 / name.length), FAINT_INK, "600"),
  );
}

/**
 * A barrier: a gate in its colour's pattern, and a plate with its sign; pale where it is open.
 *
 * @param {AmuletStyle} style
 * @param {boolean} [open] the main agent can pass
 * @returns {SVGGElement}
 */
export function barrier(style, open = false) {
  const pattern = PATTERNS[style.pattern];
  const look = pattern?.filled
    ? { fill: style.line }
    : { fill: "none", stroke: style.line, "stroke-width": 6.5 };
  const frame = { x: -45, y: -45, width: 90, height: 90, rx: 9 };
  return s(
    "g",
    { class: "barrier" },
    s(
      "g",
      { opacity: open ? 0.35 : 1 },
      s("rect", { ...frame, fill: style.pale }),
      s(
        "svg",
        { x: -44, y: -44, width: 88, height: 88, viewBox: "-48 -48 96 96", overflow: "hidden" },
        s("path", { d: pattern?.path ?? "", ...look }),
      ),
    ),
    s("rect", {
      ...frame,
      fill: "none",
      stroke: style.line,
      "stroke-width": open ? 4 : 7,
      "stroke-dasharray": open ? "12 9" : null,
    }),
    s("rect", {
      ...{ x: -21, y: -21, width: 42, height: 42, rx: 8 },
      ...{ fill: PAPER, stroke: style.line, "stroke-width": 4 },
    }),
    badge(style, INK, 0, 1.25),
  );
}

/**
 * A lettered treasure chest, framed and tabbed if it is the goal.
 *
 * @param {string} name
 * @param {boolean} [goal]
 * @returns {SVGGElement}
 */
export function chest(name, goal = false) {
  return s(
    "g",
    { class: "chest" },
    goal &&
      s("rect", {
        ...{ x: -46.5, y: -46.5, width: 93, height: 93, rx: 14 },
        ...{ fill: mix(PAPER, MAIN_HUE, 0.14), stroke: MAIN_HUE, "stroke-width": 7 },
      }),
    s("path", { d: CHEST_OUTLINE, fill: CHEST, stroke: PAPER, "stroke-width": 11 }),
    s("path", { d: CHEST_OUTLINE, fill: CHEST, stroke: CHEST_EDGE, "stroke-width": 4.5 }),
    s("path", { d: CHEST_LID, stroke: CHEST_EDGE, "stroke-width": 4 }),
    s("rect", { x: -19, y: -20, width: 38, height: 44, rx: 5, fill: mix(PAPER, CHEST, 0.35) }),
    letter(name, 0, 2, 42),
    goal && s("g", { transform: "translate(34 -34)" }, goalTab()),
  );
}

/** @returns {SVGGElement} */
function goalTab() {
  return s(
    "g",
    {},
    s("path", { d: regular(4, 21), fill: MAIN_HUE, stroke: PAPER, "stroke-width": 3.5 }),
    letter("M", 0, 0, 17, PAPER),
  );
}

const LOW = 12; // the middle of a triangle, so that its tip stays within the cell

/** @type {Record<AgentStyle["shape"], (look: Record<string, string | number>) => SVGElement>} */
const TOKENS = {
  diamond: (look) => s("path", { d: regular(4, 45), ...look }),
  disc: (look) => s("circle", { r: 36, ...look }),
  triangle: (look) => s("path", { d: regular(3, 45, 0, LOW), ...look }),
  pentagon: (look) => s("path", { d: regular(5, 43), ...look }),
  square: (look) => s("rect", { x: -33, y: -33, width: 66, height: 66, rx: 13, ...look }),
};

/**
 * An agent's token with its letter, and its number where there are several NPCs.
 *
 * @param {AgentStyle} style
 * @returns {SVGGElement}
 */
export function agent(style) {
  const token = TOKENS[style.shape];
  const [first, number] = [style.label.slice(0, 1), style.label.slice(1)];
  const y = style.shape === "triangle" ? LOW : 0;
  return s(
    "g",
    { class: "agent" },
    token({ fill: INK, stroke: INK, "stroke-width": 13 }),
    token({ fill: style.fill, stroke: PAPER, "stroke-width": 7 }),
    letter(first, number ? -8 * Math.min(number.length, 1.5) : 0, y, 40, PAPER),
    number && letter(number, 16, y + 10, number.length > 1 ? 21 : 25, PAPER),
  );
}

/**
 * An amulet: a pendant in its colour, with its sign.
 *
 * @param {AmuletStyle} style
 * @returns {SVGGElement}
 */
export function amulet(style) {
  return s(
    "g",
    { class: "amulet" },
    s("path", { d: "M-30 -44Q0 0 30 -44", fill: "none", stroke: CHEST_EDGE, "stroke-width": 6 }),
    s("path", { d: disc(30, 0, 12), fill: style.fill, stroke: INK, "stroke-width": 4 }),
    s("path", { d: disc(23, 0, 12), fill: "none", stroke: style.ink, "stroke-width": 2.5 }),
    badge(style, style.ink, 12, 1.3),
  );
}

/** The tail of a bubble, by where the wizard is. */
const TAILS = {
  down: "M-9 22L0 34L9 22",
  up: "M-9 -24L0 -36L9 -24",
  right: "M32 -9L44 0L32 9",
  left: "M-32 -9L-44 0L-32 9",
};

/**
 * The bubble with a wizard's answer: the amulet, nothing, or hidden.
 *
 * @param {"given" | "nothing" | "hidden"} outcome
 * @param {AmuletStyle} style
 * @param {keyof typeof TAILS} toward where the wizard is
 * @returns {SVGGElement}
 */
export function bubble(outcome, style, toward) {
  /** @type {Record<typeof outcome, () => Child>} */
  const signs = {
    given: () => s("g", { transform: "translate(0 1) scale(0.45)" }, amulet(style)),
    nothing: () =>
      s("path", { d: "M-11 -11L11 11M-11 11L11 -11", stroke: FAINT_INK, "stroke-width": 6 }),
    hidden: () => letter("?", 0, 0, 36),
  };
  const look = { fill: PAPER, stroke: INK, "stroke-width": 4, "stroke-linejoin": "round" };
  return s(
    "g",
    { class: `bubble ${outcome}` },
    s("rect", { x: -33, y: -25, width: 66, height: 48, rx: 7, ...look }),
    s("path", { d: TAILS[toward], ...look }),
    signs[outcome](),
  );
}

/**
 * A piece as a small picture of its own, for panels and cards; decoration beside words.
 *
 * @param {SVGElement} piece
 * @returns {SVGSVGElement}
 */
export function icon(piece) {
  return s("svg", { class: "icon", viewBox: "-54 -54 108 108", "aria-hidden": "true" }, piece);
}
