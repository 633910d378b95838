/**
 * Who arrives: the ids in the address, or an id of this browser for a local test run.
 *
 * @import { Arrival } from "./api.js"
 */

import { uuid } from "./api.js";
import { touchOnly } from "./device.js";

const KEY = "onlooker.test-run";

/**
 * @returns {Arrival}
 */
export function arrival() {
  const query = new URLSearchParams(location.search);
  return {
    prolific_pid: query.get("PROLIFIC_PID") || testId(),
    study_id: query.get("STUDY_ID") ?? "",
    session_id: query.get("SESSION_ID") ?? "",
    signature: query.get("SIGNATURE") ?? "",
    expires: Number(query.get("EXPIRES")) || 0,
    token: query.get("prolific_token") ?? "",
    viewport: touchOnly() ? [0, 0] : [innerWidth, innerHeight], // nobody begins on a phone
  };
}

/** Whether this is a test run with an id of this browser's own. */
export function isTestRun() {
  return !new URLSearchParams(location.search).get("PROLIFIC_PID");
}

/** Begin a new test run. */
export function restart() {
  localStorage.removeItem(KEY);
  location.reload();
}

function testId() {
  const known = localStorage.getItem(KEY);
  if (known) return known;
  const fresh = `test-${uuid()}`;
  localStorage.setItem(KEY, fresh);
  return fresh;
}
