/**
 * What is replayed, according to the page's address: trial, player, parameters and step.
 *
 * @typedef {object} Wanted
 * @property {string} trial its id, empty if it is a text or a participant's last one
 * @property {string} text a map that was pasted
 * @property {string} player
 * @property {number} step
 * @property {Record<string, string>} parameters those that are not the defaults
 */

const FIRST = "gallery/two-experts";
const FULL = "rational_mentalizing";

/**
 * @param {Location} address
 * @returns {Wanted}
 */
export function requestFrom(address) {
  const query = new URLSearchParams(address.search);
  const text = new URLSearchParams(address.hash.slice(1)).get("map") ?? "";
  const player = query.get("player") || FULL;
  const parameters = Object.fromEntries(query);
  for (const name of ["trial", "player", "step"]) delete parameters[name];
  return {
    trial: text ? "" : query.get("trial") || (player.startsWith("session-") ? "" : FIRST),
    text,
    player,
    step: Number(query.get("step")) || 0,
    parameters,
  };
}

/**
 * @param {Wanted} wanted
 * @returns {string} the query and the fragment
 */
export function addressOf({ trial, text, player, step, parameters }) {
  const query = new URLSearchParams({
    ...(text ? {} : { trial }),
    player,
    step: String(step),
    ...parameters,
  });
  const shown = query.toString().replaceAll("%2F", "/");
  return `?${shown}${text ? `#${new URLSearchParams({ map: text })}` : ""}`;
}
