/**
 * The comprehension check: multiple-choice questions, with feedback after a wrong attempt.
 *
 * @import { CheckView, Question, Screen, Send } from "./types.js"
 */

import { h, heading } from "../shared/dom.js";
import { t } from "../shared/texts.js";

/**
 * @param {CheckView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function check(view, send) {
  const title = heading(t("check_title"));
  const problem = h("p", { class: "problem hint", role: "alert" });
  const form = h(
    "form",
    { novalidate: true },
    ...view.questions.map((question, index) => fieldset(question, index, view)),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", onclick: () => send("back") }, t("check_back")),
      h("button", { class: "primary" }, t("check_send")),
      problem,
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answers = Object.fromEntries(new FormData(form));
    const missing = view.questions.find(({ id }) => !(id in answers));
    problem.textContent = missing ? t("check_all") : "";
    for (const part of form.querySelectorAll("fieldset"))
      part.classList.toggle("missing", !(part.name in answers));
    if (missing) focusQuestion(form, missing.id);
    else send("answer", { answers });
  });
  const element = h(
    "article",
    { class: "sheet" },
    title,
    h("p", {}, t("check_intro")),
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
  /** @type {HTMLElement | null} */ (form.querySelector(`input[name="${CSS.escape(id)}"]`))?.focus();
}

/** @param {CheckView} view */
function feedback(view) {
  if (!view.wrong) return [];
  const left = view.attempts - view.attempt + 1;
  const n = view.wrong.length;
  return [
    h(
      "section",
      { class: "feedback", tabindex: -1 },
      h("h2", {}, n === 1 ? t("check_wrong_one") : t("check_wrong_many", { n })),
      h("p", {}, left === 1 ? t("check_last_try") : t("check_tries", { n: left })),
      h("h3", {}, t("check_rules")),
      h("ul", {}, ...view.reminder.map((text) => h("li", {}, text))),
    ),
  ];
}

/**
 * @param {Question} question
 * @param {number} index
 * @param {CheckView} view
 */
function fieldset(question, index, { wrong, given }) {
  const missed = wrong?.includes(question.id);
  const mark = wrong && h("span", { class: "mark" }, t(missed ? "check_look_again" : "check_right"));
  const keep = given[question.id];
  return h(
    "fieldset",
    { name: question.id, class: wrong ? (missed ? "wrong" : "right") : null },
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
