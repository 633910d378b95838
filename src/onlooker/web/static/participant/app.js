/**
 * The participant's page: draws the server's views and sends the participant's intents.
 *
 * @import { Screen, ScreenView } from "./types.js"
 */

import { Api, Refused, TakenOver } from "./api.js";
import { arrival, isTestRun, restart } from "./arrival.js";
import { MIN_WINDOW, deviceProblem } from "./device.js";
import { h, heading, paragraphs, points } from "../shared/dom.js";
import { askToLeave, showHelp } from "./dialogs.js";
import { Notes } from "./notes.js";
import { draw } from "./screens.js";
import { hasText, t, useTexts } from "../shared/texts.js";

const LONG_WAIT_S = 30;
const SLOW_MS = 1000; // a reply that takes longer is announced
const FRESH_MS = 400; // how long a new screen takes no clicks: they were meant for the one before
const MAX_WAITING = 3; // choices
const LEAVABLE = ["consent", "tutorial", "check", "card", "trial", "questions", "survey"];

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
const blocked = byId("blocked", HTMLElement);
const connection = byId("connection", HTMLElement);
const notice = byId("notice", HTMLElement);
const leaving = byId("leaving", HTMLDialogElement);
const helping = byId("helping", HTMLDialogElement);
const helpButton = byId("help", HTMLButtonElement);
const leaveButton = byId("leave", HTMLButtonElement);
const restartButton = byId("restart", HTMLButtonElement);
const galleryLink = byId("gallery", HTMLAnchorElement);

const api = new Api(reportConnection);
const notes = new Notes(api, stop);

/** @type {ScreenView | null} */
let view = null;
/** @type {Screen | null} */
let screen = null;
let busy = false;
/** Whether choices of a round are being sent; only then others may wait. */
let playing = false;
let fresh = 0;
let stopped = false;
let pending = Promise.resolve();
/** @type {string[]} choices made while another was under way */
const waiting = [];
let disconnected = false;
/** Whether the page is being left on purpose. */
let leavingPage = false;
let least = MIN_WINDOW;
let hasGallery = false;
/** @type {import("./dialogs.js").Help} */
let help = { rules: [], contact: "" };

/**
 * Send an intention and draw the reply. A choice made while another is under way waits for its turn.
 *
 * @param {string} kind
 * @param {object} [data]
 */
function send(kind, data = {}) {
  if (!view) return;
  if (kind === "choose") return choose(/** @type {{choice: string}} */ (data).choice);
  if (!busy) pending = exchange(kind, data, view.seq);
}

/** @param {string} choice */
function choose(choice) {
  if (disconnected) return; // the page says so; nothing piles up meanwhile
  if (busy && !playing) return; // the screen is about to change
  if (waiting.length >= MAX_WAITING) return showProblem(t("too_quick"));
  waiting.push(choice);
  if (!busy) pending = playWaiting();
}

/** Send the choices that wait, one after the other, as long as they are possible. */
async function playWaiting() {
  playing = true;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const game = view && "game" in view ? view.game : null;
    if (!view || !game || game.finished) break;
    if (!game.choices.some(({ choice }) => choice === next)) {
      showProblem(t(next.startsWith("observe") ? "at_its_chest" : "blocked_way"));
      break;
    }
    await exchange("choose", { choice: next }, view.seq);
  }
  waiting.length = 0;
  playing = false;
}

/**
 * @param {string} kind
 * @param {object} data
 * @param {number} seq
 */
async function exchange(kind, data, seq) {
  busy = true;
  main.setAttribute("aria-busy", "true");
  const slow = setTimeout(() => {
    if (!disconnected) connection.textContent = t("one_moment");
  }, SLOW_MS);
  try {
    const { view: next, problem } = await api.intend(kind, data, seq);
    show(next);
    showProblem(problem && t("not_possible"));
  } catch (error) {
    stop(error);
  } finally {
    clearTimeout(slow);
    if (!disconnected) connection.textContent = "";
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
  const ended = isFinished(next) && !isFinished(view);
  view = next;
  main.dataset.screen = next.screen;
  showHeader(next);
  if (!screen?.update?.(next) && !same) mount(draw(next, send));
  else if (ended) beFresh();
}

/** @param {ScreenView | null} shown */
function isFinished(shown) {
  return Boolean(shown && "game" in shown && shown.game?.finished);
}

/** Take no clicks for a moment: a double click or a held key was meant for what was there before. */
function beFresh() {
  main.classList.add("fresh");
  clearTimeout(fresh);
  fresh = setTimeout(() => main.classList.remove("fresh"), FRESH_MS);
}

/**
 * Show what was not possible, or clear the message.
 *
 * @param {string} problem
 */
function showProblem(problem) {
  notice.textContent = problem;
}

/** @param {Screen} next */
function mount(next) {
  screen?.close?.();
  waiting.length = 0; // no key of this screen is a choice on the next
  screen = next;
  main.replaceChildren(next.element);
  document.body.classList.toggle("fill", Boolean(next.fill));
  scrollTo(0, 0);
  next.focus?.focus();
  beFresh();
  fit();
}

/** @param {ScreenView} next */
function showHeader(next) {
  const { study, progress, screen } = next;
  const total = "total" in next ? next.total : undefined;
  byId("study", HTMLElement).textContent = study.title;
  document.title = study.title;
  const bar = byId("progress", HTMLElement);
  bar.hidden = !progress;
  if (progress)
    bar.replaceChildren(
      total === undefined ? "" : h("span", { id: "total" }, t("total", { points: points(total) })),
      h("span", {}, t(`part_${progress.part}`, { at: progress.at, of: progress.of })),
      h("progress", { max: 100, value: progress.done, "aria-label": t("progress") }),
    );
  leaveButton.hidden = !LEAVABLE.includes(screen);
  restartButton.hidden = !isTestRun();
  galleryLink.hidden = !isTestRun() || !hasGallery;
}

/**
 * Show why a link does not lead into the study: what is wrong with it, what to check, whom to ask.
 *
 * @param {Refused} refusal
 */
function refuseLink({ code, message }) {
  const title = heading(t("cannot_open"));
  const texts = code === "unfilled_link" ? [message] : [message, t("link_check")];
  const said = paragraphs([...texts, help.contact]);
  mount({ element: h("article", { class: "sheet" }, title, ...said), focus: title });
}

/**
 * Show that this page cannot go on, and why.
 *
 * @param {unknown} error
 */
function stop(error) {
  if (stopped) return; // its button must stay where it is
  stopped = true;
  notes.stop();
  const taken = error instanceof TakenOver;
  if (!taken) notes.add("error", String(error));
  const text = taken
    ? t("taken_over")
    : error instanceof Refused && hasText(`error_${error.code}`)
      ? t(`error_${error.code}`)
    : error instanceof Error
      ? error.message
      : String(error);
  const top = heading(taken ? t("taken_over_title") : t("error_title"));
  const label = t(taken ? "go_on_here" : "reload");
  const reload = { type: "button", class: "primary", onclick: () => location.reload() };
  const again = h("button", reload, label);
  leavingPage = true;
  waiting.length = 0;
  leaving.close();
  view = null;
  leaveButton.hidden = restartButton.hidden = galleryLink.hidden = true;
  byId("progress", HTMLElement).hidden = true;
  connection.textContent = "";
  const buttons = h("div", { class: "buttons" }, again);
  mount({ element: h("article", { class: "sheet" }, top, h("p", {}, text), buttons), focus: top });
}

/**
 * @param {"waiting" | "connected"} state
 * @param {number} seconds
 */
function reportConnection(state, seconds) {
  disconnected = state === "waiting";
  if (disconnected) waiting.length = 0;
  if (state === "connected") notes.add("reconnect", `after ${seconds} s`);
  const more = seconds < LONG_WAIT_S ? "" : ` ${t("progress_saved")}`;
  connection.textContent = state === "connected" ? "" : t("reconnecting") + more;
}

/** Show the page, or what is in the way of playing a game; texts can be read in any window. */
function fit() {
  const problem = screen && !screen.fill ? null : deviceProblem(least);
  main.hidden = Boolean(problem);
  blocked.hidden = !problem;
  if (problem) blocked.replaceChildren(h("h1", {}, problem.title), h("p", {}, problem.text));
  return !problem;
}

/** Arrive; somebody new comes in as soon as the window is large enough for the game. */
async function begin() {
  try {
    const arrived = await api.arrive(arrival());
    help = { ...help, rules: arrived.rules };
    show(arrived.view);
  } catch (error) {
    if (!(error instanceof Refused)) return stop(error);
    if (!error.minimum) return refuseLink(error);
    least = error.minimum;
    fit();
    return addEventListener("resize", begin, { once: true });
  }
  notes.watch();
  addEventListener("resize", fit);
  fit();
}

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  const scrolling = target instanceof Element && target.closest(".scroll") !== null;
  const asked = leaving.open || helping.open;
  if (!typing && !scrolling && !asked && !main.hidden) screen?.key?.(event);
});
document.addEventListener(
  "keydown",
  (event) => {
    const pressing = event.key === "Enter" || event.key === " ";
    const typing = event.target instanceof HTMLTextAreaElement;
    const held = event.repeat || main.classList.contains("fresh");
    if (pressing && held && !typing && main.contains(/** @type {Node} */ (event.target)))
      event.preventDefault();
  },
  { capture: true },
);
helpButton.addEventListener("click", () => showHelp(helping, help));
leaveButton.addEventListener("click", () => askToLeave(leaving, withdraw));
restartButton.addEventListener("click", () => {
  leavingPage = true;
  restart();
});
addEventListener("beforeunload", (event) => {
  const started = view && view.screen !== "consent" && LEAVABLE.includes(view.screen);
  if (started && !leavingPage) event.preventDefault(); // the browser asks in its own words
});

/** Speak the study's language, then begin. */
async function start() {
  const { texts, contact, gallery } = await api.texts();
  hasGallery = gallery;
  useTexts(texts);
  help = { rules: [], contact };
  helpButton.textContent = t("help");
  helpButton.hidden = false;
  leaveButton.textContent = t("leave");
  restartButton.textContent = t("new_test_run");
  galleryLink.textContent = t("gallery");
  begin();
}

start();
