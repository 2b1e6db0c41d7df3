// SPDX-License-Identifier: Apache-2.0

/** Older samples than these are dropped: a picture that moves late is worse than one that misses a moment. */
const maxWaiting = 120;

/** The pause in ms after a failure. */
const pauses = { offline: 1000, refused: 2000, fast: 1000 };

/** The states that end the sending. */
const ends = ['expired', 'taken'];

/**
 * Sends samples as soon as they arrive, with one request at a time: the next request has all samples that arrive during
 * a request.
 *
 * `onstate` is called with the meaning of each answer:
 * `sent` with the daemon's state of the device, `refused` with the reason, `offline`, `expired` and `taken`.
 */
export class Sender {
  #post;
  #pause;
  #waiting = [];
  #isBusy = false;
  #sending = Promise.resolve();
  #isEnded = false;

  onstate = null;

  /**
   * @param {(samples: object[]) => Promise<{status: number, body: object}>} post
   * @param {(ms: number) => Promise<void>} pause
   */
  constructor(post, pause = ms => new Promise(resolve => { setTimeout(resolve, ms); })) {
    this.#post = post;
    this.#pause = pause;
  }

  add(sample) {
    if (this.#isEnded) return;
    this.#waiting.push(sample);
    if (this.#waiting.length > maxWaiting) this.#waiting.shift();
    if (!this.#isBusy) this.#sending = this.#send();
  }

  /** Ends the sending. Fulfills when no request is under way. */
  async end() {
    this.#isEnded = true;
    this.#waiting = [];
    await this.#sending;
  }

  async #send() {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const samples = this.#waiting;
      this.#waiting = [];
      const [state, detail] = await this.#answer(samples);
      if (this.#isEnded) break;
      this.onstate?.(state, detail);
      if (ends.includes(state)) this.end();
      else if (pauses[state]) await this.#pause(pauses[state]);
    }
    this.#isBusy = false;
  }

  async #answer(samples) {
    let answer;
    try {
      answer = await this.#post(samples);
    } catch {
      return ['offline', ''];
    }
    const { status, body } = answer;
    switch (status) {
      case 200: return ['sent', body?.state];
      case 401: return ['expired', body?.error];
      case 409: return ['taken', body?.error];
      case 429: return ['fast', body?.error];
      default: return ['refused', body?.error ?? `the computer answered ${status}`];
    }
  }
}
