/** Leaving the study, with a question first. */

import { h } from "../shared/dom.js";

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
    h("h2", { id: "leave-title" }, "Leave the study?"),
    h(
      "p",
      {},
      "You can withdraw at any time and without giving a reason. You cannot come back afterwards.",
    ),
    h("p", {}, "If you only need a break: your progress is saved, and this link brings you back."),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "danger", onclick: leave }, "Yes, withdraw"),
      h(
        "button",
        { type: "button", class: "primary", autofocus: true, onclick: close },
        "No, go on",
      ),
    ),
  );
  dialog.showModal();
}
