/**
 * The replay page: asks the server for replays and shows them; it computes nothing itself.
 *
 * @import { Offer, ReplayDocument } from "./replay-types.js"
 * @import { Wanted } from "./replay-address.js"
 */

import { h } from "./dom.js";
import { addressOf, wantedBy } from "./replay-address.js";
import { ParameterPanel, fillSelect } from "./replay-controls.js";
import { PastePanel } from "./replay-paste.js";
import { Viewer } from "./replay-viewer.js";

const RESEARCHER = location.pathname.startsWith("/researcher/");
const BASE = RESEARCHER ? "/researcher/replay" : "/api/replay";
const PAUSE_MS = 30;

/** @typedef {{error: string, message: string, problems: string[]}} Refusal */

let wanted = wantedBy(location);
/** @type {ReplayDocument | null} */
let shown = null;
/** @type {AbortController | null} */
let underWay = null;
let timer = 0;

const viewer = new Viewer({
  onStep: (step) => {
    wanted = { ...wanted, step };
    history.replaceState(null, "", addressOf(wanted));
  },
  onPlayer: (player, step) => go({ player, step }),
});
const parameters = new ParameterPanel(() => {
  const began = performance.now();
  wanted = { ...wanted, parameters: parameters.values };
  clearTimeout(timer);
  timer = setTimeout(() => load("replace", began), PAUSE_MS);
});
const paste = new PastePanel({
  check: async (text) => {
    const { refusal } = await post("check", { text });
    return refusal ? (refusal.problems.length ? refusal.problems : [refusal.message]) : [];
  },
  use: (text) => go({ trial: "", text, step: 0, player: observer() }),
});
const trials = h("select", { id: "trial", onchange: () => chosen(trials.value) });
const players = h("select", {
  id: "player",
  onchange: () => go({ player: players.value, step: 0 }),
});
const rounds = h("select", { id: "round", onchange: () => go({ trial: rounds.value, step: 0 }) });
const roundField = h("span", { class: "pick", hidden: true }, h("label", { for: "round" }, "Round"));
roundField.append(rounds);
const notice = h("div", { id: "notice", role: "alert" });
const edit = h(
  "button",
  { type: "button", class: "quiet", onclick: () => paste.toggle(!paste.open, shown?.trial.text) },
  "Edit or paste a map",
);

/** The player, if it can play any trial. */
function observer() {
  return wanted.player.startsWith("session-") ? "rational_mentalizing" : wanted.player;
}

/** @param {string} trial */
function chosen(trial) {
  paste.toggle(false);
  go({ trial, text: "", step: 0, player: observer() });
}

/**
 * Replay something else; one can come back with the browser's button.
 *
 * @param {Partial<Wanted>} changes
 */
function go(changes) {
  wanted = { ...wanted, ...changes };
  load("push");
}

/**
 * @param {string} call
 * @param {object} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<{answer: unknown, refusal: Refusal | null}>}
 */
async function post(call, body, signal) {
  const response = await fetch(`${BASE}/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
  const answer = await response.json();
  const refusal = response.ok ? null : { error: "", message: "", problems: [], ...answer };
  return { answer, refusal };
}

/**
 * Ask for the replay that is wanted and show it; an answer that comes too late is dropped.
 *
 * @param {"push" | "replace" | "keep"} how the address changes
 * @param {number} [began] when a slider was moved
 */
async function load(how, began) {
  underWay?.abort();
  const mine = (underWay = new AbortController());
  const { trial, text, player, parameters: values } = wanted;
  const body = { ...(text ? { text } : { trial }), player, parameters: values };
  main.setAttribute("aria-busy", "true");
  try {
    const { answer, refusal } = await post("document", body, mine.signal);
    if (mine.signal.aborted) return;
    if (refusal) refuse(refusal);
    else await accept(/** @type {ReplayDocument} */ (answer), how, began);
  } catch (error) {
    if (!mine.signal.aborted) notice.textContent = `The server cannot be reached: ${error}`;
  } finally {
    if (underWay === mine) main.removeAttribute("aria-busy");
  }
}

/**
 * @param {ReplayDocument} document
 * @param {"push" | "replace" | "keep"} how
 * @param {number} [began]
 */
async function accept(document, how, began) {
  const other = shown?.trial.id !== document.trial.id || shown.player.id !== document.player.id;
  shown = document;
  notice.replaceChildren();
  viewer.show(document, wanted.step);
  viewer.element.hidden = false;
  wanted = { ...wanted, step: viewer.step, trial: document.trial.id };
  if (how === "push") history.pushState(null, "", addressOf(wanted));
  else if (how === "replace") history.replaceState(null, "", addressOf(wanted));
  window.document.title = `${document.trial.title}: ${document.player.title} – onlooker`;
  parameters.tell(began === undefined ? {} : { took: performance.now() - began });
  if (other) await offer();
}

/** @param {Refusal} refusal */
function refuse({ error, message, problems }) {
  if (error === "parameters" && shown) return parameters.tell({ problem: message });
  const more = problems.length ? ` ${problems.join("; ")}` : "";
  const link =
    error === "sign_in" && h("a", { href: `/researcher/replay${addressOf(wanted)}` }, "Sign in");
  notice.replaceChildren(h("p", {}, `${message}${more} `, link));
  viewer.element.hidden = !shown;
}

/** Fill the lists with what can be chosen now. */
async function offer() {
  const query = new URLSearchParams({ trial: wanted.trial, player: wanted.player });
  const response = await fetch(`${BASE}/offer?${query}`);
  if (!response.ok) return;
  const given = /** @type {Offer} */ (await response.json());
  fillSelect(trials, given.trials, wanted.trial, wanted.text ? "A map of your own" : "–");
  fillSelect(players, given.players, wanted.player);
  roundField.hidden = !given.rounds.length;
  fillSelect(rounds, [{ title: "Rounds", entries: given.rounds }], wanted.trial);
  signIn.hidden = !given.hidden;
  parameters.show(given.controls, wanted.parameters);
}

const signIn = h(
  "a",
  { href: "/researcher/replay", hidden: true },
  "Sign in for the study’s trials",
);
const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
const main = /** @type {HTMLElement} */ (document.getElementById("replay"));
bar.append(
  h("h1", {}, "Replay"),
  h("span", { class: "pick" }, h("label", { for: "trial" }, "Trial"), trials),
  h("span", { class: "pick" }, h("label", { for: "player" }, "Played by"), players),
  roundField,
  edit,
  h(
    "nav",
    { "aria-label": "Pages" },
    signIn,
    h("a", { href: "/gallery" }, "Gallery"),
    RESEARCHER && h("a", { href: "/researcher" }, "Dashboard"),
  ),
);
document.body.classList.toggle("researcher", RESEARCHER);
viewer.element.hidden = true;
viewer.element.prepend(h("div", { class: "aside" }, parameters.element, paste.element));
main.replaceChildren(notice, viewer.element);

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const typing =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  if (!typing) viewer.key(event);
});
addEventListener("popstate", () => {
  wanted = wantedBy(location);
  parameters.tell({});
  load("keep").then(offer);
});

await load("replace");
if (!shown) await offer();

export {};
