/**
 * The gallery: a card for each story, its map drawn as participants see it.
 *
 * @import { Game, NpcLabel } from "../shared/types.js"
 */

import { h } from "../shared/dom.js";
import { render } from "../shared/game.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";

/**
 * @typedef {object} Card
 * @property {string} title
 * @property {string[]} text
 * @property {Game} game
 * @property {{title: string, steps: number[]}[]} watched
 * @property {string} link
 */

/**
 * @param {Card} card
 * @param {number} index
 */
function cardOf(card, index) {
  const title = `card-${index}`;
  return h(
    "li",
    { class: "card" },
    h("div", { class: "shown" }, picture(card), watched(card)),
    h(
      "div",
      { class: "description" },
      h("h2", { id: title }, `${index + 1}. ${card.title}`),
      ...card.text.map((text) => h("p", {}, text)),
      h(
        "p",
        {},
        h("a", { class: "primary", href: card.link, "aria-describedby": title }, "Open the replay"),
      ),
    ),
  );
}

/** @param {Card} card */
function picture({ game, title }) {
  return h("div", { class: "field" }, render(game, { label: `Map of ${title}` }));
}

/** @param {Card} card */
function watched({ game, watched }) {
  const styles = agentStyles(game.npcs);
  /** @param {NpcLabel} npc */
  const head = (npc) => {
    const style = styles.get(npc.id);
    const name = h("span", { class: "visually-hidden" }, npc.name);
    return h("th", { scope: "col" }, style ? pieces.icon(pieces.agent(style)) : "", name);
  };
  return h(
    "table",
    {},
    h("caption", {}, "Steps watched"),
    h("thead", {}, h("tr", {}, h("td"), ...game.npcs.map(head))),
    h(
      "tbody",
      {},
      ...watched.map(({ title, steps }) =>
        h("tr", {}, h("th", { scope: "row" }, title), ...steps.map((count) => h("td", {}, count))),
      ),
    ),
  );
}

/**
 * What the server says, or why it cannot be shown.
 *
 * @returns {Promise<HTMLElement>}
 */
async function content() {
  try {
    const response = await fetch("/api/replay/gallery");
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    const { cards } = /** @type {{cards: Card[]}} */ (await response.json());
    return h("ul", { class: "cards" }, ...cards.map(cardOf));
  } catch (error) {
    return h("p", { role: "alert" }, `The gallery cannot be shown. Please try again. (${error})`);
  }
}

const main = document.getElementById("gallery");
main?.replaceChildren(await content());
main?.removeAttribute("aria-busy");

export {};
