/**
 * The comparison at a step, what the model would choose and what the player did.
 *
 * @import { Child } from "../shared/dom.js"
 * @import { Overlay, ReplayFrame, Mind, ReplayDocument } from "./types.js"
 * @import { Pointer } from "./mind.js"
 */

import { h } from "../shared/dom.js";
import { agentStyles } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";
import { gameOf } from "./map.js";
import { cost } from "./numbers.js";
import { chanceBars, idealCost, idealKey } from "./extras.js";

const FULL = "rational_mentalizing";

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {Pointer} pointer
 * @returns {HTMLElement}
 */
export function choicePanel(document, frame, pointer) {
  const { mind } = frame;
  return h(
    "section",
    { class: "panel choice", "aria-labelledby": "choice-title" },
    h("h2", { id: "choice-title" }, mind ? "Watch or act?" : "The end"),
    mind && comparison(document, frame, mind, pointer),
    ...verdicts(document, frame),
    chanceBars(document, frame),
    ...document.cautions.map((text) => h("p", { class: "caution" }, text)),
  );
}

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @returns {Child[]}
 */
function verdicts({ player }, frame) {
  const { mind, did, agrees } = frame;
  if (!mind)
    return [h("p", { class: "verdict" }, frame.game.main.arrived ? "At the chest." : "Over.")];
  const isModel = player.id === FULL;
  return [
    did
      ? h(
          "p",
          { class: "did" },
          h("span", {}, h("b", {}, player.title), ` ${did.words}.`),
          chip(isModel, agrees),
        )
      : h("p", { class: "did" }, h("b", {}, player.title), " went no further."),
    h("p", { class: "words" }, h("b", {}, isModel ? "Comparison: " : "Model’s advice: "), mind.words),
    ...frame.reasons.map((text) => h("p", { class: "fine" }, text)),
  ];
}

/**
 * @param {boolean} isModel
 * @param {boolean | null} agrees
 */
function chip(isModel, agrees) {
  if (isModel || agrees === null) return null;
  return h(
    "span",
    { class: agrees ? "chip agrees" : "chip differs" },
    agrees ? "= as the model" : "≠ not as the model",
  );
}

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {Mind} mind
 * @param {Pointer} pointer
 */
function comparison(document, frame, mind, pointer) {
  const game = gameOf(document, frame);
  const styles = agentStyles(game.npcs);
  const most = Math.max(1, mind.c_self ?? 0, ...mind.npcs.map(({ q }) => q ?? 0));
  /** @param {string} id */
  const icon = (id) => {
    const style = styles.get(id);
    return style ? pieces.icon(pieces.agent(style)) : "";
  };
  return h(
    "ul",
    { class: frame.ideal ? "comparison with-ideal" : "comparison" },
    frame.ideal && idealKey(document),
    h(
      "li",
      { class: mind.choice === "act" ? "chosen" : "" },
      icon("main"),
      h("span", { class: "name" }, "Act now"),
      bars(most, 0, mind.c_self),
      h("span", { class: "value" }, cost(mind.c_self)),
      h("span", { class: "mark" }, mind.choice === "act" ? "✓" : ""),
      idealCost(frame.ideal, "act", frame.ideal?.act),
      tourButton(mind, pointer),
    ),
    ...mind.npcs.map(({ npc, arrived, q, watch, act }, index) =>
      h(
        "li",
        { class: mind.choice === npc ? "chosen" : "" },
        icon(npc),
        h("span", { class: "name" }, `Watch ${game.npcs.find(({ id }) => id === npc)?.name}`),
        q === null && !watch
          ? h("span", { class: "fine" }, arrived ? "has arrived" : "nothing to learn")
          : bars(most, watch ?? 0, act),
        h("span", { class: "value" }, q === null && !watch ? "–" : cost(q)),
        h("span", { class: "mark" }, mind.choice === npc ? "✓" : ""),
        idealCost(frame.ideal, npc, frame.ideal?.watch[index]),
      ),
    ),
    h(
      "li",
      { class: "key", "aria-hidden": "true" },
      h("span", { class: "swatch watch" }),
      "watching",
      h("span", { class: "swatch act" }),
      "acting, in points",
    ),
  );
}

/**
 * @param {number} most
 * @param {number} watch
 * @param {number | null} act
 */
function bars(most, watch, act) {
  const parts = [h("span", { class: "watch" }), h("span", { class: "act" })];
  (act === null ? [0, most] : [watch, act]).forEach((value, index) => {
    const part = parts[index];
    if (part) part.style.width = `${(100 * value) / most}%`;
  });
  return h("span", { class: "bar" }, ...parts);
}

/**
 * @param {Mind} mind
 * @param {Pointer} pointer
 */
function tourButton({ tour }, pointer) {
  if (!tour) return null;
  /** @type {Overlay} */
  const drawn = { key: "tour", agent: "main", path: tour.path, stops: tour.stops };
  return h(
    "button",
    {
      type: "button",
      class: "show tour",
      "data-key": "tour",
      "aria-pressed": String(pointer.pinned() === "tour"),
      "aria-label": "Draw the tour of acting now on the map",
      onmouseenter: () => pointer.point(drawn),
      onmouseleave: () => pointer.point(null),
      onfocus: () => pointer.point(drawn),
      onblur: () => pointer.point(null),
      onclick: () => pointer.pin(drawn),
    },
    "Tour",
  );
}
