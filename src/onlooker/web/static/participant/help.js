/** The rules in short and whom to write to, on every screen. */

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
