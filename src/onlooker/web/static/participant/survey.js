/**
 * The questions at the end, as the study's settings have them.
 *
 * @import { Screen, Send, SurveyQuestion, SurveyView } from "./types.js"
 */

import { h, heading } from "../shared/dom.js";
import { t } from "../shared/texts.js";

/**
 * @param {SurveyView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function survey(view, send) {
  const title = heading(t("survey_title"));
  const asked = view.questions.map((question) => ({ question, element: drawn(question) }));
  const form = h(
    "form",
    { class: "survey" },
    ...asked.map(({ element }) => element),
    h("div", { class: "buttons" }, h("button", { class: "primary" }, t("finish"))),
  );
  const fit = () => showAsked(form, asked);
  form.addEventListener("input", fit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send("survey", { answers: answersOf(form, view.questions) });
  });
  fit();
  const voluntary = view.questions.every(({ required }) => !required);
  const note = h("p", {}, voluntary ? t("survey_note") : t("survey_note_required"));
  return { element: h("article", { class: "sheet" }, title, note, form), focus: title };
}

/**
 * Show the questions that the answers so far lead to; the others cannot be answered.
 *
 * @param {HTMLFormElement} form
 * @param {{question: SurveyQuestion, element: HTMLFieldSetElement}[]} asked
 */
function showAsked(form, asked) {
  for (const { question, element } of asked) {
    const { when } = question;
    if (!when) continue;
    const given = answersOf(
      form,
      asked.map(({ question }) => question),
    );
    const shown = given[when.question] === when.answer;
    element.hidden = element.disabled = !shown;
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {SurveyQuestion[]} questions
 * @returns {Record<string, string | number>}
 */
function answersOf(form, questions) {
  const data = new FormData(form);
  /** @type {Record<string, string | number>} */
  const answers = {};
  for (const { id, kind } of questions) {
    const value = String(data.get(id) ?? "").trim();
    if (value) answers[id] = kind === "number" || kind === "scale" ? Number(value) : value;
  }
  return answers;
}

/**
 * @param {SurveyQuestion} question
 * @returns {HTMLFieldSetElement}
 */
function drawn(question) {
  const { id, kind, required, minimum, maximum } = question;
  const legend = h("legend", {}, question.text, required && h("small", {}, ` ${t("required")}`));
  const common = { name: id, required };
  if (kind === "choice" || kind === "scale") {
    const options = question.options.map(({ value, text }) =>
      h("label", {}, h("input", { type: "radio", value, ...common }), h("span", {}, text)),
    );
    const ends = kind === "scale" ? [question.low, question.high] : ["", ""];
    return h(
      "fieldset",
      { class: kind },
      legend,
      ends[0] && h("span", { class: "end" }, ends[0]),
      ...options,
      ends[1] && h("span", { class: "end" }, ends[1]),
    );
  }
  const named = { ...common, "aria-label": question.text };
  const field =
    kind === "number"
      ? h("input", { type: "number", min: minimum, max: maximum, step: 1, ...named })
      : h("textarea", { rows: 4, maxlength: 5000, ...named });
  return h("fieldset", {}, legend, field);
}
