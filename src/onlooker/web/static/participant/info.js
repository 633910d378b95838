/**
 * The Game Info panel: goal, points left, amulets held, who the others are, what is on the map.
 *
 * @import { Game, Npc } from "../shared/types.js"
 */

import { count, h, points } from "../shared/dom.js";
import { agentStyles, amuletStyles, coloursOf } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";

/** What expertise means, in a few words. */
export const MEANING = {
  expert: "knows which wizards have the amulets",
  novice: "does not know and has to try wizards",
};

/**
 * @param {Game} game
 * @returns {HTMLElement}
 */
export function infoPanel(game) {
  return h(
    "section",
    { class: "panel info", "aria-labelledby": "info-title" },
    h("h2", { id: "info-title" }, "Game Info"),
    h(
      "dl",
      {},
      row("Your goal", pieces.icon(pieces.chest(game.main.goal, true)), `Chest ${game.main.goal}`),
      pointsLeft(game),
      row("Your amulets", ...amuletsHeld(game)),
    ),
    h("h3", {}, game.npcs.length === 1 ? "The other agent" : "The other agents"),
    h("ul", { class: "npcs" }, ...game.npcs.map((npc) => npcLine(game, npc))),
    legend(game),
  );
}

/**
 * @param {string} name
 * @param {...(Node | string)} value
 */
function row(name, ...value) {
  return h("div", {}, h("dt", {}, name), h("dd", {}, ...value));
}

/** @param {Game} game */
function pointsLeft({ points: { left, budget } }) {
  const bar = h("progress", {
    max: Math.max(budget, 1),
    value: Math.max(left, 0),
    "aria-hidden": "true",
  });
  return h(
    "div",
    { class: left < 0 ? "points negative" : "points" },
    h("dt", {}, "Points left"),
    h("dd", {}, h("b", { id: "points-left" }, points(left)), h("span", {}, `of ${budget}`), bar),
  );
}

/** @param {Game} game */
function amuletsHeld(game) {
  const styles = amuletStyles(coloursOf(game));
  if (!game.main.amulets.length) return ["none yet"];
  return game.main.amulets.map((colour) => {
    const style = styles.get(colour);
    return h("span", { class: "held" }, style ? pieces.icon(pieces.amulet(style)) : "", colour);
  });
}

/**
 * @param {Game} game
 * @param {Npc} npc
 */
function npcLine(game, npc) {
  const style = agentStyles(game.npcs).get(npc.id);
  const seen = npc.arrived
    ? "has reached its chest"
    : npc.observed
      ? `observed for ${count(npc.observed, "step")}`
      : "not observed yet";
  return h(
    "li",
    {},
    style ? pieces.icon(pieces.agent(style)) : "",
    h(
      "div",
      {},
      h("b", {}, npc.name),
      h("span", { class: `expertise ${npc.expertise}` }, npc.expertise),
      h("p", {}, MEANING[npc.expertise]),
      h("p", { class: "seen" }, seen),
    ),
  );
}

/** @param {Game} game */
function legend(game) {
  const styles = [...amuletStyles(coloursOf(game))];
  const main = agentStyles([]).get("main");
  /** @type {[SVGElement | undefined, string][]} */
  const entries = [
    [main && pieces.agent(main), "you"],
    ...game.chests
      .filter(({ letter }) => letter !== game.main.goal)
      .slice(0, 1)
      .map(
        ({ letter }) => /** @type {[SVGElement, string]} */ ([pieces.chest(letter), "other chest"]),
      ),
    ...styles.flatMap(
      ([colour, style]) =>
        /** @type {[SVGElement, string][]} */ ([
          [pieces.wizard(style), `${colour} wizard`],
          [pieces.barrier(style), `${colour} barrier`],
        ]),
    ),
  ];
  return h(
    "div",
    { class: "legend" },
    h("h3", {}, "On the map"),
    h(
      "ul",
      {},
      ...entries.map(([piece, name]) => h("li", {}, piece ? pieces.icon(piece) : "", name)),
    ),
  );
}
