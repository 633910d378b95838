/** A map as text, checked by the server as one types. */

import { h } from "../shared/dom.js";

const PAUSE_MS = 250;

/**
 * @typedef {{problems: string[], warnings: string[]}} Found what is wrong with a text, or doubtful
 *
 * @typedef {object} Checking
 * @property {(text: string) => Promise<Found>} check
 * @property {() => string} text of what is shown
 * @property {(text: string) => void} use a text in which nothing is wrong
 * @property {() => void} closed
 */

/** The panel that a map is typed or pasted into. */
export class PastePanel {
  #timer = 0;
  #asked = 0;
  #given = ""; // what the text was before somebody changed it
  #on;
  #area = h("textarea", {
    id: "map-text",
    rows: 14,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "map-said",
    oninput: () => this.#typed(),
  });
  #said = h("div", { id: "map-said", role: "status" });

  /** @param {Checking} on */
  constructor(on) {
    this.#on = on;
    const again = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.fill() },
      "Start over",
    );
    const close = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.#close() },
      "Close",
    );
    this.element = h(
      "section",
      { class: "panel paste", hidden: true, "aria-labelledby": "map-title" },
      h("div", { class: "head" }, h("h2", { id: "map-title" }, "Map text"), again, close),
      h("label", { for: "map-text" }, "Paste or draw a trial: it is checked as you type."),
      this.#area,
      this.#said,
    );
  }

  /** Whether it can be seen. */
  get open() {
    return !this.element.hidden;
  }

  /**
   * Open or close the panel; what somebody has begun to change stays.
   *
   * @param {boolean} open
   */
  toggle(open) {
    this.element.hidden = !open;
    this.#stop();
    if (!open) return;
    if (this.#area.value === this.#given) this.fill();
    else this.#typed();
    this.#area.focus();
  }

  /** Put the text of what is shown into the panel. */
  fill() {
    this.#stop();
    this.#area.value = this.#given = this.#on.text();
  }

  /**
   * A text is shown now: if it is the one in the panel, nothing of it can be lost.
   *
   * @param {string} text
   */
  shown(text) {
    if (this.#area.value === text) this.#given = text;
  }

  /** Forget what is being checked. */
  #stop() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#said.replaceChildren();
  }

  #close() {
    this.toggle(false);
    this.#on.closed();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), PAUSE_MS);
  }

  async #check() {
    const text = this.#area.value;
    const asked = (this.#asked += 1);
    const { problems, warnings } = await this.#on.check(text);
    if (asked !== this.#asked) return;
    const found = problems.length ? problems : warnings;
    this.#said.className = problems.length ? "wrong" : warnings.length ? "doubtful" : "right";
    this.#said.replaceChildren(
      found.length
        ? h("ul", {}, ...found.map((one) => h("li", {}, one)))
        : h("p", {}, "Nothing is wrong with this map."),
    );
    if (!problems.length) this.#on.use(text);
  }
}
