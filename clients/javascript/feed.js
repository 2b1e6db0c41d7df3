// SPDX-License-Identifier: Apache-2.0

// Samples of a gyroscope for the daemon, over any connection to its control socket.

import { parse } from './parallax.js';
import { ParallaxConnection, ParallaxError } from './stream.js';

// A line has at most this many samples, so that it stays below 64 KiB with any numbers.
const samplesPerLine = 256;
// While this many bytes wait for the daemon, samples are dropped, because late ones are useless.
const maxWaiting = 1 << 16;

function isAck(line) {
  try {
    return JSON.parse(line)?.class === 'ACK';
  } catch {
    return false;
  }
}

function finite(value, name) {
  if (!Number.isFinite(value)) throw new TypeError(`${name} of a sample must be a finite number, got ${value}`);
  return value;
}

/** A gyroscope whose samples this program sends: the daemon uses them like a sensor's. A subclass has `now` and
 * `open`. */
export class ParallaxFeed extends ParallaxConnection {
  #request;
  #device = null;
  #isAccepted = false;

  constructor({ name, clock = 'sender', rate, mountMatrix, ...options }) {
    super(options);
    this.#request = { class: 'FEED', name, clock, rate, mount_matrix: mountMatrix };
  }

  /** The newest DEVICE; null while there is no connection. */
  get device() { return this.state === 'connected' ? this.#device : null; }

  /** Whether the daemon needs samples. The daemon discards them while no subscriber needs motion. */
  get isWanted() {
    // Another driver streams until the first sample of the feed.
    return this.device !== null && this.device.state !== 'idle';
  }

  /** Sends a sample { time, x, y, z }, or an array of them in the order of their times. x, y and z are in rad/s, `time`
   * in seconds; for a single sample without `time`, the time of its arrival counts.
   *
   * Returns false if they are dropped: the daemon has not accepted the feed yet, or does not read. Throws the
   * ParallaxError that has ended the feed. */
  send(samples) {
    const lines = Array.isArray(samples) ? this.#batches(samples) : [this.#single(samples)];
    if (this.error) throw this.error;
    if (this.state !== 'connected' || this.waiting >= maxWaiting) return false;
    for (const line of lines) this.request(line);
    return true;
  }

  opened() {
    this.#device = null;
    this.#isAccepted = false;
    this.request(this.#request);
  }

  take(line) {
    const message = parse(line);
    if (message?.class === 'DEVICE') this.#device = message;
    if (!message && isAck(line)) {
      this.#isAccepted = true;
      this.accept();
    }
    // A wrong sample is dropped, and the feed continues. After other errors the daemon ends the connection itself.
    const isEnd = message?.class === 'ERROR'
      && (!this.#isAccepted || message.code === 'denied' || message.code === 'unavailable');
    return { message, error: isEnd ? new ParallaxError(message.code ?? '', message.message) : null };
  }

  #single({ time, x, y, z }) {
    const values = { x: finite(x, 'x'), y: finite(y, 'y'), z: finite(z, 'z') };
    return { class: 'SAMPLE', ...(time === undefined ? {} : { time: finite(time, 'time') }), ...values };
  }

  #batches(samples) {
    const rows = samples.map(sample => ['time', 'x', 'y', 'z'].map(name => finite(sample[name], name)));
    const lines = [];
    for (let first = 0; first < rows.length; first += samplesPerLine) {
      lines.push({ class: 'SAMPLES', samples: rows.slice(first, first + samplesPerLine) });
    }
    return lines;
  }
}
