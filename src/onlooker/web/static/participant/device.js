/** Whether the game can be played on this device and in this window. */

/** The smallest window, width and height, that the client itself can draw the game in. */
export const LEAST = /** @type {[number, number]} */ ([900, 600]);

/**
 * What is in the way, in words; null if nothing is.
 *
 * @param {[number, number]} least
 * @returns {{title: string, text: string} | null}
 */
export function obstacle([width, height]) {
  const touch = matchMedia("(hover: none) and (pointer: coarse)").matches;
  if (touch && !matchMedia("(any-pointer: fine)").matches)
    return {
      title: "Please use a computer",
      text:
        "This study is played with keyboard or mouse and does not work on phones and tablets. " +
        "Please open the same link on a laptop or desktop computer.",
    };
  if (innerWidth < width || innerHeight < height)
    return {
      title: "Please make this window larger",
      text:
        `The game needs a window of at least ${width} × ${height} pixels; this one has ` +
        `${innerWidth} × ${innerHeight}. Enlarge it or zoom out (Ctrl and −, on a Mac ⌘ and −). ` +
        "You will go on where you are.",
    };
  return null;
}
