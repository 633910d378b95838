/**
 * How colours and agents look: the same as in the figures (onlooker/drawing/style.py).
 *
 * Nothing is shown by colour alone: an amulet colour also has a pattern and a badge, an agent also a
 * shape and a letter.
 *
 * @import { Game, NpcLabel } from "./types.js"
 */

export const PAPER = "#FFFFFF";
export const FLOOR = "#FBFAF6";
export const GRID = "#E2DFD6";
export const WALL = "#3D4148";
export const INK = "#1B1D21";
export const FAINT_INK = "#5A5E66";
export const CHEST = "#E3BC74";
export const CHEST_EDGE = "#6B4716";

/**
 * @typedef {object} AmuletStyle how the wizards and barriers of one colour look
 * @property {string} fill
 * @property {string} ink of what is written on the fill
 * @property {string} line on a light ground
 * @property {string} pale of the ground under a barrier's pattern
 * @property {string} pattern one of `PATTERNS` in shapes.js
 * @property {string} badge one of `BADGES` in shapes.js
 *
 * @typedef {object} AgentStyle how an agent looks
 * @property {string} fill
 * @property {"diamond" | "disc" | "square" | "triangle" | "pentagon"} shape main agent, expert, novice, teacher, not told
 * @property {string} letter M, E, N, T or ?
 * @property {string} number distinguishes NPCs; empty for the main agent
 * @property {string} label what the token says
 */

/** @typedef {[fill: string, pattern: string, badge: string]} Look */

/** @type {Record<string, Look>} */
const NAMED = {
  blue: ["#0072B2", "diagonal", "disc"],
  red: ["#D2451E", "dots", "triangle"],
  green: ["#009E73", "vertical", "square"],
  yellow: ["#F0E442", "lattice", "diamond"],
  purple: ["#AA4499", "zigzag", "cross"],
  orange: ["#E69F00", "horizontal", "plus"],
};

/** @type {Record<string, Look>} */
const OTHERS = {
  cyan: ["#56B4E9", "rings", "ring"],
  pink: ["#EE99BB", "antidiagonal", "bar"],
  brown: ["#8B5A2B", "bricks", "frame"],
  grey: ["#8F949C", "grid", "bars"],
  black: ["#2B2B2B", "checks", "wedge"],
  white: ["#F2F2F2", "pluses", "lozenge"],
};

export const MAIN_HUE = "#C2183C";
const NPC_HUES = ["#2456A6", "#1B7F4B", "#7A3E9D", "#8A5A00", "#00798C", "#5B5F66"];

/**
 * The colours of a game's wizards and barriers in alphabetical order.
 *
 * @param {Pick<Game, "wizards" | "barriers">} game
 * @returns {string[]}
 */
export function coloursOf(game) {
  return [...new Set([...game.wizards, ...game.barriers].map((thing) => thing.colour))].sort();
}

/**
 * How each of a map's colours looks: known names as they should, others as is left.
 *
 * @param {string[]} colours
 * @returns {Map<string, AmuletStyle>}
 */
export function amuletStyles(colours) {
  const known = { ...NAMED, ...OTHERS };
  const ordered = [...colours].sort(
    (a, b) => Number(!(a in NAMED)) - Number(!(b in NAMED)) || (a < b ? -1 : 1),
  );
  const free = Object.entries(OTHERS).filter(([name]) => !colours.includes(name));
  /** @type {Map<string, AmuletStyle>} */
  const styles = new Map();
  for (const colour of ordered) {
    const look = known[colour] ?? free.shift()?.[1] ?? known.grey;
    styles.set(colour, amuletStyle(/** @type {Look} */ (look)));
  }
  return styles;
}

/**
 * @param {Look} look
 * @returns {AmuletStyle}
 */
function amuletStyle([fill, pattern, badge]) {
  const ink = inkOn(fill);
  const dark = ink === PAPER;
  return {
    fill,
    ink,
    line: dark ? fill : mix(fill, "#000000", 0.35),
    pale: mix(PAPER, fill, dark ? 0.22 : 0.6),
    pattern,
    badge,
  };
}

/** @type {Record<NpcLabel["expertise"], Pick<AgentStyle, "shape" | "letter">>} */
const KINDS = {
  expert: { shape: "disc", letter: "E" },
  novice: { shape: "square", letter: "N" },
  teacher: { shape: "triangle", letter: "T" },
  untold: { shape: "pentagon", letter: "?" },
};

/**
 * How each agent looks, by "main" and the NPCs' ids; agent2, agent3, … keep their hues.
 *
 * @param {NpcLabel[]} npcs
 * @returns {Map<string, AgentStyle>}
 */
export function agentStyles(npcs) {
  /** @type {Map<string, AgentStyle>} */
  const styles = new Map([["main", mainStyle()]]);
  const ownNumbers = npcs.map((npc) => Number(/^agent([1-9]\d?)$/.exec(npc.id)?.[1] ?? 0));
  let next = 2;
  npcs.forEach((npc, index) => {
    while (ownNumbers.includes(next)) next += 1;
    const number = ownNumbers[index] || next++;
    const { shape, letter } = KINDS[npc.expertise];
    styles.set(npc.id, {
      fill: /** @type {string} */ (NPC_HUES[(number + 4) % NPC_HUES.length]),
      shape,
      letter,
      number: String(number),
      label: npcs.length > 1 ? letter + number : letter,
    });
  });
  return styles;
}

/** @returns {AgentStyle} */
function mainStyle() {
  return { fill: MAIN_HUE, shape: "diamond", letter: "M", number: "", label: "M" };
}

/**
 * White or dark, whichever is well read on a fill.
 *
 * @param {string} fill
 * @returns {string}
 */
function inkOn(fill) {
  const [red, green, blue] = channels(fill).map((byte) => {
    const c = byte / 255;
    return c <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  return 1.05 / (luminance + 0.05) >= 3.2 ? PAPER : INK;
}

/**
 * Two colours mixed: amount 0 is the first, 1 the second.
 *
 * @param {string} from
 * @param {string} to
 * @param {number} amount
 * @returns {string}
 */
export function mix(from, to, amount) {
  const ends = channels(to);
  const mixed = channels(from).map((c, i) => Math.round(c + ((ends[i] ?? 0) - c) * amount));
  return "#" + mixed.map((c) => c.toString(16).padStart(2, "0")).join("");
}

/** @param {string} colour */
function channels(colour) {
  return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}
