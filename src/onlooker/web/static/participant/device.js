/** Whether the game can be played on this device and in this window. */

import { t } from "../shared/texts.js";

/** The smallest window, width and height, that the client itself can draw the game in. */
export const MIN_WINDOW = /** @type {[number, number]} */ ([900, 600]);

/** Whether this device has neither mouse nor trackpad. */
export function touchOnly() {
  const touch = matchMedia("(hover: none) and (pointer: coarse)").matches;
  return touch && !matchMedia("(any-pointer: fine)").matches;
}

/**
 * What is in the way, in words; null if nothing is.
 *
 * @param {[number, number]} least
 * @returns {{title: string, text: string} | null}
 */
export function deviceProblem([width, height]) {
  if (touchOnly())
    return {
      title: t("computer_title"),
      text: t("computer"),
    };
  if (innerWidth < width || innerHeight < height)
    return {
      title: t("larger_title"),
      text: t("larger", { width, height, has_width: innerWidth, has_height: innerHeight }),
    };
  return null;
}
