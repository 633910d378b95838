/**
 * The tutorial: pages of text, some with an example, some with a game to practise on.
 *
 * @import { Game } from "../shared/types.js"
 * @import { Screen, ScreenView, Send, TutorialView } from "./types.js"
 */

import { h, heading, paragraphs } from "../shared/dom.js";
import { t } from "../shared/texts.js";
import { ExamplePlayer } from "./example.js";
import { Play } from "./play.js";

/** @type {Set<number>} the pages whose example was seen to its end since the page was loaded */
const EXAMPLES_SEEN = new Set();

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
  const seen = EXAMPLES_SEEN.has(view.page);
  const next = h(
    "button",
    { type: "button", class: "primary", onclick: () => send("next") },
    t("continue"),
  );
  const hint = h("p", { class: "fine hint" }, t("watch_first"));
  const unlock = () => {
    EXAMPLES_SEEN.add(view.page);
    next.disabled = false;
    hint.textContent = "";
  };
  const player = view.example && new ExamplePlayer(view.example, unlock);
  next.disabled = Boolean(player) && !seen && !EXAMPLES_SEEN.has(view.page);
  if (!next.disabled) hint.textContent = "";
  const text = h(
    "div",
    { class: "text" },
    h("p", { class: "eyebrow" }, t("tutorial_page", { page: view.page, pages: view.pages })),
    title,
    ...paragraphs(view.text),
    h("div", { class: "buttons" }, hint, backButton(view, send), next),
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
    t("continue"),
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
        h("p", { class: "eyebrow" }, t("tutorial_practice", { page: view.page, pages: view.pages })),
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
  return view.page > 1 && h("button", { type: "button", onclick: () => send("back") }, t("back"));
}
