/**
 * A replay on screen: the map of a step, what the model thinks, the timelines and the transport.
 *
 * @import { Overlay, ReplayFrame, Timeline, ReplayDocument } from "./types.js"
 */

import { animateLast, prefersReducedMotion } from "../shared/animate.js";
import { h, points } from "../shared/dom.js";
import { focusCell, focusedCell, lookAround } from "../shared/look.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";
import { timelines } from "./timelines.js";
import { frameMap } from "./map.js";
import { mindPanels } from "./mind.js";
import { Transport } from "./transport.js";

const FRAME_MS = 900;
const MARGIN = 8; // pixels at least beside the present step of the timelines

/**
 * @typedef {object} Host what the page does when something is chosen in the viewer
 * @property {(step: number) => void} onStep
 * @property {(player: string, step: number) => void} onPlayer
 */

/** Shows replay documents, one step at a time. */
export class Viewer {
  /** @type {ReplayDocument | null} */
  #document = null;
  /** @type {SVGSVGElement | null} */
  #map = null;
  /** @type {Overlay | null} */
  #pointed = null;
  /** @type {Overlay | null} */
  #pinned = null;
  #step = 0;
  #timer = 0;
  #host;
  #news = h("div", { class: "news", role: "status", "aria-live": "polite" });
  #field = h("div", { class: "field" });
  #mind = h("div", { class: "mind", tabindex: 0, role: "group", "aria-label": "The model’s mind" });
  #lines = h("section");
  #transport = new Transport({
    go: (step) => this.jump(step),
    by: (by) => this.jump(this.#step + by),
    next: () => this.#nextTurn(),
    toggle: () => this.toggle(),
  });

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
    this.stage = h(
      "section",
      { class: "stage", "aria-label": "The trial" },
      this.#news,
      this.#field,
      this.#transport.element,
    );
    this.element = h("div", { class: "viewer" }, this.stage, this.#mind, this.#lines);
  }

  /** The step that is shown. */
  get step() {
    return this.#step;
  }

  /**
   * Show a replay; a step that it does not have becomes its last one.
   *
   * @param {ReplayDocument} document
   * @param {number} step
   */
  show(document, step) {
    const same = this.#document?.trial.text === document.trial.text;
    if (!same) this.#pinned = null;
    if (!same || this.#document?.player.id !== document.player.id) this.pause();
    this.#document = document;
    this.#pointed = null;
    this.#step = this.#within(step);
    this.#draw(false);
  }

  /**
   * Go to a step, and stop playing.
   *
   * @param {number} step
   */
  jump(step) {
    this.pause();
    this.#go(step);
  }

  /** Play, or stop playing. */
  toggle() {
    if (this.#timer) return this.pause();
    if (this.#document && this.#step >= this.#document.frames.length - 1) this.#go(0);
    this.#timer = setInterval(() => this.#tick(), FRAME_MS);
    this.#news.setAttribute("aria-live", "off");
    this.#transport.playing(true);
  }

  /** Stop playing. */
  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#news.setAttribute("aria-live", "polite");
    this.#transport.playing(false);
  }

  /**
   * A key was pressed somewhere on the page.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (this.#map && lookAround(this.#map, event)) return event.preventDefault();
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const last = (this.#document?.frames.length ?? 1) - 1;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => this.jump(this.#step + 1),
      ArrowLeft: () => this.jump(this.#step - 1),
      Home: () => this.jump(0),
      End: () => this.jump(last),
      n: () => this.#nextTurn(),
      " ": () => this.toggle(),
    };
    const act = keys[event.key];
    if (!act || (event.key === " " && pressable(event.target))) return;
    event.preventDefault();
    act();
  }

  #tick() {
    this.#go(this.#step + 1);
    if (this.#document && this.#step >= this.#document.frames.length - 1) this.pause();
  }

  #nextTurn() {
    const next = this.#document?.turns.find((turn) => turn > this.#step);
    if (next !== undefined) this.jump(next);
  }

  /** @param {number} step */
  #within(step) {
    const last = (this.#document?.frames.length ?? 1) - 1;
    return Math.min(Math.max(Math.trunc(step) || 0, 0), last);
  }

  /** @param {number} step */
  #go(step) {
    const to = this.#within(step);
    if (to === this.#step) return;
    const forward = to === this.#step + 1;
    this.#step = to;
    this.#pointed = null;
    this.#draw(forward);
    this.#host.onStep(to);
  }

  /** @returns {ReplayFrame} */
  get #frame() {
    const frame = this.#document?.frames[this.#step];
    if (!frame) throw new Error("there is nothing to show");
    return frame;
  }

  /** @param {boolean} animate */
  #draw(animate) {
    const document = this.#document;
    if (!document) return;
    this.#repin();
    this.#drawMap();
    if (animate && this.#map && !this.#pinned && !prefersReducedMotion())
      animateLast(this.#map, this.#frame.game.last);
    this.#showNews(document);
    keepingFocus(this.#mind, "data-key", () =>
      this.#mind.replaceChildren(...mindPanels(document, this.#frame, this)),
    );
    const lines = timelines(document, this.#step, (line, step) => this.#choose(line, step));
    const focused = focusedLine(this.#lines);
    const scrolled = this.#lines.querySelector(".scroller")?.scrollLeft ?? 0;
    this.#lines.replaceWith(lines);
    this.#lines = lines;
    this.#follow(scrolled);
    if (focused !== null) focusLine(lines, focused);
    this.#transport.at(document, this.#step);
  }

  /**
   * Keep the present step of the timelines in sight.
   *
   * @param {number} scrolled
   */
  #follow(scrolled) {
    const scroller = this.#lines.querySelector(".scroller");
    const [names, now] = [".who", ".now"].map((name) => this.#lines.querySelector(name));
    if (!scroller) return;
    scroller.scrollLeft = scrolled;
    if (!(names instanceof HTMLElement && now instanceof HTMLElement)) return;
    const [from, to] = [names.offsetWidth + MARGIN, scroller.clientWidth - MARGIN];
    const at = now.offsetLeft - scroller.scrollLeft;
    if (at < from || at + now.offsetWidth > to)
      scroller.scrollLeft = now.offsetLeft - (from + to - now.offsetWidth) / 2;
  }

  #drawMap() {
    if (!this.#document) return;
    const cell = this.#map && focusedCell(this.#map);
    this.#map = frameMap(this.#document, this.#frame, this.#pointed ?? this.#pinned);
    this.#field.replaceChildren(this.#map);
    if (cell) focusCell(this.#map, cell);
  }

  /** @param {ReplayDocument} document */
  #showNews(document) {
    const frame = this.#frame;
    const { last, points: left } = frame.game;
    const style = last ? agentStyles(document.trial.npcs).get(last.who) : undefined;
    this.#news.className = `news ${last?.kind ?? ""}`;
    this.#news.replaceChildren(
      style ? pieces.icon(pieces.agent(style)) : "",
      h(
        "p",
        {},
        h("span", { class: "visually-hidden" }, `Step ${this.#step} of ${document.frames.length - 1}. `),
        frame.said || document.trial.setting,
        h("span", { class: "visually-hidden" }, ` ${frame.mind?.words ?? "The end."}`),
      ),
      h("p", { class: "left" }, h("b", {}, points(left.left)), ` of ${left.budget} points left`),
    );
  }

  /**
   * @param {Timeline} line
   * @param {number} step
   */
  #choose(line, step) {
    if (line.current || line.id === "advice") this.jump(step);
    else this.#host.onPlayer(line.id, step);
  }

  // -- ways on the map: see `Pointer` of mind.js ----------------------------------------------

  /** @param {Overlay | null} drawn */
  point(drawn) {
    if (this.#pointed?.key === drawn?.key) return;
    this.#pointed = drawn;
    this.#drawMap();
  }

  /** @param {Overlay} drawn */
  pin(drawn) {
    this.#pinned = this.#pinned?.key === drawn.key ? null : drawn;
    this.#pointed = null;
    this.#draw(false);
  }

  /** @returns {string | null} */
  pinned() {
    return this.#pinned?.key ?? null;
  }

  /** What is pinned, as it is at this step; let go where there is no such thing any more. */
  #repin() {
    const { mind } = this.#frame;
    const key = this.#pinned?.key;
    if (!key) return;
    this.#pinned = null;
    if (key === "tour" && mind?.tour)
      this.#pinned = { key, agent: "main", path: mind.tour.path, stops: mind.tour.stops };
    for (const { npc, particles } of mind?.npcs ?? [])
      for (const { goal, holders, watched, beyond } of particles)
        if (key === [npc, goal, ...Object.values(holders)].join(" "))
          this.#pinned = { key, agent: npc, path: watched, beyond };
  }
}

/**
 * Whether the space bar presses what has the focus.
 *
 * @param {EventTarget | null} target
 */
function pressable(target) {
  return target instanceof Element && target.closest("button, a, select, summary") !== null;
}

/**
 * The id of the timeline that has the focus; empty for all of them together, null for none.
 *
 * @param {HTMLElement} lines
 * @returns {string | null}
 */
function focusedLine(lines) {
  const active = document.activeElement;
  if (!active || !lines.contains(active)) return null;
  return active.closest(".line")?.getAttribute("data-line") ?? "";
}

/**
 * Give the focus to the present step of a timeline, or of the player's own if it is gone.
 *
 * @param {HTMLElement} lines
 * @param {string} id
 */
function focusLine(lines, id) {
  const line =
    lines.querySelector(`[data-line="${CSS.escape(id)}"]`) ?? lines.querySelector(".line.current");
  const cell = line?.querySelector(".now") ?? line?.querySelector("[tabindex='0']");
  const target = id ? cell : lines.querySelector(".scroller");
  if (target instanceof HTMLElement) target.focus();
}

/**
 * Redraw something and restore the focus to the element with the same attribute.
 *
 * @param {HTMLElement} element
 * @param {string} attribute
 * @param {() => void} draw
 */
function keepingFocus(element, attribute, draw) {
  const active = document.activeElement;
  const key = active && element.contains(active) ? active.getAttribute(attribute) : null;
  const scrolled = element.scrollTop;
  draw();
  element.scrollTop = scrolled;
  if (key === null) return;
  const again = element.querySelector(`[${attribute}="${CSS.escape(key)}"]`);
  (again instanceof HTMLElement ? again : element).focus({ preventScroll: true });
}
