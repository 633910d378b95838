/** A map as text, checked by the server as one types. */

import { h } from "./dom.js";

const PAUSE_MS = 250;

/**
 * @typedef {{problems: string[], warnings: string[]}} Found what is wrong with a text, or doubtful
 *
 * @typedef {object} Checking
 * @property {(text: string) => Promise<Found>} check
 * @property {(text: string) => void} use a text in which nothing is wrong
 * @property {() => void} closed
 */

/** The panel that a map is typed or pasted into. */
export class PastePanel {
  #timer = 0;
  #asked = 0;
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
    const close = h(
      "button",
      { type: "button", class: "quiet", onclick: () => this.#close() },
      "Close",
    );
    this.element = h(
      "section",
      { class: "panel paste", hidden: true, "aria-labelledby": "map-title" },
      h("div", { class: "head" }, h("h2", { id: "map-title" }, "Map text"), close),
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
   * Open or close the panel.
   *
   * @param {boolean} open
   * @param {string} [text] to begin with
   */
  toggle(open, text) {
    this.element.hidden = !open;
    if (text !== undefined) this.#area.value = text;
    if (open) this.#area.focus();
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
