/**
 * What is to be seen on a cell, in words.
 *
 * @import { Cell, Game } from "./types.js"
 */

import { colourName, t } from "./texts.js";

/**
 * @param {Game} game
 * @param {Cell} cell
 * @returns {string}
 */
export function describe(game, cell) {
  const who = game.npcs
    .filter((npc) => same(npc.at, cell))
    .map((npc) => `${npc.name}, ${t(npc.expertise)}`);
  if (same(game.main.at, cell)) who.unshift(t("you"));
  return [thing(game, cell), ...who].join("; ");
}

/**
 * @param {Game} game
 * @param {Cell} cell
 * @returns {string}
 */
function thing(game, cell) {
  if (game.walls.some((at) => same(at, cell))) return t("wall");
  const wizard = game.wizards.find(({ at }) => same(at, cell));
  if (wizard) return t("wizard_on_cell", { colour: colourName(wizard.colour), name: wizard.id });
  const barrier = game.barriers.find(({ at }) => same(at, cell));
  if (barrier) {
    const open = game.main.amulets.includes(barrier.colour);
    const text = t("barrier_on_cell", { colour: colourName(barrier.colour) });
    return open ? `${text}, ${t("open_for_you")}` : text;
  }
  const chest = game.chests.find(({ at }) => same(at, cell));
  if (!chest) return t("floor");
  const text = t("chest_on_cell", { letter: chest.letter });
  return chest.letter === game.main.goal ? `${text}, ${t("your_goal")}` : text;
}

/**
 * @param {Cell} a
 * @param {Cell} b
 * @returns {boolean}
 */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}
