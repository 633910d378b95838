/**
 * The Game Info panel: goal, points left, amulets held, who the others are, what is on the map.
 *
 * @import { Game, Npc } from "../shared/types.js"
 */

import { h, points } from "../shared/dom.js";
import { colourName, counted, t } from "../shared/texts.js";
import { agentStyles, amuletStyles, coloursOf } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";

/**
 * @param {Game} game
 * @returns {HTMLElement}
 */
export function infoPanel(game) {
  return h(
    "section",
    { class: "panel info", "aria-labelledby": "info-title" },
    h("h2", { id: "info-title" }, t("info_title")),
    h(
      "dl",
      {},
      row(t("info_goal"), pieces.icon(pieces.chest(game.main.goal, true)), t("info_chest", { letter: game.main.goal })),
      pointsLeft(game),
      row(t("info_amulets"), ...amuletsHeld(game)),
    ),
    h("h3", {}, t(game.npcs.length === 1 ? "info_other" : "info_others")),
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
    h("dt", {}, t("info_points")),
    h("dd", {}, h("b", { id: "points-left" }, points(left)), h("span", {}, t("info_of", { budget })), bar),
  );
}

/** @param {Game} game */
function amuletsHeld(game) {
  const styles = amuletStyles(coloursOf(game));
  if (!game.main.amulets.length) return [t("info_none")];
  return game.main.amulets.map((colour) => {
    const style = styles.get(colour);
    return h("span", { class: "held" }, style ? pieces.icon(pieces.amulet(style)) : "", colourName(colour));
  });
}

/**
 * @param {Game} game
 * @param {Npc} npc
 */
function npcLine(game, npc) {
  const style = agentStyles(game.npcs).get(npc.id);
  const seen = npc.arrived
    ? t("info_arrived")
    : npc.observed
      ? t("info_observed", { steps: counted("steps", npc.observed) })
      : t("info_unobserved");
  return h(
    "li",
    {},
    style ? pieces.icon(pieces.agent(style)) : "",
    h(
      "div",
      {},
      h("b", {}, npc.name),
      h("span", { class: `expertise ${npc.expertise}` }, t(npc.expertise)),
      h("p", {}, t(`meaning_${npc.expertise}`)),
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
    [main && pieces.agent(main), t("legend_you")],
    ...game.chests
      .filter(({ letter }) => letter !== game.main.goal)
      .slice(0, 1)
      .map(
        ({ letter }) => /** @type {[SVGElement, string]} */ ([pieces.chest(letter), t("legend_chest")]),
      ),
    ...styles.flatMap(
      ([colour, style]) =>
        /** @type {[SVGElement, string][]} */ ([
          [pieces.wizard(style), t("legend_wizard", { colour: colourName(colour) })],
          [pieces.barrier(style), t("legend_barrier", { colour: colourName(colour) })],
        ]),
    ),
  ];
  return h(
    "div",
    { class: "legend" },
    h("h3", {}, t("legend")),
    h(
      "ul",
      {},
      ...entries.map(([piece, name]) => h("li", {}, piece ? pieces.icon(piece) : "", name)),
    ),
  );
}
