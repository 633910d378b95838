/**
 * The timelines under each other: who chose what, step by step.
 *
 * @import { NpcLabel } from "../shared/types.js"
 * @import { ChoiceMade, Timeline, ReplayDocument } from "./types.js"
 */

import { h } from "../shared/dom.js";
import { DIRECTIONS } from "../shared/keys.js";
import { agentStyles } from "../shared/palette.js";

/** The player's own line and the one of the advice that belongs to it. */
const ADVICE = "advice";

/**
 * @param {ReplayDocument} document
 * @param {number} step
 * @param {(line: Timeline, step: number) => void} jump
 * @returns {HTMLElement}
 */
export function timelines(document, step, jump) {
  const most = Math.max(...document.lines.map(({ cells }) => cells.length));
  return h(
    "section",
    { class: "panel lines", "aria-labelledby": "lines-title" },
    h("h2", { id: "lines-title", class: "visually-hidden" }, "Timelines"),
    h(
      "div",
      { class: "scroller", tabindex: 0, role: "group", "aria-labelledby": "lines-title" },
      axis(most),
      ...document.lines.map((line) => row(document, line, step, jump)),
    ),
  );
}

/** @param {number} most */
function axis(most) {
  const marks = Array.from({ length: most }, (_, index) =>
    h("span", {}, index % 5 ? "" : String(index)),
  );
  return h(
    "div",
    { class: "line axis", "aria-hidden": "true" },
    h("span", { class: "who" }, "step", h("small", {}, "watched · points")),
    ...marks,
  );
}

/**
 * @param {ReplayDocument} document
 * @param {Timeline} line
 * @param {number} step
 * @param {(line: Timeline, step: number) => void} jump
 */
function row(document, line, step, jump) {
  const follows = line.current || line.id === ADVICE;
  const reach = Math.min(step, line.cells.length - 1);
  const watched = line.observed.reduce((sum, count) => sum + count, 0);
  const total = line.cost === null ? "" : `${watched} watched, ${line.cost} points`;
  return h(
    "div",
    {
      class: line.current ? "line current" : "line",
      role: "group",
      "data-line": line.id,
      "aria-label": total ? `${line.title}: ${total}` : line.title,
    },
    h(
      "span",
      { class: "who" },
      h("b", {}, line.title),
      h("small", {}, line.cost === null ? "" : `${watched} · ${line.cost}`),
    ),
    ...line.cells.map((cell, index) =>
      cellButton(document.trial.npcs, cell, {
        label: `${line.title}, step ${index}: ${cell.words}`,
        current: follows && index === step,
        diverges: line.diverges_at === index,
        tab: index === reach,
        act: () => jump(line, index),
      }),
    ),
    line.current &&
      h(
        "button",
        {
          type: "button",
          class: step === line.cells.length ? "cell end now" : "cell end",
          tabindex: -1,
          "aria-label": `${line.title}, the end`,
          onclick: () => jump(line, line.cells.length),
        },
        "■",
      ),
  );
}

/**
 * @param {NpcLabel[]} npcs
 * @param {ChoiceMade} cell
 * @param {{label: string, current: boolean, diverges: boolean, tab: boolean, act: () => void}} how
 */
function cellButton(npcs, cell, { label, current, diverges, tab, act }) {
  const style = agentStyles(npcs).get(cell.who);
  const button = h(
    "button",
    {
      type: "button",
      class: ["cell", cell.kind, style?.shape, current && "now", diverges && "diverges"]
        .filter(Boolean)
        .join(" "),
      tabindex: tab ? 0 : -1,
      title: diverges ? `${label} (here it parts from Rational Mentalizing)` : label,
      "aria-label": diverges ? `${label}; here it parts from Rational Mentalizing` : label,
      "aria-current": current ? "step" : null,
      onclick: act,
    },
    sign(cell, style?.label ?? ""),
  );
  if (cell.kind === "observation" && style) button.style.background = style.fill;
  return button;
}

/**
 * @param {ChoiceMade} cell
 * @param {string} label
 */
function sign(cell, label) {
  if (cell.kind === "observation") return label;
  if (cell.kind === "interaction") return "⬡";
  if (cell.kind === "act") return "M";
  return DIRECTIONS.find(({ direction }) => direction === cell.action)?.arrow ?? "";
}
