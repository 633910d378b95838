/**
 * What the model believes, compares and chooses at a step.
 *
 * @import { Child } from "../shared/dom.js"
 * @import { Belief, Chance, Overlay, ReplayFrame, Mind, Particle, ReplayDocument, NpcMind } from "./types.js"
 */

import { h } from "../shared/dom.js";
import { agentStyles, amuletStyles, coloursOf } from "../shared/palette.js";
import * as pieces from "../shared/pieces.js";
import { t } from "../shared/texts.js";
import { expertiseBars } from "./extras.js";
import { choicePanel } from "./choice.js";
import { gameOf } from "./map.js";
import { cost, percent } from "./numbers.js";

/**
 * @typedef {object} Pointer draws ways on the map
 * @property {(drawn: Overlay | null) => void} point at one for as long as the pointer or focus is there
 * @property {(drawn: Overlay) => void} pin it, or let it go again
 * @property {() => string | null} pinned
 */

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {Pointer} pointer
 * @returns {HTMLElement[]}
 */
export function mindPanels(document, frame, pointer) {
  const { mind } = frame;
  return [
    choicePanel(document, frame, pointer),
    ...(mind ? [beliefPanel(document, frame, mind)] : []),
    ...(mind ? mind.npcs.map((npc) => npcPanel(document, frame, npc, pointer)) : []),
  ];
}

/**
 * A bar with its name and value.
 *
 * @param {Chance} chance
 * @param {Child} icon
 * @param {string} hue
 * @param {string} kept what it means to be kept
 */
function chanceRow(chance, icon, hue, kept) {
  const bar = h("span", { class: "fill" });
  bar.style.width = `${100 * chance.p}%`;
  bar.style.background = hue;
  return h(
    "li",
    { class: chance.kept ? "kept" : "", title: chance.kept ? kept : null },
    icon,
    h("span", { class: "name" }, chance.name),
    h("span", { class: "bar" }, bar),
    h("span", { class: "value" }, percent(chance.p)),
    chance.kept && h("span", { class: "visually-hidden" }, `, ${kept}`),
  );
}

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {Mind} mind
 */
function beliefPanel(document, frame, mind) {
  return h(
    "section",
    { class: "panel belief", "aria-labelledby": "belief-title" },
    h("h2", { id: "belief-title" }, "Belief: who holds the amulet?"),
    !mind.belief.length && h("p", { class: "fine" }, "No amulet is lacking: nothing is open."),
    ...beliefBars(document, frame, mind.belief),
  );
}

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {Belief[]} belief
 */
function beliefBars(document, frame, belief) {
  const styles = amuletStyles(coloursOf(gameOf(document, frame)));
  return belief.map(({ colour, settled, wizards }) => {
    const style = styles.get(colour);
    return h(
      "div",
      {},
      h("h3", {}, `${colour}${settled ? ": settled" : ": open"}`),
      h(
        "ul",
        { class: "chances" },
        ...wizards.map((chance) =>
          chanceRow(
            chance,
            style ? pieces.icon(pieces.wizard(style)) : "",
            style?.line ?? "",
            "candidate",
          ),
        ),
      ),
    );
  });
}

/**
 * The mind of a teacher: what it expects of a learner who takes it for an expert.
 *
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {string} npc
 */
function lessonPanel(document, frame, npc) {
  const lesson = frame.lessons[npc];
  if (!lesson) return null;
  return h(
    "div",
    { class: "expects", role: "group", "aria-label": "What it expects of a learner" },
    h("h3", {}, "What it expects of a learner"),
    h("p", { class: "fine" }, "One who takes it for an expert and watches nobody else believes:"),
    ...beliefBars(document, frame, lesson.belief),
    h("p", { class: "fine" }, lesson.words),
  );
}

/**
 * @param {ReplayDocument} document
 * @param {ReplayFrame} frame
 * @param {NpcMind} watching
 * @param {Pointer} pointer
 */
function npcPanel(document, frame, watching, pointer) {
  const game = gameOf(document, frame);
  const npc = game.npcs.find(({ id }) => id === watching.npc);
  const style = agentStyles(game.npcs).get(watching.npc);
  const title = `npc-${watching.npc}`;
  return h(
    "section",
    { class: "panel npc", "aria-labelledby": title },
    h(
      "h2",
      { id: title },
      style ? pieces.icon(pieces.agent(style)) : "",
      npc?.name ?? "",
      npc && h("span", { class: `expertise ${npc.expertise}` }, t(npc.expertise)),
    ),
    ...expertiseBars(document, frame, watching.npc),
    lessonPanel(document, frame, watching.npc),
    h("h3", {}, "What it wants"),
    h(
      "ul",
      { class: "chances" },
      ...watching.goals.map((chance) =>
        chanceRow(
          chance,
          pieces.icon(pieces.chest(chance.name, chance.name === game.main.goal)),
          style?.fill ?? "",
          "imagined",
        ),
      ),
    ),
    ...(watching.particles.length
      ? [
          h("h3", {}, "What watching it would bring"),
          particleTable(watching, title, pointer, Object.keys(watching.particles[0]?.holders ?? {})),
        ]
      : [h("p", { class: "fine" }, nothing(watching))]),
  );
}

/** @param {NpcMind} watching */
function nothing({ arrived }) {
  return arrived ? "It has arrived and cannot be watched." : "There is nothing to learn from it.";
}

/**
 * @param {NpcMind} watching
 * @param {string} title
 * @param {Pointer} pointer
 * @param {string[]} colours
 */
function particleTable({ npc, particles, rest, q }, title, pointer, colours) {
  const heads = ["weight", "wants", ...colours.map((colour) => `${colour} holder`), "T", "then act"];
  return h(
    "table",
    { class: "particles", "aria-labelledby": title },
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h(
      "tbody",
      {},
      ...particles.map((particle) => particleRow(npc, particle, pointer, colours)),
      rest &&
        h(
          "tr",
          {},
          h("td", {}, percent(rest.p)),
          h("td", { colspan: heads.length - 1 }, `${rest.count} others`),
        ),
    ),
    h(
      "tfoot",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "row", colspan: heads.length - 1 }, "expected: observe × T + then act"),
        h("td", {}, cost(q)),
      ),
    ),
  );
}

/**
 * @param {string} npc
 * @param {Particle} particle
 * @param {Pointer} pointer
 * @param {string[]} colours
 */
function particleRow(npc, particle, pointer, colours) {
  const { goal, holders, p, steps, residual, watched, beyond } = particle;
  const key = [npc, goal, ...Object.values(holders)].join(" ");
  /** @type {Overlay} */
  const drawn = { key, agent: npc, path: watched, beyond };
  const bar = h("span", { class: "fill" });
  bar.style.width = `${100 * p}%`;
  return h(
    "tr",
    {
      class: pointer.pinned() === key ? "pinned" : null,
      onmouseenter: () => pointer.point(drawn),
      onmouseleave: () => pointer.point(null),
    },
    h(
      "td",
      {},
      h(
        "button",
        {
          type: "button",
          class: "show",
          "aria-pressed": String(pointer.pinned() === key),
          "aria-label": `${particle.words}. Draw its way on the map`,
          "data-key": key,
          onfocus: () => pointer.point(drawn),
          onblur: () => pointer.point(null),
          onclick: () => pointer.pin(drawn),
        },
        h("span", { class: "bar" }, bar),
        percent(p),
      ),
    ),
    h("td", {}, goal),
    ...colours.map((colour) => h("td", {}, holders[colour] ?? "")),
    h("td", {}, steps),
    h("td", {}, cost(residual)),
  );
}
