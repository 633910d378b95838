/**
 * What is to be seen on a cell, in words.
 *
 * @import { Cell, Game } from "./types.js"
 */

/**
 * @param {Game} game
 * @param {Cell} cell
 * @returns {string}
 */
export function describe(game, cell) {
  const who = game.npcs
    .filter((npc) => same(npc.at, cell))
    .map((npc) => `${npc.name}, ${npc.expertise}`);
  if (same(game.main.at, cell)) who.unshift("you, M");
  return [thing(game, cell), ...who].join("; ");
}

/**
 * @param {Game} game
 * @param {Cell} cell
 * @returns {string}
 */
function thing(game, cell) {
  if (game.walls.some((at) => same(at, cell))) return "wall";
  const wizard = game.wizards.find(({ at }) => same(at, cell));
  if (wizard) return `${wizard.colour} wizard ${wizard.id}`;
  const barrier = game.barriers.find(({ at }) => same(at, cell));
  if (barrier) {
    const open = game.main.amulets.includes(barrier.colour);
    return `${barrier.colour} barrier${open ? ", open for you" : ""}`;
  }
  const chest = game.chests.find(({ at }) => same(at, cell));
  if (chest) return `chest ${chest.letter}${chest.letter === game.main.goal ? ", your goal" : ""}`;
  return "floor";
}

/**
 * @param {Cell} a
 * @param {Cell} b
 * @returns {boolean}
 */
export function same(a, b) {
  return a[0] === b[0] && a[1] === b[1];
}
