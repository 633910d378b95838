/**
 * Beyond the paper's model: the ideal observer's costs, how likely each choice is the next one, and
 * what NPCs are taken for by an observer that is not told.
 *
 * @import { Child } from "../shared/dom.js"
 * @import { AgentStyle } from "../shared/palette.js"
 * @import { Expertise } from "../shared/types.js"
 * @import { Choosing, Ideal, ReplayDocument, ReplayFrame } from "./types.js"
 */

import { h } from "../shared/dom.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";
import { gameOf } from "./map.js";
import { cost, percent } from "./numbers.js";

/**
 * What the ideal observer expects a choice to cost.
 *
 * @param {Ideal | null} ideal
 * @param {string} choice
 * @param {number | null | undefined} value
 */
export function idealCost(ideal, choice, value) {
  if (!ideal) return null;
  const chosen = ideal.choice === choice;
  const none = value === null || value === undefined;
  return h(
    "span",
    {
      class: chosen ? "value ideal best" : "value ideal",
      title: chosen ? "The Ideal Observer’s choice" : "What the Ideal Observer expects this to cost",
    },
    none ? (choice === "act" ? "∞" : "–") : cost(value),
    h("span", { class: "visually-hidden" }, chosen ? ", expected by the Ideal Observer, its choice" : ", expected by the Ideal Observer"),
    h("span", { class: "mark", "aria-hidden": "true" }, chosen ? "✓" : ""),
  );
}

/**
 * The heads of the two columns of costs.
 *
 * @param {ReplayDocument} document
 */
export function idealKey({ ideal }) {
  const whole = ideal.expected_cost === null ? null : `${cost(ideal.expected_cost)} points in the trial`;
  return h(
    "li",
    { class: "heads", "aria-hidden": "true", title: whole && `Ideal Observer: ${whole}` },
    h("span", { class: "head" }, "model"),
    h("span", { class: "head ideal" }, "ideal"),
  );
}

/**
 * The chances of the next choice, as bars; nothing by the hard rule.
 *
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @returns {Child}
 */
export function chanceBars(document, frame) {
  const { choosing } = document;
  const { chances } = frame;
  if (!choosing || !frame.mind) return null;
  const game = gameOf(document, frame);
  const styles = agentStyles(game.npcs);
  return h(
    "div",
    { class: "next", role: "group", "aria-labelledby": "next-title" },
    h("h3", { id: "next-title" }, `The next choice: ${choosing.title}, ${choosing.rule} rule`),
    chances &&
      h(
        "ul",
        { class: "chances" },
        ...chances.map(({ choice, p }) => {
          const style = styles.get(choice === "act" ? "main" : choice);
          const name = game.npcs.find(({ id }) => id === choice)?.name;
          return barRow(name ? `Watch ${name}` : "Act now", p, style, { "data-choice": choice });
        }),
      ),
    !chances && !choosing.reason && h("p", { class: "fine" }, "It acts and does not watch again."),
    ...notes(document, choosing).map((text) => h("p", { class: "fine" }, text)),
  );
}

/**
 * What an NPC is to an observer that is not told; nothing to others.
 *
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {string} npc
 * @returns {Child[]}
 */
export function expertiseBars({ player, trial }, { kinds }, npc) {
  const found = kinds?.[npc];
  if (!found) return [];
  const label = trial.npcs.find(({ id }) => id === npc);
  const shares = /** @type {[Expertise, number][]} */ (Object.entries(found));
  return [
    h("h3", {}, `What ${player.title} takes it for`),
    h(
      "ul",
      { class: "chances" },
      ...shares.map(([expertise, share]) => {
        const style = label && agentStyles([{ ...label, expertise }]).get(npc);
        return barRow(expertise, share, style, { "data-expertise": expertise });
      }),
    ),
  ];
}

/**
 * A bar with an agent's token, a name and its value.
 *
 * @param {string} name
 * @param {number} p
 * @param {AgentStyle | undefined} style
 * @param {Record<string, string>} marks
 */
function barRow(name, p, style, marks) {
  const fill = h("span", { class: "fill" });
  fill.style.width = `${100 * p}%`;
  fill.style.background = style?.fill ?? "";
  return h(
    "li",
    { class: "kept", ...marks },
    style ? pieces.icon(pieces.agent(style)) : "",
    h("span", { class: "name" }, name),
    h("span", { class: "bar" }, fill),
    h("span", { class: "value" }, percent(p)),
  );
}

/**
 * @param {ReplayDocument} document
 * @param {Choosing} choosing
 * @returns {string[]}
 */
function notes({ trial }, { skip, expected, expected_sd, reason }) {
  const found = [];
  if (expected && expected_sd) {
    const counts = expected.map(
      (mean, index) => `${trial.npcs[index]?.name} ${cost(mean)} ± ${cost(expected_sd[index] ?? 0)}`,
    );
    found.push(`Steps watched in the whole trial, expected: ${counts.join(", ")}.`);
  }
  if (skip > 0) found.push(`It watches nobody in ${percent(skip)} of trials; the bars are for the others.`);
  if (reason) found.push(`Not computed: ${reason}.`);
  return found;
}
