/**
 * An example in the tutorial: its frames shown one after the other, over and over, or by hand.
 *
 * @import { Game } from "../shared/types.js"
 * @import { Example } from "./types.js"
 */

import { animateLast, prefersReducedMotion } from "../shared/animate.js";
import { h, points } from "../shared/dom.js";
import { render } from "../shared/game.js";
import { t } from "../shared/texts.js";

const FRAME_MS = 1700;
const END_MS = 2800; // the last frame stays longer before it begins again

/** A player for the frames of an example. */
export class ExamplePlayer {
  #example;
  #seen;
  #at = 0;
  #timer = 0;
  #field = h("div", { class: "field" });
  #step = h("p", { class: "step" });
  #points = h("p", { class: "budget" });
  #toggle = h("button", { type: "button", onclick: () => this.#playPause() });

  /**
   * @param {Example} example
   * @param {() => void} seen called when the last frame is shown
   */
  constructor(example, seen) {
    this.#example = example;
    this.#seen = seen;
    this.element = h(
      "figure",
      { class: "example" },
      h("figcaption", {}, example.caption),
      this.#field,
      h("div", { class: "description" }, this.#step, this.#points),
      example.frames.length > 1 &&
        h(
          "div",
          { class: "controls" },
          h(
            "button",
            { type: "button", "aria-label": t("step_back"), onclick: () => this.#go(-1) },
            "◀",
          ),
          this.#toggle,
          h(
            "button",
            { type: "button", "aria-label": t("step_on"), onclick: () => this.#go(1) },
            "▶",
          ),
        ),
    );
    this.#show(0);
    if (prefersReducedMotion() || example.frames.length === 1) this.#pause();
    else this.#play();
  }

  /** Stop for good. */
  close() {
    clearTimeout(this.#timer);
  }

  #playPause() {
    if (this.#timer) this.#pause();
    else this.#play();
  }

  #play() {
    const last = this.#at === this.#example.frames.length - 1;
    this.#toggle.textContent = t("pause");
    this.#timer = setTimeout(
      () => (this.#show(this.#at + 1), this.#play()),
      last ? END_MS : FRAME_MS,
    );
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#toggle.textContent = t("play");
  }

  /** @param {number} by */
  #go(by) {
    this.#pause();
    this.#show(this.#at + by);
  }

  /** @param {number} index */
  #show(index) {
    const { frames, actions } = this.#example;
    this.#at = (index + frames.length) % frames.length;
    const game = /** @type {Game} */ (frames[this.#at]);
    const map = render(game, { label: this.#example.caption });
    this.#field.replaceChildren(map);
    if (this.#at) animateLast(map, game.last);
    if (this.#at === frames.length - 1) this.#seen();
    const happened = game.last?.text ?? actions[this.#at - 1] ?? "";
    if (frames.length === 1) return;
    this.#step.replaceChildren(
      h("b", {}, `${this.#at ? t("example_step", { at: this.#at, of: frames.length - 1 }) : t("example_before")} `),
      this.#at ? happened : t("example_begins"),
    );
    this.#points.replaceChildren(h("b", {}, points(game.points.left)), ` ${t("example_points")}`);
  }
}
