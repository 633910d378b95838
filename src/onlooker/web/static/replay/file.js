/**
 * A replay in a single file: the documents are in the page, and no server is called.
 *
 * @import { Control, ReplayDocument } from "./types.js"
 */

import { h } from "../shared/dom.js";
import { fillSelect } from "./controls.js";
import { Viewer } from "./viewer.js";

/** @type {{documents: Record<string, ReplayDocument>, first: string, controls: Control[]}} */
const { documents, first, controls } = JSON.parse(
  document.getElementById("data")?.textContent ?? "{}",
);

let player = first;

const viewer = new Viewer({ onStep: remember, onPlayer: choose });
const players = h("select", { id: "player", onchange: () => choose(players.value, viewer.step) });

/**
 * Show another player at a step.
 *
 * @param {string} name
 * @param {number} step
 */
function choose(name, step) {
  const replay = documents[Object.hasOwn(documents, name) ? name : first];
  if (!replay) return;
  player = replay.player.id;
  viewer.show(replay, step);
  bar?.querySelector(".settings")?.replaceWith(settings(replay));
  const everybody = Object.values(documents).map((one) => one.player);
  const groups = [
    { title: "Participants", entries: everybody.filter(({ kind }) => kind === "participant") },
    { title: "Observers", entries: everybody.filter(({ kind }) => kind === "observer") },
  ];
  fillSelect(players, groups.filter(({ entries }) => entries.length), player);
  remember(viewer.step);
}

/** @param {number} step */
function remember(step) {
  history.replaceState(null, "", `#${new URLSearchParams({ player, step: String(step) })}`);
}

/** Show what the address says. */
function restore() {
  const hash = new URLSearchParams(location.hash.slice(1));
  choose(hash.get("player") ?? first, Number(hash.get("step")) || 0);
}

/**
 * The parameters that a replay depends on, which cannot be changed here.
 *
 * @param {ReplayDocument} [replay]
 */
function settings(replay) {
  const { parameters: values = {}, uses = [] } = replay ?? {};
  return h(
    "ul",
    { class: "settings", "aria-label": "Parameters" },
    ...controls
      .filter(({ name }) => uses.includes(name))
      .map(({ name, label, help }) =>
        h("li", { title: help }, `${label} `, h("b", {}, String(values[name]))),
      ),
  );
}

const bar = document.getElementById("bar");
bar?.append(
  h("h1", {}, documents[first]?.trial.title ?? ""),
  h("span", { class: "pick" }, h("label", { for: "player" }, "Played by"), players),
  settings(documents[first]),
);
document.getElementById("replay")?.replaceChildren(viewer.element);
viewer.element.classList.add("plain");
document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement))
    viewer.key(event);
});
addEventListener("hashchange", restore);
restore();
