/**
 * A round that counts: the card that announces it, and the game itself.
 *
 * @import { NpcLabel } from "../shared/types.js"
 * @import { CardView, Screen, ScreenView, Send, TrialView } from "./types.js"
 */

import { h, heading } from "../shared/dom.js";
import { counted, t } from "../shared/texts.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";
import { Play } from "./play.js";

/**
 * @param {CardView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function card(view, send) {
  const start = h(
    "button",
    {
      type: "button",
      class: "primary",
      "aria-describedby": "card-facts",
      onclick: () => send("next"),
    },
    t("start"),
  );
  const element = h(
    "article",
    { class: "sheet card" },
    heading(t("card_title", { number: view.number, of: view.of })),
    h(
      "ul",
      { id: "card-facts", class: "facts" },
      fact(pieces.chest(view.goal, true), t("card_goal", { letter: view.goal })),
      h(
        "li",
        {},
        h("span", { class: "budget" }, view.budget),
        h("span", {}, t("card_budget", { points: counted("points", view.budget) })),
      ),
      ...view.npcs.map((npc) => npcFact(view.npcs, npc)),
    ),
    h("div", { class: "buttons" }, start),
  );
  return { element, focus: start };
}

/**
 * @param {SVGElement | undefined} piece
 * @param {string} text
 * @param {string} [more]
 */
function fact(piece, text, more) {
  return h(
    "li",
    {},
    piece && pieces.icon(piece),
    h("span", {}, text, more && h("small", {}, more)),
  );
}

/**
 * @param {NpcLabel[]} npcs
 * @param {NpcLabel} npc
 */
function npcFact(npcs, npc) {
  const style = agentStyles(npcs).get(npc.id);
  return fact(
    style && pieces.agent(style),
    t(`card_${npc.expertise}`, { name: npc.name }),
    t(`meaning_${npc.expertise}`),
  );
}

/**
 * @param {TrialView} view
 * @param {Send} send
 * @returns {Screen}
 */
export function trial(view, send) {
  const play = new Play(
    view.game,
    { choose: (choice) => send("choose", { choice }), next: () => send("next") },
    view.number < view.of && !view.asks ? t("next_round") : t("continue"),
  );
  const title = h("h1", { class: "visually-hidden", tabindex: -1 }, t("card_title", { number: view.number, of: view.of }));
  /** @param {ScreenView} next */
  const update = (next) => {
    if (next.screen !== "trial" || next.number !== view.number) return false;
    play.update(next.game);
    return true;
  };
  const element = h("article", { class: "game" }, title, play.element);
  return { element, focus: title, fill: true, update, key: (event) => play.key(event) };
}
