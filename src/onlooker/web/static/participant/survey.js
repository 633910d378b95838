/**
 * The questions after a round and at the end, as the study's settings have them.
 *
 * @import { QuestionsView, Screen, Send, SurveyQuestion, SurveyView } from "./types.js"
 */

import { h, heading } from "../shared/dom.js";
import { render } from "../shared/game.js";
import { t } from "../shared/texts.js";

/**
 * @param {SurveyView | QuestionsView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function survey(view, send) {
  const atEnd = view.screen === "survey";
  const title = heading(
    atEnd ? t("survey_title") : t("round_questions_title", { number: view.number, of: view.of }),
  );
  const asked = view.questions.map((question) => ({ question, element: drawn(question) }));
  const form = h(
    "form",
    { class: "survey" },
    ...asked.map(({ element }) => element),
    h("div", { class: "buttons" }, h("button", { class: "primary" }, atEnd ? t("finish") : t("continue"))),
  );
  const fit = () => showAsked(form, asked);
  form.addEventListener("input", fit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(view.screen, { answers: answersOf(form, view.questions) });
  });
  fit();
  const voluntary = view.questions.every(({ required }) => !required);
  const said = atEnd ? t("survey_note") : t("questions_note");
  const saidIfRequired = atEnd ? t("survey_note_required") : t("questions_note_required");
  const note = h("p", {}, voluntary ? said : saidIfRequired);
  const map = !atEnd && h("div", { class: "field" }, render(view.game, { last: false }));
  return { element: h("article", { class: "sheet" }, title, note, map, form), focus: title };
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
