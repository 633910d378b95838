/**
 * The tutorial: pages of text, some with an example, some with a game to practise on.
 *
 * @import { Game } from "../shared/types.js"
 * @import { Screen, ScreenView, Send, TutorialView } from "./types.js"
 */

import { h, heading, paragraphs } from "../shared/dom.js";
import { ExamplePlayer } from "./example.js";
import { Play } from "./play.js";

/**
 * @param {TutorialView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function tutorial(view, send) {
  return view.game ? practice(view, view.game, send) : page(view, send);
}

/**
 * @param {TutorialView} view
 * @param {Send} send
 * @returns {Screen}
 */
function page(view, send) {
  const title = heading(view.title);
  const player = view.example && new ExamplePlayer(view.example);
  const text = h(
    "div",
    { class: "text" },
    h("p", { class: "eyebrow" }, `Tutorial, page ${view.page} of ${view.pages}`),
    title,
    ...paragraphs(view.text),
    h(
      "div",
      { class: "buttons" },
      backButton(view, send),
      h("button", { type: "button", class: "primary", onclick: () => send("next") }, "Continue"),
    ),
  );
  const element = h("article", { class: player ? "lesson" : "sheet" }, text, player?.element);
  return { element, focus: title, fill: Boolean(player), close: () => player?.close() };
}

/**
 * @param {TutorialView} view
 * @param {Game} game
 * @param {Send} send
 * @returns {Screen}
 */
function practice(view, game, send) {
  const title = heading(view.title);
  const play = new Play(
    game,
    { choose: (choice) => send("choose", { choice }), next: () => send("next") },
    "Continue",
  );
  const element = h(
    "article",
    { class: "practice" },
    h(
      "header",
      {},
      h(
        "div",
        {},
        h("p", { class: "eyebrow" }, `Tutorial, page ${view.page} of ${view.pages}: practice`),
        title,
        ...paragraphs(view.text),
      ),
      backButton(view, send),
    ),
    play.element,
  );
  /** @param {ScreenView} next */
  const update = (next) => {
    if (next.screen !== "tutorial" || next.page !== view.page || !next.game) return false;
    play.update(next.game);
    return true;
  };
  return { element, focus: title, fill: true, update, key: (event) => play.key(event) };
}

/**
 * @param {TutorialView} view
 * @param {Send} send
 */
function backButton(view, send) {
  return view.page > 1 && h("button", { type: "button", onclick: () => send("back") }, "Back");
}
