/**
 * The map of a frame, drawn as participants see it, with an imagined way on it.
 *
 * @import { Game } from "../shared/types.js"
 * @import { Overlay, ReplayFrame, ReplayDocument } from "./types.js"
 */

import { s } from "../shared/dom.js";
import { centre, render } from "../shared/game.js";
import { INK, PAPER, agentStyles } from "../shared/palette.js";
import { line } from "../shared/shapes.js";
import { same } from "../shared/words.js";

/**
 * The whole game of a frame.
 *
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @returns {Game}
 */
export function gameOf(document, frame) {
  return { ...document.map, ...frame.game };
}

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {Overlay | null} drawn
 * @returns {SVGSVGElement}
 */
export function frameMap(document, frame, drawn) {
  const game = gameOf(document, frame);
  const label = `Map, ${game.width} columns and ${game.height} rows. Shift and arrow keys look around.`;
  if (!drawn) return render(game, { cells: true, label });
  const hue = agentStyles(game.npcs).get(drawn.agent)?.fill ?? INK;
  const path = document.paths[drawn.path];
  const beyond = drawn.beyond === undefined ? undefined : document.paths[drawn.beyond];
  return render(game, {
    cells: true,
    label,
    last: false,
    paths: path ? [{ cells: path.cells, agent: drawn.agent }] : [],
    under: beyond ? [goingOn(beyond.cells, hue)] : [],
    over: [
      ...(path && path.cells.length > 1 && !ends(game, path.cells) ? [arrow(path.cells, hue)] : []),
      ...(drawn.stops ?? path?.asks ?? []).map((id, index) => stop(game, id, index + 1, hue)),
    ],
  });
}

/**
 * Whether a way ends at a chest, which needs no arrow.
 *
 * @param {Game} game
 * @param {[number, number][]} cells
 */
function ends(game, cells) {
  const last = cells.at(-1);
  return game.chests.some(({ at }) => last && same(at, last));
}

/**
 * The way that would not be watched any more.
 *
 * @param {[number, number][]} cells
 * @param {string} hue
 */
function goingOn(cells, hue) {
  return s("path", {
    class: "beyond",
    d: line(cells.map(centre)),
    ...{ fill: "none", stroke: hue, "stroke-width": 6, opacity: 0.65 },
    ...{ "stroke-dasharray": "2 16", "stroke-linecap": "round", "stroke-linejoin": "round" },
  });
}

/**
 * The head of an arrow where a way ends.
 *
 * @param {[number, number][]} cells
 * @param {string} hue
 */
function arrow(cells, hue) {
  const [from, to] = cells.slice(-2).map(centre);
  if (!from || !to) return s("g");
  const turn = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
  return s("path", {
    class: "arrow",
    d: "M-12 -20L22 0L-12 20Z",
    transform: `translate(${to[0]} ${to[1]}) rotate(${turn})`,
    ...{ fill: hue, stroke: PAPER, "stroke-width": 5, "stroke-linejoin": "round" },
  });
}

/**
 * The number of a wizard on a way.
 *
 * @param {Game} game
 * @param {string} id
 * @param {number} number
 * @param {string} hue
 */
function stop(game, id, number, hue) {
  const wizard = game.wizards.find((one) => one.id === id);
  const [x, y] = centre(wizard?.at ?? [0, 0]);
  const look = { "font-size": 26, "font-weight": "bold", "text-anchor": "middle", fill: PAPER };
  return s(
    "g",
    { class: "stop", transform: `translate(${x - 34} ${y - 34})` },
    s("circle", { r: 19, fill: hue, stroke: PAPER, "stroke-width": 4 }),
    s("text", { dy: "0.36em", ...look }, String(number)),
  );
}
