/**
 * The map of a game as an SVG element: a pure function of the game, for play and replay alike.
 *
 * @import { Cell, Game } from "./types.js"
 * @import { AgentStyle, AmuletStyle } from "./palette.js"
 */

import { s } from "./dom.js";
import { FLOOR, GRID, WALL, agentStyles, amuletStyles, coloursOf } from "./palette.js";
import * as pieces from "./pieces.js";
import { line } from "./shapes.js";
import { describe, same } from "./words.js";
import { t } from "./texts.js";

/** The width of a cell in the SVG's units. */
export const CELL = 100;

/**
 * @typedef {object} Highlight a path to show on the map
 * @property {Cell[]} cells in order; interactions are not part of it
 * @property {string} [agent] "main" or an NPC's id, whose hue it gets
 *
 * @typedef {object} RenderOptions
 * @property {string} [label] the picture's accessible name
 * @property {boolean} [cells] cells can be visited with the keyboard: one is in the tab order
 * @property {Cell} [current] which one; by default where the main agent is
 * @property {boolean} [last] show what the last choice did; true by default
 * @property {Highlight[]} [paths] drawn on the floor
 * @property {SVGElement[]} [under] further layers on the floor, under everything that stands on it
 * @property {SVGElement[]} [over] further layers above everything
 */

/**
 * Draw a game.
 *
 * The SVG is as large as its container lets it be; its units are hundredths of a cell, and
 * `centre([x, y])` is where the middle of a cell is. Agents are `[data-agent]`, the bubble of an
 * interaction is `.bubble`, cells are `[role=gridcell]` with `data-x` and `data-y`.
 *
 * @param {Game} game
 * @param {RenderOptions} [options]
 * @returns {SVGSVGElement}
 */
export function render(game, options = {}) {
  const amulets = amuletStyles(coloursOf(game));
  const agents = agentStyles(game.npcs);
  const showLast = options.last !== false;
  return s(
    "svg",
    {
      class: "map",
      viewBox: `-4 -4 ${game.width * CELL + 8} ${game.height * CELL + 8}`,
      role: "grid",
      "aria-label": options.label ?? t("map"),
      "aria-rowcount": game.height,
      "aria-colcount": game.width,
      "aria-readonly": "true",
    },
    s(
      "g",
      { "aria-hidden": "true" },
      ground(game),
      ...(options.paths ?? []).map((path) => trail(path, agents)),
      ...(options.under ?? []),
      showLast && lastStep(game, agents),
      ...things(game, amulets),
      ...tokens(game, agents),
      showLast && lastAnswer(game, amulets),
      ...(options.over ?? []),
    ),
    ...cells(game, options),
  );
}

/**
 * The middle of a cell in the SVG's units.
 *
 * @param {Cell} cell
 * @returns {[number, number]}
 */
export function centre([x, y]) {
  return [(x + 0.5) * CELL, (y + 0.5) * CELL];
}

/**
 * @param {SVGElement} piece
 * @param {Cell} cell
 * @param {[number, number]} [offset]
 * @returns {SVGGElement}
 */
function placeAt(piece, cell, [dx, dy] = [0, 0]) {
  const [x, y] = centre(cell);
  return s("g", { transform: `translate(${x + dx} ${y + dy})` }, piece);
}

/** @param {Game} game */
function ground(game) {
  const [width, height] = [game.width * CELL, game.height * CELL];
  const across = Array.from({ length: game.height - 1 }, (_, i) => `M0 ${(i + 1) * CELL}H${width}`);
  const down = Array.from({ length: game.width - 1 }, (_, i) => `M${(i + 1) * CELL} 0V${height}`);
  const walls = game.walls.map(([x, y]) => `M${x * CELL} ${y * CELL}h${CELL}v${CELL}h${-CELL}Z`);
  return s(
    "g",
    { class: "ground" },
    s("rect", { width, height, fill: FLOOR }),
    s("path", { d: across.concat(down).join(""), stroke: GRID, "stroke-width": 2.5 }),
    s("path", { d: walls.join(""), fill: WALL, stroke: WALL, "stroke-width": 2.5 }),
    s("rect", { width, height, fill: "none", stroke: WALL, "stroke-width": 6 }),
  );
}

/**
 * @param {Highlight} path
 * @param {Map<string, AgentStyle>} agents
 */
function trail(path, agents) {
  const hue = agents.get(path.agent ?? "main")?.fill ?? WALL;
  const look = { fill: "none", stroke: hue, "stroke-linejoin": "round", "stroke-linecap": "round" };
  const d = line(path.cells.map(centre));
  return s(
    "g",
    { class: "trail" },
    ...path.cells.map(([x, y]) =>
      s("rect", { x: x * CELL, y: y * CELL, width: CELL, height: CELL, fill: hue, opacity: 0.12 }),
    ),
    s("path", { d, ...look, "stroke-width": 9, opacity: 0.7 }),
  );
}

/**
 * @param {Game} game
 * @param {Map<string, AmuletStyle>} amulets
 */
function* things(game, amulets) {
  for (const { at, colour } of game.barriers)
    yield placeAt(pieces.barrier(style(amulets, colour), game.main.amulets.includes(colour)), at);
  for (const { at, letter } of game.chests)
    yield placeAt(pieces.chest(letter, letter === game.main.goal), at);
  for (const { at, colour, id } of game.wizards)
    yield placeAt(pieces.wizard(style(amulets, colour), id), at);
}

/**
 * Where agents stand that share a cell, or stand where something is: offsets by how many they are.
 *
 * @type {Record<number, [number, number][]>}
 */
const SLOTS = {
  1: [[26, 26]],
  2: [
    [-22, -22],
    [22, 22],
  ],
  3: [
    [-22, -22],
    [22, 22],
    [26, -26],
  ],
};

/**
 * @param {Game} game
 * @param {Map<string, AgentStyle>} agents
 */
function* tokens(game, agents) {
  const things = [...game.barriers, ...game.wizards, ...game.chests];
  const all = [...game.npcs.map(({ id, at }) => ({ id, at })), { id: "main", at: game.main.at }];
  for (const { id, at } of all) {
    const here = all.filter((other) => same(other.at, at));
    const onThing = things.some((thing) => same(thing.at, at));
    const slots = SLOTS[here.length] ?? SLOTS[3] ?? [];
    const [dx, dy] = slots[here.findIndex((other) => other.id === id)] ?? [0, 0];
    const alone = here.length === 1 && !onThing;
    const aside = alone ? null : `translate(${dx} ${dy}) scale(${onThing ? 0.55 : 0.66})`;
    const token = s("g", { transform: aside }, pieces.agent(style(agents, id)));
    yield placeAt(s("g", { "data-agent": id }, token), at);
  }
}

/**
 * The step that was taken last, as a dotted line behind the agent.
 *
 * @param {Game} game
 * @param {Map<string, AgentStyle>} agents
 */
function lastStep({ last }, agents) {
  if (last?.kind !== "move") return null;
  return s("path", {
    class: "last-step",
    d: line([centre(last.from), centre(last.to)]),
    stroke: style(agents, last.who).fill,
    "stroke-width": 9,
    "stroke-linecap": "round",
    "stroke-dasharray": "1 17",
  });
}

/**
 * Where a bubble can be beside its wizard, best first, and where its tail points.
 *
 * @type {{by: Cell, offset: [number, number], toward: "down" | "up" | "right" | "left"}[]}
 */
const BUBBLES = [
  { by: [0, -1], offset: [0, -72], toward: "down" },
  { by: [0, 1], offset: [0, 80], toward: "up" },
  { by: [-1, 0], offset: [-74, -10], toward: "right" },
  { by: [1, 0], offset: [74, -10], toward: "left" },
];

/**
 * The bubble of the wizard that was asked last: inside the map and beside who asked.
 *
 * @param {Game} game
 * @param {Map<string, AmuletStyle>} amulets
 */
function lastAnswer({ last, wizards, width, height }, amulets) {
  const wizard = wizards.find(({ id }) => id === last?.wizard);
  if (!wizard || !last?.outcome) return null;
  const [x, y] = wizard.at;
  const place = BUBBLES.find(({ by: [dx, dy] }) => {
    const inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
    return inside && !same(last.from, [x + dx, y + dy]);
  });
  const { offset, toward } = place ?? /** @type {(typeof BUBBLES)[0]} */ (BUBBLES[0]);
  const bubble = pieces.bubble(last.outcome, style(amulets, wizard.colour), toward);
  return placeAt(bubble, wizard.at, offset);
}

/**
 * Every cell with its words; they lie over the picture and are seen when one has the focus.
 *
 * @param {Game} game
 * @param {RenderOptions} options
 */
function* cells(game, options) {
  const current = options.current ?? game.main.at;
  for (let y = 0; y < game.height; y += 1) {
    const row = s("g", { role: "row", "aria-rowindex": y + 1 });
    for (let x = 0; x < game.width; x += 1) {
      const tab = options.cells ? (same([x, y], current) ? 0 : -1) : null;
      row.append(
        s("rect", {
          role: "gridcell",
          "aria-colindex": x + 1,
          "aria-label": `${describe(game, [x, y])}; ${t("cell_place", { column: x + 1, row: y + 1 })}`,
          "data-x": x,
          "data-y": y,
          tabindex: tab,
          ...{ x: x * CELL, y: y * CELL, width: CELL, height: CELL, fill: "transparent" },
        }),
      );
    }
    yield row;
  }
}

/**
 * @template T
 * @param {Map<string, T>} styles
 * @param {string} name
 * @returns {T}
 */
function style(styles, name) {
  const found = styles.get(name);
  if (!found) throw new Error(`nothing on this map is called ${name}`);
  return found;
}
