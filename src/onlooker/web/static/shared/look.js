/** Looking around the map with the keyboard: shift and an arrow key move the focus. */

/** @type {Record<string, [number, number]>} */
const STEPS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * The cell of a map that has the focus.
 *
 * @param {SVGSVGElement} map
 * @returns {[number, number] | null}
 */
export function focusedCell(map) {
  const cell = document.activeElement;
  if (!(cell instanceof SVGElement) || !map.contains(cell)) return null;
  return [Number(cell.dataset.x), Number(cell.dataset.y)];
}

/**
 * Give the focus to a cell.
 *
 * @param {SVGSVGElement} map
 * @param {[number, number]} cell
 */
export function focusCell(map, [x, y]) {
  const next = map.querySelector(`[data-x="${x}"][data-y="${y}"]`);
  if (!(next instanceof SVGElement)) return;
  map.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

/**
 * Move the focus if the key says so.
 *
 * @param {SVGSVGElement} map
 * @param {KeyboardEvent} event
 * @returns {boolean} whether it did
 */
export function lookAround(map, event) {
  const step = event.shiftKey ? STEPS[event.key] : undefined;
  if (!step) return false;
  const at = focusedCell(map);
  if (at) focusCell(map, [at[0] + step[0], at[1] + step[1]]);
  else /** @type {SVGElement | null} */ (map.querySelector('[tabindex="0"]'))?.focus();
  return true;
}
