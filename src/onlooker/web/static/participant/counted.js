/** Counts with their nouns, in the study's language. */

import { points } from "../shared/dom.js";
import { t } from "../shared/texts.js";

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
