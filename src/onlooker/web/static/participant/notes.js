/**
 * Notes for the experimenters: focus and blur, size of the window, connection, errors.
 *
 * @import { Api, Note } from "./api.js"
 */

const FLUSH_MS = 3000;
const MAX_PER_CALL = 50;
const MAX_KEPT = 200;

/** Collects notes and sends them now and then. */
export class Notes {
  /** @type {Note[]} */
  #waiting = [];
  #api;
  #lost;
  #busy = false;
  #stopped = false;

  /**
   * @param {Api} api
   * @param {(error: unknown) => void} lost called when the session was taken over
   */
  constructor(api, lost) {
    this.#api = api;
    this.#lost = lost;
  }

  /**
   * @param {Note["kind"]} kind
   * @param {string} [detail]
   */
  add(kind, detail = "") {
    const note = { kind, client_time: new Date().toISOString(), detail: detail.slice(0, 500) };
    this.#waiting = [...this.#waiting, note].slice(-MAX_KEPT);
  }

  /** Watch the window from now on. */
  watch() {
    let resized = 0;
    addEventListener("focus", () => (this.add("focus"), this.flush()));
    addEventListener("blur", () => (this.add("blur"), this.flush()));
    addEventListener("resize", () => {
      clearTimeout(resized);
      resized = setTimeout(() => this.add("resize", `${innerWidth}x${innerHeight}`), 400);
    });
    addEventListener("error", (event) => this.add("error", `${event.message} ${event.filename}`));
    addEventListener("unhandledrejection", (event) => this.add("error", String(event.reason)));
    addEventListener("pagehide", () => this.flush());
    setInterval(() => this.flush(), FLUSH_MS);
  }

  /** Send nothing more: the page has ended. */
  stop() {
    this.#stopped = true;
  }

  /** Send what has been collected. */
  async flush() {
    if (this.#stopped || this.#busy || !this.#waiting.length) return;
    const batch = this.#waiting.slice(0, MAX_PER_CALL);
    this.#busy = true;
    try {
      if (await this.#api.note(batch))
        this.#waiting = this.#waiting.filter((note) => !batch.includes(note));
    } catch (error) {
      this.#waiting = [];
      this.#lost(error);
    } finally {
      this.#busy = false;
    }
  }
}
