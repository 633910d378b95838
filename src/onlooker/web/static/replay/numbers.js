/** Numbers as the replay writes them. */

/**
 * A number of points; those that are infinite come as null.
 *
 * @param {number | null} value
 * @returns {string}
 */
export function cost(value) {
  if (value === null) return "∞";
  return Number(value.toFixed(2)).toString().replace("-", "−");
}

/**
 * @param {number} p
 * @returns {string}
 */
export function percent(p) {
  if (p > 0 && p < 0.001) return "<0.1 %";
  const digits = p > 0.99 || p < 0.01 ? 1 : 0;
  return `${Number((100 * p).toFixed(digits))} %`;
}
