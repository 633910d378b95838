/**
 * The Actions panel: four directions and a button to observe each NPC, or the result at the end.
 *
 * @import { Choice, Game, Npc } from "../shared/types.js"
 */

import { count, h, points } from "../shared/dom.js";
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
    h("h2", { id: "actions-title" }, game.finished ? "Result" : "Actions"),
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
    h("h3", {}, "Act"),
    h(
      "div",
      { class: "pad", role: "group", "aria-label": "Move or ask a wizard" },
      ...DIRECTIONS.map(({ direction, word, arrow, letter }) =>
        h(
          "button",
          { ...common(direction, available, on), class: `act ${direction}` },
          h("span", { class: "word" }, h("span", { "aria-hidden": "true" }, arrow), ` ${word}`),
          price(available.get(direction)),
          keyHint([arrow, letter]),
        ),
      ),
    ),
    h("h3", {}, "Observe"),
    h(
      "div",
      { class: "observe", role: "group", "aria-label": "Observe another agent" },
      ...game.npcs.map((npc) => observeButton(game, npc, available, on)),
    ),
    h(
      "p",
      { class: "costs" },
      `A step costs ${game.costs.move}, asking a wizard ${game.costs.interact}, `,
      `observing ${game.costs.observe}.`,
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
    h("span", { class: "word" }, `Observe ${npc.name}`, h("small", {}, npc.expertise)),
    choice ? price(choice) : h("span", { class: "price" }, "at its chest"),
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
  if (!choice) return h("span", { class: "price" }, "blocked");
  const what = { move: "step ", interaction: "ask wizard ", observation: "" }[choice.kind];
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
      h("p", { class: "verdict" }, won ? `You reached chest ${game.main.goal}!` : "No points left"),
      h("p", { class: unspent < 0 ? "unspent negative" : "unspent" }, points(unspent)),
      h("p", {}, unspent < 0 ? "You spent more points than you had." : "points unspent"),
      h(
        "p",
        { class: "costs" },
        `${count(game.points.budget, "point")} at the start. `,
        practice(game),
      ),
    ),
    h("button", { type: "button", class: "primary", onclick: on.next }, nextLabel),
  ];
}

/** @param {Game} game */
function practice({ tutorial }) {
  return tutorial ? "This was practice and does not count." : "";
}
