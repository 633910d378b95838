/**
 * The Actions panel: four directions and a button to observe each NPC, or the result at the end.
 *
 * @import { Choice, Game, Npc } from "../shared/types.js"
 */

import { h, points } from "../shared/dom.js";
import { counted, t } from "../shared/texts.js";
import { DIRECTIONS, observeKeys } from "../shared/keys.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";

/** @typedef {{choose: (choice: string) => void, next: () => void}} Handlers */

/**
 * @param {Game} game
 * @param {Handlers} on
 * @param {string} nextLabel of the button that goes on when the game is finished
 * @returns {HTMLElement}
 */
export function actionsPanel(game, on, nextLabel) {
  return h(
    "section",
    { class: "panel actions", "aria-labelledby": "actions-title", tabindex: -1 },
    h("h2", { id: "actions-title" }, t(game.finished ? "result" : "actions")),
    ...(game.finished ? result(game, on, nextLabel) : choices(game, on)),
  );
}

/**
 * @param {Game} game
 * @param {Handlers} on
 */
function choices(game, on) {
  const available = new Map(game.choices.map((choice) => [choice.choice, choice]));
  return [
    h("h3", {}, t("act")),
    h(
      "div",
      { class: "pad", role: "group", "aria-label": t("act_label") },
      ...DIRECTIONS.map(({ direction, arrow }) =>
        h(
          "button",
          { ...common(direction, available, on), class: `act ${direction}` },
          h("span", { class: "word" }, h("span", { "aria-hidden": "true" }, arrow), ` ${t(direction)}`),
          price(available.get(direction)),
          keyHint([arrow]),
        ),
      ),
    ),
    h("h3", {}, t("observe")),
    h(
      "div",
      { class: "observe", role: "group", "aria-label": t("observe_label") },
      ...game.npcs.map((npc) => observeButton(game, npc, available, on)),
    ),
    h(
      "p",
      { class: "costs" },
      t("costs", game.costs),
    ),
  ];
}

/**
 * @param {Game} game
 * @param {Npc} npc
 * @param {Map<string, Choice>} available
 * @param {Handlers} on
 */
function observeButton(game, npc, available, on) {
  const style = agentStyles(game.npcs).get(npc.id);
  const choice = available.get(`observe ${npc.id}`);
  return h(
    "button",
    common(`observe ${npc.id}`, available, on),
    style ? pieces.icon(pieces.agent(style)) : "",
    h("span", { class: "word" }, t("observe_agent", { name: npc.name }), h("small", {}, t(npc.expertise))),
    choice ? price(choice) : h("span", { class: "price" }, t("arrived")),
    keyHint(observeKeys(game.npcs, npc.id).slice(0, 1)),
  );
}

/**
 * @param {string} choice
 * @param {Map<string, Choice>} available
 * @param {Handlers} on
 */
function common(choice, available, on) {
  const disabled = !available.has(choice);
  return { type: "button", "data-choice": choice, disabled, onclick: () => on.choose(choice) };
}

/** @param {Choice | undefined} choice */
function price(choice) {
  if (!choice) return h("span", { class: "price" }, t("blocked"));
  const what = choice.kind === "observation" ? "" : `${t(`price_${choice.kind}`)} `;
  return h("span", { class: `price ${choice.kind}` }, what, h("b", {}, points(-choice.cost)));
}

/** @param {string[]} keys */
function keyHint(keys) {
  return h(
    "span",
    { class: "keys", "aria-hidden": "true" },
    ...keys.map((key) => h("kbd", {}, key)),
  );
}

/**
 * @param {Game} game
 * @param {Handlers} on
 * @param {string} nextLabel
 */
function result(game, on, nextLabel) {
  const unspent = game.result?.unspent ?? game.points.left;
  const won = game.main.arrived;
  return [
    h(
      "div",
      { class: won ? "result" : "result lost", role: "status" },
      pieces.icon(pieces.chest(game.main.goal, won)),
      h("p", { class: "verdict" }, verdict(game)),
      h("p", { class: unspent < 0 ? "unspent negative" : "unspent" }, points(unspent)),
      h("p", {}, t(unspent < 0 ? "overspent" : "unspent")),
      h(
        "p",
        { class: "costs" },
        `${t("at_start", { points: counted("points", game.points.budget) })} `,
        practice(game),
      ),
    ),
    h("button", { type: "button", class: "primary", onclick: on.next }, nextLabel),
  ];
}

/** @param {Game} game */
function verdict({ main, result }) {
  if (main.arrived) return t("won", { letter: main.goal });
  if (result?.too_long) return t("too_long");
  return t("no_points");
}

/** @param {Game} game */
function practice({ tutorial }) {
  return tutorial ? t("was_practice") : "";
}
