/** The dialogs that every screen has: the rules and whom to write to, and leaving the study. */

import { h } from "../shared/dom.js";
import { t } from "../shared/texts.js";

/** @typedef {{rules: string[], contact: string}} Help */

/**
 * Show the rules and the contact.
 *
 * @param {HTMLDialogElement} dialog
 * @param {Help} help
 */
export function showHelp(dialog, { rules, contact }) {
  const close = () => dialog.close();
  dialog.replaceChildren(
    h("h2", { id: "help-title" }, t("help")),
    h("p", { id: "contact" }, contact),
    h("ul", { class: "rules" }, ...rules.map((rule) => h("li", {}, rule))),
    h("p", {}, t("help_final")),
    h("p", {}, t("help_break")),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "primary", autofocus: true, onclick: close }, t("close")),
    ),
  );
  dialog.showModal();
  dialog.scrollTop = 0; // the focus is on the button at its end
}

/**
 * Ask whether the participant really wants to leave.
 *
 * @param {HTMLDialogElement} dialog
 * @param {() => void} withdraw
 */
export function askToLeave(dialog, withdraw) {
  const close = () => dialog.close();
  const leave = () => {
    close();
    withdraw();
  };
  dialog.replaceChildren(
    h("h2", { id: "leave-title" }, t("leave_title")),
    h("p", {}, t("leave_any_time")),
    h("p", { id: "leave-cost" }, t("leave_cost")),
    h("p", {}, t("leave_break")),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "danger", onclick: leave }, t("leave_yes")),
      h(
        "button",
        { type: "button", class: "primary", autofocus: true, onclick: close },
        t("leave_no"),
      ),
    ),
  );
  dialog.showModal();
}
