/**
 * Step, play, scrub and jump.
 *
 * @import { ReplayDocument } from "./types.js"
 */

import { h, s } from "../shared/dom.js";

/** The signs on the buttons, in a square of 20. */
const SIGNS = {
  start: "M4 4v12M16 4L7 10L16 16Z",
  back: "M12 4L6 10L12 16",
  play: "M6 4L16 10L6 16Z",
  pause: "M6 4V16M14 4V16",
  on: "M8 4L14 10L8 16",
  end: "M4 4L13 10L4 16ZM16 4v12",
};

/**
 * @typedef {object} Moves
 * @property {(step: number) => void} go
 * @property {(by: number) => void} by
 * @property {() => void} next to the next turning point
 * @property {() => void} toggle
 */

/** The buttons and the slider under the map. */
export class Transport {
  #last = 0;
  #range;
  #toggle;
  #where = h("output", { class: "where", for: "step" });

  /** @param {Moves} moves */
  constructor(moves) {
    this.#toggle = button("Play", "play", () => moves.toggle());
    this.#range = h("input", {
      id: "step",
      type: "range",
      min: 0,
      value: 0,
      "aria-label": "Step",
      oninput: () => moves.go(Number(this.#range.value)),
    });
    this.element = h(
      "div",
      { class: "transport", role: "group", "aria-label": "Step through the trial" },
      button("To the start", "start", () => moves.go(0)),
      button("One step back", "back", () => moves.by(-1)),
      this.#toggle,
      button("One step forward", "on", () => moves.by(1)),
      button("To the end", "end", () => moves.go(this.#last)),
      this.#range,
      this.#where,
      h("button", { type: "button", onclick: () => moves.next() }, "Next decision"),
    );
  }

  /** @param {boolean} playing */
  playing(playing) {
    this.#toggle.replaceChildren(glyph(playing ? "pause" : "play"));
    for (const name of ["aria-label", "title"])
      this.#toggle.setAttribute(name, playing ? "Pause" : "Play");
  }

  /**
   * @param {ReplayDocument} document
   * @param {number} step
   */
  at(document, step) {
    this.#last = document.frames.length - 1;
    this.#range.max = String(this.#last);
    this.#range.value = String(step);
    const did = document.frames[step]?.did;
    this.#range.setAttribute("aria-valuetext", `${step} of ${this.#last}`);
    this.#where.textContent = `${step} / ${this.#last}`;
    this.#where.title = did ? did.words : "";
  }
}

/**
 * @param {string} name
 * @param {keyof typeof SIGNS} sign
 * @param {() => void} act
 */
function button(name, sign, act) {
  const more = { "aria-label": name, title: name, onclick: act };
  return h("button", { type: "button", ...more }, glyph(sign));
}

/** @param {keyof typeof SIGNS} sign */
function glyph(sign) {
  const filled = SIGNS[sign].endsWith("Z") || sign === "end";
  const look = { fill: filled ? "currentColor" : "none", stroke: "currentColor" };
  const more = { "stroke-width": 2.4, "stroke-linejoin": "round", "stroke-linecap": "round" };
  return s(
    "svg",
    { class: "glyph", viewBox: "0 0 20 20", "aria-hidden": "true" },
    s("path", { d: SIGNS[sign], ...look, ...more }),
  );
}
