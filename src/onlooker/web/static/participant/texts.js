/**
 * The screens that are mostly text: consent, debrief and the other ends.
 *
 * @import { Completion, ConsentView, DebriefView, EndView } from "./types.js"
 * @import { Screen, Send } from "./types.js"
 */

import { h, heading, paragraphs } from "../shared/dom.js";
import { counted, t } from "../shared/texts.js";

/**
 * @param {ConsentView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function consent(view, send) {
  const title = heading(t("welcome"));
  const element = h(
    "article",
    { class: "sheet" },
    title,
    h(
      "dl",
      { class: "figures facts" },
      ...view.facts.map(({ kind, text }) => figure(t(`fact_${kind}`), text)),
    ),
    ...paragraphs(view.text),
    view.data_protection.length > 0 && h("h2", {}, t("data_protection")),
    ...paragraphs(view.data_protection),
    h("p", { class: "fine" }, t("consent_version", { version: view.version })),
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
  );
  return { element, focus: title };
}

/**
 * @param {DebriefView} view
 * @returns {Screen}
 */
export function debrief(view) {
  const title = heading(t("end_debrief"));
  const element = h(
    "article",
    { class: "sheet" },
    title,
    ...paragraphs(view.text),
    h(
      "dl",
      { class: "figures" },
      figure(t("figure_unspent"), counted("points", view.unspent)),
      figure(t("figure_bonus"), view.bonus.text),
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

/**
 * @param {EndView} view
 * @returns {Screen}
 */
export function end(view) {
  const title = heading(t(`end_${view.screen}`));
  const reload = { type: "button", class: "primary", onclick: () => location.reload() };
  const again = h("button", reload, t("try_again"));
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
 * A button that copies a code; pages that are not secure have no clipboard.
 *
 * @param {string} code
 */
function copyButton(code) {
  if (!navigator.clipboard) return null;
  const button = h("button", { type: "button" }, t("copy_code"));
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code);
    button.textContent = t("copied_code");
  });
  return button;
}

/**
 * The link back to where the participant came from, and the code in case the link fails.
 *
 * @param {Completion | null} code
 * @returns {HTMLElement[]}
 */
function completion(code) {
  if (!code) return [];
  if (code.test) return [h("p", { class: "fine" }, t("test_link", { url: code.url }))];
  const safe = /^https?:\/\//.test(code.url);
  const link = { class: "primary", href: code.url };
  return [
    h(
      "div",
      { class: "completion" },
      safe && h("a", link, t("go_back_to", { platform: code.platform })),
      h(
        "p",
        {},
        `${safe ? t("enter_code") : t("your_code")} `,
        h("code", { id: "completion-code" }, code.code),
        " ",
        copyButton(code.code),
      ),
    ),
  ];
}
