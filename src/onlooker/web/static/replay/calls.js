/**
 * Calls of the replay page to the server.
 *
 * @typedef {{error: string, message: string, problems: string[]}} Refusal
 *
 * @typedef {object} Reply
 * @property {unknown} answer
 * @property {Refusal | null} refusal
 * @property {number} wait the seconds after which a server that is busy wants to be asked again
 */

const BUSY = [429, 503];
const TRIES = 5;

/**
 * Post to the server; that it cannot be reached is a refusal as well.
 *
 * @param {string} address
 * @param {object} body
 * @returns {Promise<Reply>}
 */
export async function post(address, body) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    const refusal = response.ok ? null : { error: "", message: "", problems: [], ...answer };
    const busy = BUSY.includes(response.status);
    return { answer, refusal, wait: busy ? Number(response.headers.get("Retry-After")) || 1 : 0 };
  } catch (error) {
    const message = `The server cannot be reached: ${error}`;
    return { answer: null, refusal: { error: "unreachable", message, problems: [] }, wait: 0 };
  }
}

/**
 * One call at a time: of the calls that wait, only the newest is made, and the answer to
 * an older one is dropped. A call that the server is too busy for is made again.
 *
 * @template T
 */
export class LatestOnly {
  /** @type {T | null} */
  #next = null;
  #running = false;
  #make;
  #take;

  /**
   * @param {(what: T) => Promise<Reply>} make a call
   * @param {(what: T, reply: Reply) => void} take what has come of the newest
   */
  constructor(make, take) {
    this.#make = make;
    this.#take = take;
  }

  /**
   * Make a call as soon as none is under way.
   *
   * @param {T} what
   */
  async ask(what) {
    this.#next = what;
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#next !== null) await this.#turn(this.#next);
    } finally {
      this.#running = false;
    }
  }

  /** @param {T} what */
  async #turn(what) {
    for (let tries = 1; what === this.#next; tries += 1) {
      const reply = await this.#make(what);
      if (what !== this.#next) return;
      if (!reply.wait || tries === TRIES) {
        this.#next = null;
        return this.#take(what, reply); // what it throws does not stop later calls
      }
      await new Promise((resolve) => setTimeout(resolve, 1000 * reply.wait));
    }
  }
}
