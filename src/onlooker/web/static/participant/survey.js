/**
 * The questionnaire at the end; nothing in it has to be answered.
 *
 * @import { Question, Screen, Send, SurveyView } from "./types.js"
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
  const form = h(
    "form",
    { class: "survey" },
    view.ask_age && age(),
    view.ask_gender && gender(view.genders),
    view.attention && attention(view.attention),
    h(
      "label",
      { class: "field-row" },
      h("span", {}, t("survey_feedback")),
      h("textarea", { name: "feedback", rows: 5, maxlength: 5000 }),
    ),
    h("div", { class: "buttons" }, h("button", { class: "primary" }, t("finish"))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const years = String(data.get("age") ?? "").trim();
    send("survey", {
      age: years ? Number(years) : null,
      gender: data.get("gender") || null,
      feedback: String(data.get("feedback") ?? ""),
      attention: data.get("attention") || null,
    });
  });
  const note = h(
    "p",
    {},
    t("survey_note"),
  );
  return { element: h("article", { class: "sheet" }, title, note, form), focus: title };
}

function age() {
  return h(
    "label",
    { class: "field-row" },
    h("span", {}, t("survey_age")),
    h("input", { type: "number", name: "age", min: 18, max: 120, step: 1, inputmode: "numeric" }),
  );
}

/** @param {Question} question */
function attention(question) {
  return h(
    "fieldset",
    {},
    h("legend", {}, question.text),
    ...question.options.map((option) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name: question.id, value: option.id }),
        h("span", {}, option.text),
      ),
    ),
  );
}

/** @param {string[]} genders */
function gender(genders) {
  return h(
    "fieldset",
    {},
    h("legend", {}, t("survey_gender")),
    ...genders.map((label) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name: "gender", value: label }),
        h("span", {}, label),
      ),
    ),
  );
}
