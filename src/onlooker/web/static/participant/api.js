/**
 * Calls to the server; a call that fails on the way is repeated unchanged until it succeeds.
 *
 * @import { ScreenView } from "./types.js"
 */

const TIMEOUT_MS = 15_000;
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

/** Another tab of the same session has taken over. */
export class TakenOver extends Error {}

/** The server answered, and said no. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{error?: string, message?: string, view?: ScreenView, minimum?: [number, number]}} body
   */
  constructor(status, body) {
    super(body.message ?? body.error ?? `The server answered ${status}.`);
    this.code = body.error;
    this.view = body.view;
    this.minimum = body.minimum;
  }
}

/**
 * @typedef {object} Arrival
 * @property {string} prolific_pid
 * @property {string} study_id
 * @property {string} session_id
 * @property {string} signature
 * @property {number} expires
 * @property {string} token
 * @property {[number, number]} viewport
 *
 * @typedef {{kind: "focus" | "blur" | "resize" | "reconnect" | "error", client_time: string,
 *   detail: string}} Note
 */

/** The server's participant API. */
export class Api {
  #token = "";
  #report;

  /** @param {(state: "waiting" | "connected", seconds: number) => void} report */
  constructor(report) {
    this.#report = report;
  }

  /**
   * The texts of the study's language.
   *
   * @returns {Promise<{texts: Record<string, string>, contact: string, gallery: boolean}>}
   */
  async texts() {
    for (let attempt = 0; ; attempt += 1) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const reply = await fetch("api/texts", { signal }).catch(() => null);
      const content = reply?.ok ? await reply.json().catch(() => null) : null;
      if (content) return content; // anything else may be the page of a captive portal
      await pause(WAITS_MS[attempt] ?? 8000);
    }
  }

  /**
   * Begin or resume the participant's session; earlier tabs of it are locked.
   *
   * @param {Arrival} arrival
   * @returns {Promise<{view: ScreenView, rules: string[]}>} with the rules in short, for the help
   */
  async arrive(arrival) {
    const reply = await this.#postUntilAnswered("api/arrive", arrival);
    this.#token = reply.session ?? "";
    return { view: reply.view, rules: reply.rules };
  }

  /**
   * Send an intent and get the next view. A refusal with a view is an answer as well: with a problem
   * to show, or none if only the page was out of date.
   *
   * @param {string} kind
   * @param {object} data
   * @param {number} seq of the view that it answers
   * @returns {Promise<{view: ScreenView, problem: string}>}
   */
  async intend(kind, data, seq) {
    const intent = { id: uuid(), seq, kind, data, client_time: new Date().toISOString() };
    try {
      return { view: (await this.#postUntilAnswered("api/intent", intent)).view, problem: "" };
    } catch (error) {
      if (!(error instanceof Refused && error.view)) throw error;
      return { view: error.view, problem: error.code === "stale" ? "" : error.message };
    }
  }

  /**
   * Send notes, once; false if they did not get there.
   *
   * @param {Note[]} notes
   * @returns {Promise<boolean>}
   */
  async note(notes) {
    if (!this.#token) return false;
    const reply = await this.#post("api/note", { notes }, true).catch(() => null);
    if (reply?.status === 409) throw new TakenOver();
    return Boolean(reply && reply.status < 500 && reply.status !== 429);
  }

  /**
   * Post until the server has answered.
   *
   * @param {string} path
   * @param {object} body
   * @returns {Promise<any>}
   */
  async #postUntilAnswered(path, body) {
    const began = Date.now();
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.#post(path, body).catch(() => null);
      if (reply && !isTransient(reply.status)) {
        const content = await reply.json().catch(() => null);
        if (content) {
          if (attempt) this.#report("connected", seconds(began));
          return unwrapReply(reply.status, content);
        }
      }
      this.#report("waiting", seconds(began));
      await pause(Math.max(retryAfter(reply), WAITS_MS[attempt] ?? 8000));
    }
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {boolean} [keepalive] send it even if the page is being left
   */
  #post(path, body, keepalive = false) {
    /** @type {Record<string, string>} */
    const headers = { "Content-Type": "application/json" };
    if (this.#token && path !== "api/arrive") headers["X-Session"] = this.#token;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return fetch(path, { method: "POST", headers, body: JSON.stringify(body), keepalive, signal });
  }
}

/**
 * @param {number} status
 * @param {any} content
 */
function unwrapReply(status, content) {
  if (status < 400) return content;
  if (content.error === "taken_over") throw new TakenOver();
  throw new Refused(status, content);
}

/**
 * Whether a status says: not now, try again.
 *
 * @param {number} status
 */
function isTransient(status) {
  return status >= 500 || status === 429 || status === 408;
}

/** @param {number} began */
function seconds(began) {
  return Math.round((Date.now() - began) / 1000);
}

/** @param {Response | null} reply */
function retryAfter(reply) {
  const wait = Number(reply?.headers.get("Retry-After") ?? 0);
  return Number.isFinite(wait) ? Math.min(wait, 30) * 1000 : 0;
}

/**
 * Wait, but no longer than until the browser is online again.
 *
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
  });
}

/**
 * A random id. Browsers offer `randomUUID` only on secure pages.
 *
 * @returns {string}
 */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
