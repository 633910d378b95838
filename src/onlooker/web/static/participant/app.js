/**
 * The participant's page: draws the server's views and sends the participant's intents.
 *
 * @import { Screen, ScreenView } from "./types.js"
 */

import { Api, Refused, TakenOver } from "./api.js";
import { arrival, isTestRun, restart } from "./arrival.js";
import { LEAST, obstacle } from "./device.js";
import { h, heading } from "../shared/dom.js";
import { askToLeave } from "./leave.js";
import { Notes } from "./notes.js";
import { draw } from "./screens.js";

const LONG_WAIT_S = 30;
const LEAVABLE = ["consent", "tutorial", "check", "card", "trial", "survey"];

/**
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`index.html lacks #${id}`);
  return element;
}

const main = byId("screen", HTMLElement);
const header = byId("top", HTMLElement);
const blocked = byId("blocked", HTMLElement);
const connection = byId("connection", HTMLElement);
const notice = byId("notice", HTMLElement);
const leaving = byId("leaving", HTMLDialogElement);
const leaveButton = byId("leave", HTMLButtonElement);
const restartButton = byId("restart", HTMLButtonElement);
const galleryLink = byId("gallery", HTMLAnchorElement);

const api = new Api(reportConnection);
const notes = new Notes(api, stop);

/** @type {ScreenView | null} */
let view = null;
/** @type {Screen | null} */
let screen = null;
/** @type {Record<string, string>} */
let answers = {};
let busy = false;
let pending = Promise.resolve();
let least = LEAST;

/**
 * Send an intention, unless another is under way, and draw the reply.
 *
 * @param {string} kind
 * @param {object} [data]
 */
function send(kind, data = {}) {
  if (!busy && view) pending = exchange(kind, data, view.seq);
}

/**
 * @param {string} kind
 * @param {object} data
 * @param {number} seq
 */
async function exchange(kind, data, seq) {
  if ("answers" in data) answers = /** @type {Record<string, string>} */ (data.answers);
  busy = true;
  main.setAttribute("aria-busy", "true");
  try {
    const { view: next, problem } = await api.intend(kind, data, seq);
    show(next);
    showProblem(problem);
  } catch (error) {
    stop(error);
  } finally {
    busy = false;
    main.removeAttribute("aria-busy");
  }
}

/** Leave the study, after what is under way. */
async function withdraw() {
  await pending;
  send("withdraw");
}

/** @param {ScreenView} next */
function show(next) {
  const same = view?.screen === next.screen && view.seq === next.seq;
  view = next;
  main.dataset.screen = next.screen;
  showHeader(next);
  if (!screen?.update?.(next) && !same) put(draw(next, send, answers));
}

/**
 * Show what was not possible, or clear the message.
 *
 * @param {string} problem
 */
function showProblem(problem) {
  notice.textContent = problem && `That was not possible: ${problem}.`;
}

/** @param {Screen} next */
function put(next) {
  screen?.close?.();
  screen = next;
  main.replaceChildren(next.element);
  document.body.classList.toggle("fill", Boolean(next.fill));
  scrollTo(0, 0);
  next.focus?.focus();
}

/** @param {ScreenView} next */
function showHeader({ study, progress, screen }) {
  byId("study", HTMLElement).textContent = study.title;
  document.title = study.title;
  const bar = byId("progress", HTMLElement);
  bar.hidden = !progress;
  if (progress)
    bar.replaceChildren(
      h(
        "span",
        {},
        `${screen === "tutorial" ? "Tutorial" : "Round"} ${progress.at} of ${progress.of}`,
      ),
      h("progress", { max: progress.of, value: progress.at, "aria-label": "Progress" }),
    );
  leaveButton.hidden = !LEAVABLE.includes(screen);
  restartButton.hidden = galleryLink.hidden = !isTestRun();
  header.hidden = false;
}

/**
 * Show that this page cannot go on, and why.
 *
 * @param {unknown} error
 * @param {string} [title]
 */
function stop(error, title = "Something went wrong") {
  const taken = error instanceof TakenOver;
  if (!taken) notes.add("error", String(error));
  const text = taken
    ? "This study is now open in another tab or window. Please go on there; you can close this one."
    : error instanceof Error
      ? error.message
      : String(error);
  const top = heading(taken ? "Continued in another tab" : title);
  const label = taken ? "Go on here instead" : "Reload the page";
  const again = h("button", { type: "button", onclick: () => location.reload() }, label);
  leaving.close();
  view = null;
  header.hidden = true;
  connection.textContent = "";
  const buttons = h("div", { class: "buttons" }, again);
  put({ element: h("article", { class: "sheet" }, top, h("p", {}, text), buttons), focus: top });
}

/**
 * @param {"waiting" | "connected"} state
 * @param {number} seconds
 */
function reportConnection(state, seconds) {
  if (state === "connected") notes.add("reconnect", `after ${seconds} s`);
  const more = " Your progress is saved: you can also reload the page or come back later.";
  const text = seconds < LONG_WAIT_S ? "Reconnecting…" : "Reconnecting…" + more;
  connection.textContent = state === "connected" ? "" : text;
}

/** Show the page, or what is in the way of playing it. */
function fit() {
  const problem = obstacle(least);
  main.hidden = Boolean(problem);
  blocked.hidden = !problem;
  if (problem) blocked.replaceChildren(h("h1", {}, problem.title), h("p", {}, problem.text));
  return !problem;
}

/** Arrive as soon as the window is fit for the game. */
async function begin() {
  if (!fit()) return addEventListener("resize", begin, { once: true });
  try {
    show(await api.arrive(arrival()));
  } catch (error) {
    if (!(error instanceof Refused && error.minimum))
      return stop(error, "The study cannot be opened");
    least = error.minimum;
    return begin();
  }
  notes.watch();
  addEventListener("resize", fit);
  fit();
}

document.addEventListener("keydown", (event) => {
  const typing =
    event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (!typing && !leaving.open && !main.hidden) screen?.key?.(event);
});
leaveButton.addEventListener("click", () => askToLeave(leaving, withdraw));
restartButton.addEventListener("click", restart);

begin();
