/**
 * What the pages say. The study's language comes from the server; pages without one, such as the
 * replay, need no more than these texts of their own.
 */

import { points } from "./dom.js";

/** @type {Record<string, string>} the same as in web/texts/en.toml */
const ENGLISH = {
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  map: "Map",
  you: "you, M",
  wall: "wall",
  floor: "floor",
  wizard_on_cell: "{colour} wizard {name}",
  barrier_on_cell: "{colour} barrier",
  open_for_you: "open for you",
  chest_on_cell: "chest {letter}",
  your_goal: "your goal",
  cell_place: "column {column}, row {row}",
  expert: "expert",
  novice: "novice",
  teacher: "teacher",
  untold: "not told",
};

let known = ENGLISH;

/**
 * Use the texts of a language from now on.
 *
 * @param {Record<string, string>} texts
 */
export function useTexts(texts) {
  known = { ...ENGLISH, ...texts };
}

/**
 * A text with its values filled in.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return (known[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * Whether there is a text.
 *
 * @param {string} key
 */
export function hasText(key) {
  return key in known;
}

/**
 * The name of a colour; one that the language does not know stays as it is.
 *
 * @param {string} colour
 * @returns {string}
 */
export function colourName(colour) {
  return known[`colour_${colour}`] ?? colour;
}

/**
 * A count and its noun.
 *
 * @param {"points" | "steps"} what
 * @param {number} value
 * @returns {string}
 */
export function counted(what, value) {
  return t(`${what}_${Math.abs(value) === 1 ? "one" : "many"}`, { n: points(value) });
}
