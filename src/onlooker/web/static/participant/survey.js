/**
 * The questionnaire at the end; nothing in it has to be answered.
 *
 * @import { Screen, Send, SurveyView } from "./types.js"
 */

import { h, heading } from "../shared/dom.js";

/**
 * @param {SurveyView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function survey(view, send) {
  const title = heading("Almost done");
  const form = h(
    "form",
    { class: "survey" },
    view.ask_age && age(),
    view.ask_gender && gender(view.genders),
    h(
      "label",
      { class: "field-row" },
      h("span", {}, "What was your strategy? Did anything not work, or was anything unclear?"),
      h("textarea", { name: "feedback", rows: 5, maxlength: 5000 }),
    ),
    h("div", { class: "buttons" }, h("button", { class: "primary" }, "Finish")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const years = String(data.get("age") ?? "").trim();
    send("survey", {
      age: years ? Number(years) : null,
      gender: data.get("gender") || null,
      feedback: String(data.get("feedback") ?? ""),
    });
  });
  const note = h(
    "p",
    {},
    "All rounds are played. These questions are voluntary: leave out what you like.",
  );
  return { element: h("article", { class: "sheet" }, title, note, form), focus: title };
}

function age() {
  return h(
    "label",
    { class: "field-row" },
    h("span", {}, "Your age in years"),
    h("input", { type: "number", name: "age", min: 18, max: 120, step: 1, inputmode: "numeric" }),
  );
}

/** @param {string[]} genders */
function gender(genders) {
  return h(
    "fieldset",
    {},
    h("legend", {}, "Your gender"),
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
