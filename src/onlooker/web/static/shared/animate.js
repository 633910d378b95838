/**
 * Short animations of what happened last on a drawn map; nothing waits for them.
 *
 * @import { Cell, LastTurn } from "./types.js"
 */

import { CELL } from "./game.js";

const STEP_MS = 240;
const ASK_MS = 480;
const BUBBLE_MS = 320;
const FLASH_MS = 700;

/**
 * Whether the participant prefers no motion.
 *
 * @returns {boolean}
 */
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Show the last action as a movement that ends in the picture as it is.
 *
 * @param {SVGSVGElement} map drawn by `render` from the game that `last` belongs to
 * @param {LastTurn | null} last
 */
export function animateLast(map, last) {
  if (!last || prefersReducedMotion()) return;
  const agent = map.querySelector(`[data-agent="${CSS.escape(last.who)}"]`);
  if (last.kind === "move") {
    agent?.animate([{ transform: shift(last.to, last.from, 1) }, { transform: "none" }], {
      duration: STEP_MS,
      easing: "ease-in-out",
    });
    return;
  }
  const toward = shift(last.from, headed(last), 0.3);
  const frames = [{ transform: "none" }, { transform: toward }, { transform: "none" }];
  agent?.animate(frames, { duration: ASK_MS, easing: "ease-in-out" });
  map.querySelector(".bubble")?.animate(
    [
      { opacity: 0, transform: "scale(0.3)" },
      { opacity: 1, transform: "scale(1.15)", offset: 0.7 },
      { opacity: 1, transform: "none" },
    ],
    { duration: BUBBLE_MS, delay: ASK_MS / 2, fill: "backwards", easing: "ease-out" },
  );
}

/**
 * Draw the eye to something that has changed.
 *
 * @param {Element} element
 */
export function flash(element) {
  if (!prefersReducedMotion()) element.animate([{ backgroundColor: "var(--flash)" }, {}], { duration: FLASH_MS });
}

/** @type {Record<string, Cell>} */
const DELTAS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/**
 * The cell that an action looked at.
 *
 * @param {LastTurn} last
 * @returns {Cell}
 */
function headed({ from, action }) {
  const [dx, dy] = DELTAS[action] ?? [0, 0];
  return [from[0] + dx, from[1] + dy];
}

/**
 * @param {Cell} from
 * @param {Cell} to
 * @param {number} part of the way
 */
function shift(from, to, part) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return `translate(${dx * part * CELL}px, ${dy * part * CELL}px)`;
}
