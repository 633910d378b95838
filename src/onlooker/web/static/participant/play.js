/**
 * The game screen: Game Info, the map and Actions, with what happened last above the map.
 *
 * @import { Game } from "../shared/types.js"
 * @import { Handlers } from "./actions.js"
 */

import { actionsPanel } from "./actions.js";
import { animateLast, flash } from "../shared/animate.js";
import { h } from "../shared/dom.js";
import { render } from "../shared/game.js";
import { infoPanel } from "./info.js";
import { choiceOf } from "../shared/keys.js";
import { focusCell, focusedCell, lookAround } from "../shared/look.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";
import { counted, t } from "../shared/texts.js";

/** A game on screen, redrawn with every reply of the server. */
export class Play {
  /** @type {SVGSVGElement | null} */
  #map = null;
  /** @type {Game} */
  #game;
  #on;
  #nextLabel;
  #news = h("div", { class: "news", role: "status", "aria-live": "polite" });
  #field = h("div", { class: "field" });
  #log = h("ol", { class: "log" });
  #info = h("section");
  #actions = h("section");

  /**
   * @param {Game} game
   * @param {Handlers} on
   * @param {string} nextLabel
   */
  constructor(game, on, nextLabel) {
    this.#game = game;
    this.#on = on;
    this.#nextLabel = nextLabel;
    const history = h("section", { class: "panel history", "aria-labelledby": "log-title" });
    history.append(
      h("h2", { id: "log-title" }, t("happened")),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "group", "aria-labelledby": "log-title" },
        this.#log,
      ),
    );
    this.element = h(
      "div",
      { class: "play" },
      this.#info,
      h("div", { class: "centre" }, this.#news, this.#field),
      h("div", { class: "side" }, this.#actions, history),
    );
    this.#draw();
    for (const { kind, text } of game.history) this.#log.prepend(h("li", { class: kind }, text));
    this.#showNews();
  }

  /** Where the focus goes when the game appears. */
  get focus() {
    return this.#actions.querySelector(".primary") ?? this.#actions;
  }

  /**
   * Draw the same game after something happened.
   *
   * @param {Game} game
   */
  update(game) {
    const fresh = changed(this.#game, game);
    this.#game = game;
    this.#draw();
    if (!fresh) return;
    this.#showNews();
    flash(this.#news);
    if (this.#map) animateLast(this.#map, game.last);
  }

  /**
   * A key was pressed: look around, or make the choice it stands for if that is available.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (this.#map && lookAround(this.#map, event)) return event.preventDefault();
    const choice = choiceOf(event, this.#game.npcs);
    if (!choice) return;
    event.preventDefault();
    if (!event.repeat) this.#on.choose(choice);
  }

  #draw() {
    const game = this.#game;
    const cell = this.#map && focusedCell(this.#map);
    const button = document.activeElement?.getAttribute("data-choice");
    const map = render(game, { cells: true, label: mapLabel(game) });
    this.#field.replaceChildren(map);
    this.#map = map;
    this.#info = replace(this.#info, infoPanel(game));
    this.#actions = replace(this.#actions, actionsPanel(game, this.#on, this.#nextLabel));
    if (cell) focusCell(map, cell);
    else if (button) this.#refocus(button);
    if (game.finished) /** @type {HTMLElement} */ (this.focus).focus();
  }

  /**
   * Keep the focus on the button that was pressed, or in its panel if that is now blocked.
   *
   * @param {string} choice
   */
  #refocus(choice) {
    const button = this.#actions.querySelector(`[data-choice="${CSS.escape(choice)}"]:enabled`);
    /** @type {HTMLElement} */ (button ?? this.#actions).focus();
  }

  #showNews() {
    const { last, npcs, points } = this.#game;
    if (!last) {
      this.#news.replaceChildren(h("p", {}, t("your_turn")));
      return;
    }
    const style = agentStyles(npcs).get(last.who);
    this.#news.className = `news ${last.kind}`;
    this.#news.replaceChildren(
      style ? pieces.icon(pieces.agent(style)) : "",
      h(
        "p",
        {},
        last.text,
        h("span", { class: "visually-hidden" }, ` ${t("points_left", { points: counted("points", points.left) })}`),
      ),
    );
    this.#log.prepend(h("li", { class: last.kind }, last.text));
  }
}

/**
 * Whether something happened between two pictures of a game, rather than the same one coming again.
 *
 * @param {Game} before
 * @param {Game} after
 */
function changed(before, after) {
  const [old, now] = [before, after].map((game) => JSON.stringify([game.last, game.points]));
  return old !== now;
}

/** @param {Game} game */
function mapLabel(game) {
  return t("map_label", { width: game.width, height: game.height });
}

/**
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function replace(old, fresh) {
  old.replaceWith(fresh);
  return fresh;
}
