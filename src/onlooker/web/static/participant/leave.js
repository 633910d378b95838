/** Leaving the study, with a question first. */

import { h } from "../shared/dom.js";
import { t } from "../shared/texts.js";

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
    h(
      "p",
      {},
      t("leave_any_time"),
    ),
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
