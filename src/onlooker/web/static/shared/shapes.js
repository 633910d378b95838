/** The outlines of things as SVG path data, around the origin; a cell is 100 wide. */

/** @typedef {[number, number]} Point */

/** @param {number} value */
const round = (value) => Number(value.toFixed(2));

/**
 * @param {Point[]} points
 * @returns {string}
 */
export function line(points) {
  return "M" + points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L");
}

/** @param {Point[]} points */
function polygon(points) {
  return line(points) + "Z";
}

/**
 * A regular polygon, a corner at the top unless turned (in degrees).
 *
 * @param {number} corners
 * @param {number} radius
 * @param {number} [turn]
 * @param {number} [down] how far below the origin
 * @returns {string}
 */
export function regular(corners, radius, turn = 0, down = 0) {
  return polygon(
    Array.from({ length: corners }, (_, i) => {
      const angle = (2 * Math.PI * i) / corners + (turn * Math.PI) / 180;
      return /** @type {Point} */ ([radius * Math.sin(angle), down - radius * Math.cos(angle)]);
    }),
  );
}

/**
 * @param {number} radius
 * @param {number} [x]
 * @param {number} [y]
 * @returns {string}
 */
export function disc(radius, x = 0, y = 0) {
  const half = `a${radius} ${radius} 0 1 0 `;
  return `M${x - radius} ${y}${half}${2 * radius} 0${half}${-2 * radius} 0Z`;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} [x]
 * @param {number} [y]
 * @returns {string}
 */
export function box(width, height, x = 0, y = 0) {
  const [w, h] = [width / 2, height / 2];
  return polygon([
    [x - w, y - h],
    [x + w, y - h],
    [x + w, y + h],
    [x - w, y + h],
  ]);
}

/** A treasure chest: its outline, and the line between lid and body. */
export const CHEST_OUTLINE = "M-40 33V-5.3Q-40 -33 -22 -33H22Q40 -33 40 -5.3V33Z";
export const CHEST_LID = "M-40 -5.3H40";

/**
 * Each colour's sign on its wizards, radius about 10; filled by the even-odd rule.
 *
 * @type {Record<string, string>}
 */
export const BADGES = {
  disc: disc(9),
  square: box(16, 16),
  triangle: regular(3, 11.5, 0, 2),
  diamond: regular(4, 11.5),
  plus: "M-10 -3.5H-3.5V-10H3.5V-3.5H10V3.5H3.5V10H-3.5V3.5H-10Z",
  cross: "M0 -5L6 -11L11 -6L5 0L11 6L6 11L0 5L-6 11L-11 6L-5 0L-11 -6L-6 -11Z",
  ring: disc(10) + disc(5),
  frame: box(18, 18) + box(9, 9),
  lozenge: regular(4, 13) + regular(4, 6.5),
  bar: box(22, 8),
  bars: box(6, 20, -6) + box(6, 20, 6),
  wedge: regular(3, 11.5, 180, -2),
};

const STEPS = [-37.5, -12.5, 12.5, 37.5];

/** @param {1 | -1} sign */
function diagonals(sign) {
  const shifts = [-75, -50, -25, 0, 25, 50, 75];
  return shifts.map((x) => `M${x - 50} ${sign * 50}L${x + 50} ${-sign * 50}`).join("");
}

/** @param {(x: number, y: number, column: number, row: number) => string} draw */
function spots(draw) {
  return STEPS.flatMap((y, row) => STEPS.map((x, column) => draw(x, y, column, row))).join("");
}

const ROWS = STEPS.map((y) => `M-50 ${y}H50`).join("");
const COLUMNS = STEPS.map((x) => `M${x} -50V50`).join("");
const ZIGZAG = STEPS.map((y) =>
  line(Array.from({ length: 9 }, (_, i) => [i * 12.5 - 50, y + (i % 2 ? 6 : -6)])),
).join("");
const JOINTS = STEPS.map((y, row) =>
  [-25, 25].map((x) => `M${x + (row % 2 ? 12.5 : -12.5)} ${y}v25`).join(""),
).join("");

/**
 * Each colour's pattern on its barriers; drawn as lines unless `filled`.
 *
 * @type {Record<string, {path: string, filled?: boolean}>}
 */
export const PATTERNS = {
  diagonal: { path: diagonals(1) },
  antidiagonal: { path: diagonals(-1) },
  horizontal: { path: ROWS },
  vertical: { path: COLUMNS },
  grid: { path: ROWS + COLUMNS },
  lattice: { path: diagonals(1) + diagonals(-1) },
  zigzag: { path: ZIGZAG },
  bricks: { path: ROWS + JOINTS },
  pluses: { path: spots((x, y) => `M${x - 7} ${y}h14M${x} ${y - 7}v14`) },
  rings: { path: spots((x, y) => disc(7, x, y)) },
  dots: { path: spots((x, y) => disc(7, x, y)), filled: true },
  checks: {
    path: spots((x, y, column, row) => ((column + row) % 2 ? box(25, 25, x, y) : "")),
    filled: true,
  },
};
