/**
 * Which key stands for which choice.
 *
 * @import { Npc } from "./types.js"
 */

import { agentStyles } from "./palette.js";

/**
 * @typedef {object} Direction
 * @property {"up" | "down" | "left" | "right"} direction the choice
 * @property {string} arrow
 * @property {string} letter the key beside the arrow key
 */

/** @type {Direction[]} */
export const DIRECTIONS = [
  { direction: "up", arrow: "↑", letter: "W" },
  { direction: "left", arrow: "←", letter: "A" },
  { direction: "right", arrow: "→", letter: "D" },
  { direction: "down", arrow: "↓", letter: "S" },
];

/**
 * The keys that observe an NPC: its number, and O where it is the only one.
 *
 * @param {Npc[]} npcs
 * @param {string} id
 * @returns {string[]}
 */
export function observeKeys(npcs, id) {
  const number = agentStyles(npcs).get(id)?.number ?? "";
  return npcs.length === 1 ? ["O", number] : [number];
}

/**
 * The choice that a key stands for, whether or not it is available now.
 *
 * @param {KeyboardEvent} event
 * @param {Npc[]} npcs
 * @returns {string | null}
 */
export function choiceOf(event, npcs) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return null;
  const key = event.key.toUpperCase();
  for (const { direction, letter } of DIRECTIONS)
    if (key === letter || key === `ARROW${direction.toUpperCase()}`) return direction;
  // The key of a digit may need Shift, as on French keyboards; its place says which one it is.
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? key;
  const npc = npcs.find(({ id }) => {
    const keys = observeKeys(npcs, id);
    return keys.includes(key) || keys.includes(digit);
  });
  return npc ? `observe ${npc.id}` : null;
}
