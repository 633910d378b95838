/**
 * The comprehension check: multiple-choice questions, with feedback after a wrong attempt.
 *
 * @import { CheckView, Question, Screen, Send } from "./types.js"
 */

import { h, heading } from "../shared/dom.js";

/**
 * @param {CheckView} view
 * @param {Send} send
 * @param {Record<string, string>} [given] answers to keep, by question
 * @returns {Screen}
 */
export function check(view, send, given = {}) {
  const title = heading("A few questions");
  const problem = h("p", { class: "problem", role: "alert" });
  const form = h(
    "form",
    { novalidate: true },
    ...view.questions.map((question, index) => fieldset(question, index, view.wrong, given)),
    problem,
    h("div", { class: "buttons" }, h("button", { class: "primary" }, "Check my answers")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answers = Object.fromEntries(new FormData(form));
    const missing = view.questions.find(({ id }) => !(id in answers));
    problem.textContent = missing ? "Please answer every question." : "";
    if (missing) focusQuestion(form, missing.id);
    else send("answer", { answers });
  });
  const element = h(
    "article",
    { class: "sheet" },
    title,
    h("p", {}, "Before the rounds begin, please show that the rules are clear."),
    ...feedback(view),
    form,
  );
  return {
    element,
    focus: /** @type {HTMLElement} */ (element.querySelector(".feedback") ?? title),
  };
}

/**
 * @param {HTMLFormElement} form
 * @param {string} id
 */
function focusQuestion(form, id) {
  /** @type {HTMLElement | null} */ (form.querySelector(`[name="${CSS.escape(id)}"]`))?.focus();
}

/** @param {CheckView} view */
function feedback(view) {
  if (!view.wrong) return [];
  const left = view.attempts - view.attempt + 1;
  const some = view.wrong.length === 1 ? "One answer was" : `${view.wrong.length} answers were`;
  return [
    h(
      "section",
      { class: "feedback", tabindex: -1 },
      h("h2", {}, `${some} not right`),
      h("p", {}, left === 1 ? "You have one more try." : `You have ${left} more tries.`),
      h("h3", {}, "The rules once more"),
      h("ul", {}, ...view.reminder.map((text) => h("li", {}, text))),
    ),
  ];
}

/**
 * @param {Question} question
 * @param {number} index
 * @param {string[] | null} wrong
 * @param {Record<string, string>} given
 */
function fieldset(question, index, wrong, given) {
  const missed = wrong?.includes(question.id);
  const mark = wrong && h("span", { class: "mark" }, missed ? "✗ please look again" : "✓ right");
  const keep = missed ? undefined : given[question.id];
  return h(
    "fieldset",
    { class: wrong ? (missed ? "wrong" : "right") : null },
    h("legend", {}, `${index + 1}. ${question.text} `, mark),
    ...question.options.map((option) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: question.id,
          value: option.id,
          checked: option.id === keep,
        }),
        h("span", {}, option.text),
      ),
    ),
  );
}
