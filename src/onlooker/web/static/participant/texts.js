/**
 * The screens that are mostly text: consent, debrief and the other ends.
 *
 * @import { Completion, ConsentView, DebriefView, EndScreen, EndView } from "./types.js"
 * @import { Screen, Send } from "./types.js"
 */

import { count, h, heading, paragraphs } from "../shared/dom.js";

/**
 * @param {ConsentView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function consent(view, send) {
  const title = heading("Welcome");
  const element = h(
    "article",
    { class: "sheet" },
    title,
    ...paragraphs(view.text),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        { type: "button", onclick: () => send("consent", { agree: false }) },
        view.decline,
      ),
      h(
        "button",
        { type: "button", class: "primary", onclick: () => send("consent", { agree: true }) },
        view.agree,
      ),
    ),
    h("p", { class: "fine" }, `Consent form, version ${view.version}`),
  );
  return { element, focus: title };
}

/**
 * @param {DebriefView} view
 * @returns {Screen}
 */
export function debrief(view) {
  const title = heading("You have finished");
  const element = h(
    "article",
    { class: "sheet" },
    title,
    ...paragraphs(view.text),
    h(
      "dl",
      { class: "figures" },
      figure("Unspent points", count(view.unspent, "point")),
      figure("Your bonus", `${view.bonus.currency}${view.bonus.amount}`),
    ),
    ...completion(view.completion),
  );
  return { element, focus: title };
}

/**
 * @param {string} name
 * @param {string} value
 */
function figure(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, value));
}

/** @type {Record<EndScreen, string>} */
const END_TITLES = {
  declined: "You decided not to take part",
  failed_check: "The study ends here",
  screened_out: "You cannot take part in this study",
  paused: "The study is paused",
  full: "The study is full",
  withdrawn: "You have left the study",
  technical: "Something went wrong on our side",
};

/**
 * @param {EndView} view
 * @returns {Screen}
 */
export function end(view) {
  const title = heading(END_TITLES[view.screen]);
  const again = h("button", { type: "button", onclick: () => location.reload() }, "Try again");
  const element = h(
    "article",
    { class: "sheet" },
    title,
    ...paragraphs(view.text),
    ...completion(view.completion),
    (view.screen === "paused" || view.screen === "full") && h("div", { class: "buttons" }, again),
  );
  return { element, focus: title };
}

/**
 * The link back to where the participant came from, and the code in case the link fails.
 *
 * @param {Completion | null} code
 * @returns {HTMLElement[]}
 */
function completion(code) {
  if (!code) return [];
  const safe = /^https?:\/\//.test(code.url);
  return [
    h(
      "div",
      { class: "completion" },
      safe && h("a", { class: "primary", href: code.url }, "Go back to Prolific and finish"),
      h(
        "p",
        {},
        safe ? "or enter this completion code there: " : "Your completion code: ",
        h("code", { id: "completion-code" }, code.code),
      ),
    ),
  ];
}
