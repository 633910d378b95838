/**
 * The replay page: asks the server for replays and shows them; it computes nothing itself.
 *
 * @import { Offer, ReplayDocument } from "./types.js"
 * @import { Refusal, Reply } from "./calls.js"
 * @import { Wanted } from "./address.js"
 */

import { h } from "../shared/dom.js";
import { addressOf, requestFrom } from "./address.js";
import { LatestOnly, post } from "./calls.js";
import { ParameterPanel, fillSelect } from "./controls.js";
import { PastePanel } from "./paste.js";
import { Viewer } from "./viewer.js";

const RESEARCHER = location.pathname.startsWith("/researcher/");
const BASE = RESEARCHER ? "/researcher/replay" : "/api/replay";
const PAUSE_MS = 30;
const ADDRESS_MS = 200; // some browsers refuse to change the address more often

/**
 * @typedef {object} Asked
 * @property {Wanted} wanted
 * @property {"push" | "replace" | "keep"} how the address changes
 * @property {number} [began] when a slider was moved
 * @property {string} [problem] what was wrong with the parameters of a link
 */

let wanted = requestFrom(location);
/** @type {Wanted | null} what is on screen, as it was asked for */
let shownAs = null;
/** @type {ReplayDocument | null} */
let shown = null;
/** @type {AbortController | null} */
let offering = null;
let offered = "";
let timer = 0;
let addressing = 0;

const asking = new LatestOnly(ask, take);
const viewer = new Viewer({
  onStep: (step) => {
    if (!shownAs) return;
    shownAs = { ...shownAs, step };
    clearTimeout(addressing);
    addressing = setTimeout(() => shownAs && writeAddress("replace", shownAs), ADDRESS_MS);
  },
  onPlayer: (player, step) => go({ player, step }),
});
const parameters = new ParameterPanel(() => {
  const began = performance.now();
  clearTimeout(timer);
  timer = setTimeout(() => {
    wanted = { ...wanted, parameters: parameters.values };
    load({ how: "replace", began });
  }, PAUSE_MS);
});
const paste = new PastePanel({
  check: async (text) => {
    const { answer, refusal } = await post(`${BASE}/check`, { text });
    if (!refusal) return { problems: [], .../** @type {{warnings: string[]}} */ (answer) };
    const { problems, message } = refusal;
    return { problems: problems.length ? problems : [message], warnings: [] };
  },
  text: () => wanted.text || shown?.trial.text || "",
  use: (text) =>
    go({ trial: "", text, step: 0, player: observer() }, shownAs?.text ? "replace" : "push"),
  closed: () => edit.focus(),
});
const trials = h("select", { id: "trial", onchange: () => chosen(trials.value) });
const players = h("select", {
  id: "player",
  onchange: () => go({ player: players.value, step: 0 }),
});
const rounds = h("select", { id: "round", onchange: () => go({ trial: rounds.value, step: 0 }) });
const roundField = h("span", { class: "pick", hidden: true }, h("label", { for: "round" }, "Round"));
roundField.append(rounds);
const COMPUTING = "Computing the replay …";
const working = h("p", { id: "working", role: "status" }, COMPUTING);
const notice = h("div", { id: "notice", role: "alert" });
const edit = h(
  "button",
  { type: "button", class: "quiet", onclick: () => paste.toggle(!paste.open) },
  "Edit or paste a map",
);

/**
 * Write what is shown into the address; without that, the page still works.
 *
 * @param {Asked["how"]} how
 * @param {Wanted} what
 */
function writeAddress(how, what) {
  clearTimeout(addressing);
  try {
    if (how === "push") history.pushState(null, "", addressOf(what));
    else if (how === "replace") history.replaceState(null, "", addressOf(what));
  } catch (error) {
    console.info(`The address was not changed: ${error}`);
  }
}

/** The player, if it can play any trial. */
function observer() {
  return /^(session|data)-/.test(wanted.player) ? "rational_mentalizing" : wanted.player;
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
 * @param {Asked["how"]} [how]
 */
function go(changes, how = "push") {
  wanted = { ...wanted, ...changes };
  load({ how });
}

/**
 * Ask for the replay that is wanted.
 *
 * @param {Omit<Asked, "wanted">} how
 */
function load(how) {
  main.setAttribute("aria-busy", "true");
  working.textContent = COMPUTING;
  return asking.ask({ wanted, ...how });
}

/** @param {Asked} asked */
async function ask({ wanted: { trial, text, player, parameters } }) {
  const body = { ...(text ? { text } : { trial }), player, parameters };
  const reply = await post(`${BASE}/document`, body);
  if (reply.wait) notice.textContent = "The server is busy and will be asked again.";
  return reply;
}

/**
 * @param {Asked} asked
 * @param {Reply} reply
 */
function take(asked, { answer, refusal }) {
  main.removeAttribute("aria-busy");
  working.textContent = "";
  notice.replaceChildren();
  if (refusal) refuse(refusal, asked);
  else accept(/** @type {ReplayDocument} */ (answer), asked);
}

/**
 * @param {ReplayDocument} document
 * @param {Asked} asked
 */
function accept(document, { wanted: { step, ...rest }, how, began, problem }) {
  shown = document;
  viewer.element.classList.remove("empty");
  viewer.show(document, began === undefined ? step : viewer.step);
  wanted = shownAs = { ...rest, step: viewer.step, trial: document.trial.id };
  writeAddress(how, shownAs);
  window.document.title = `${document.trial.title}: ${document.player.title} – onlooker`;
  parameters.use(document.uses);
  if (began === undefined) parameters.set(shownAs.parameters);
  parameters.report({ problem, took: began === undefined ? undefined : performance.now() - began });
  choose(shownAs);
  paste.shown(shownAs.text);
  if (how === "keep" && paste.open) paste.fill();
  if (offered !== [shownAs.trial, shownAs.player].join()) offer();
}

/**
 * Report a refusal; the page, its address and its lists keep what was shown before.
 *
 * @param {Refusal} refusal
 * @param {Asked} asked
 */
function refuse({ error, message, problems }, asked) {
  if (error === "parameters" && !shownAs) {
    wanted = { ...asked.wanted, parameters: {} };
    load({ how: asked.how, problem: `${message}; the defaults are used instead` });
    return;
  }
  if (error === "parameters") parameters.report({ problem: message });
  else {
    const more = problems.length ? ` ${problems.join("; ")}` : "";
    const link = `/researcher/replay${addressOf(asked.wanted)}`;
    const signIn = error === "sign_in" && h("a", { href: link }, "Sign in");
    notice.replaceChildren(h("p", {}, `${message}${more} `, signIn));
  }
  if (!shownAs) return;
  wanted = shownAs;
  writeAddress("replace", shownAs);
  choose(shownAs);
}

/**
 * Let the lists say what is shown.
 *
 * @param {Wanted} what
 */
function choose({ trial, player }) {
  trials.value = rounds.value = trial;
  players.value = player;
}

/** Fill the lists with what can be chosen now. */
async function offer() {
  offering?.abort();
  const { signal } = (offering = new AbortController());
  const { trial, player, text } = wanted;
  const query = new URLSearchParams({ trial, player });
  const given = await fetch(`${BASE}/offer?${query}`, { signal })
    .then((response) => (response.ok ? /** @type {Promise<Offer>} */ (response.json()) : null))
    .catch(() => null);
  if (!given || signal.aborted) return;
  offered = [trial, player].join();
  fillSelect(trials, given.trials, trial, text ? "Your own map" : "–");
  fillSelect(players, given.players, player);
  roundField.hidden = !given.rounds.length;
  fillSelect(rounds, [{ title: "Rounds", entries: given.rounds }], trial);
  signIn.hidden = !given.hidden;
  parameters.offer(given.controls);
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
viewer.element.classList.add("empty");
viewer.element.prepend(h("div", { class: "aside" }, parameters.element, paste.element));
main.replaceChildren(notice, working, viewer.element);

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const typing =
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  if (!typing) viewer.key(event);
});
addEventListener("popstate", () => {
  wanted = requestFrom(location);
  wanted.parameters = parameters.known(wanted.parameters);
  load({ how: "keep" });
});

await offer();
wanted.parameters = parameters.known(wanted.parameters);
await load({ how: "replace" });

export {};
