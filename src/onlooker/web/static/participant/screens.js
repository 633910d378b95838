/**
 * Which screen draws which view.
 *
 * @import { Screen, ScreenView, Send } from "./types.js"
 */

import { check } from "./check.js";
import { survey } from "./survey.js";
import { consent, debrief, end } from "./texts.js";
import { card, trial } from "./trial.js";
import { tutorial } from "./tutorial.js";

/**
 * Draw a view as a new screen.
 *
 * @param {ScreenView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function draw(view, send) {
  switch (view.screen) {
    case "consent":
      return consent(view, send);
    case "tutorial":
      return tutorial(view, send);
    case "check":
      return check(view, send);
    case "card":
      return card(view, send);
    case "trial":
      return trial(view, send);
    case "questions":
    case "survey":
      return survey(view, send);
    case "debrief":
      return debrief(view);
    default:
      return end(view);
  }
}
