// SPDX-License-Identifier: Apache-2.0

// A stream over any connection: it connects again, repeats the request and keeps what a slow reader has not read.

import { parse, protocolMajor, Timeline } from './parallax.js';

/** How long a stream waits before it connects again: the bound doubles from `first` to `longest` seconds. Each wait is
 * random, between half its bound and the bound. A connection that lasts longer than `longest` resets the bound. */
export class RetryTimer {
  #failures = 0;

  constructor({ first = 0.1, longest = 5 } = {}, random = Math.random) {
    this.first = Math.max(first, 0.001);
    this.longest = Math.max(longest, this.first);
    this.random = random;
  }

  /** Returns the seconds to wait after a connection of that length; 0 for a failed attempt. */
  waitAfter(connectedSeconds) {
    // A daemon that accepts a connection and ends it at once counts as a failed attempt.
    if (connectedSeconds > this.longest) this.#failures = 0;
    const bound = Math.min(this.first * 2 ** Math.min(this.#failures, 30), this.longest);
    this.#failures += 1;
    return bound * (0.5 + 0.5 * this.random());
  }
}

/** Messages that wait for a reader, in bounded memory: of OFFSETs it keeps the newest and adds the number of lost ones
 * to the next one's `dropped`; of DEVICE and GATE it keeps the newest; of the others it drops the oldest. */
export class MessageQueue {
  #messages = [];

  constructor(offsetLimit = 16, otherLimit = 64) {
    this.offsetLimit = Math.max(1, offsetLimit);
    this.otherLimit = otherLimit;
  }

  shift() { return this.#messages.shift(); }

  push(message) {
    const { class: name } = message;
    if (name === 'DEVICE' || name === 'GATE') this.#removeFirst(old => old.class === name);
    this.#messages.push(message);
    const offsets = this.#messages.filter(old => old.class === 'OFFSET').length;
    if (offsets > this.offsetLimit) {
      const lost = this.#removeFirst(old => old.class === 'OFFSET');
      const index = this.#messages.findIndex(old => old.class === 'OFFSET');
      const next = this.#messages[index];
      this.#messages[index] = { ...next, dropped: (next.dropped ?? 0) + 1 + (lost.dropped ?? 0) };
    } else if (this.#messages.length - offsets > this.otherLimit) {
      this.#removeFirst(old => old.class !== 'OFFSET');
    }
  }

  #removeFirst(fits) {
    const index = this.#messages.findIndex(fits);
    return index < 0 ? undefined : this.#messages.splice(index, 1)[0];
  }
}

/** Why a stream or a feed ends by itself, or a request has no answer. `code` is `no-daemon`, `closed`, `incompatible`,
 * `unavailable`, or that of the daemon's ERROR. */
export class ParallaxError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'ParallaxError';
    this.code = code;
  }
}

/** A connection to parallaxd that is made again whenever it ends. A subclass has `now`, `open`, `opened` and `take`. */
export class ParallaxConnection {
  #retry;
  #connection = null;
  #timer = null;
  #since = null;
  #queue = null;
  #limit;
  #waiters = [];

  /** The state of the connection: `connecting`, `connected`, `waiting` or `closed`. */
  state = 'idle';
  /** Called with each message. */
  onmessage = null;
  /** Called with each state of the connection. */
  onstate = null;
  /** Called with the ParallaxError by which it ends. */
  onerror = null;
  /** The ParallaxError by which it has ended; null after `close()`. */
  error = null;

  constructor({ backoff = {}, bufferedOffsets = 16 } = {}) {
    this.#retry = backoff === null ? null : new RetryTimer(backoff);
    this.#limit = bufferedOffsets;
    // After the constructor of the subclass, and after the caller has set its callbacks.
    Promise.resolve().then(() => this.#connect());
  }

  /** Seconds of CLOCK_MONOTONIC. */
  now() { throw new TypeError('a subclass has now()'); }

  /** Opens a connection and returns { send(text), close() }, neither of which reports anything, and maybe `waiting()`,
   * the number of bytes that are not sent yet. It calls `opened()`, `line(text)` and once `ended(error)`. */
  open() { throw new TypeError('a subclass has open()'); }

  /** Called when a connection is open, before its first line. */
  opened() { throw new TypeError('a subclass has opened()'); }

  /** Takes a line. Returns its message, if it has one, and the ParallaxError by which it ends everything. */
  take() { throw new TypeError('a subclass has take()'); }

  /** Returns the message that the program gets for one that has waited. */
  handed(message) { return message; }

  /** Enters the state `connected`. */
  accept() { this.#setState('connected'); }

  /** Sends a request on the present connection. */
  request(value) { this.#connection?.send(JSON.stringify(value) + '\n'); }

  /** The number of bytes that wait to be sent. */
  get waiting() { return this.#connection?.waiting?.() ?? 0; }

  /** Ends the connection for good. */
  close() { this.#finish(null); }

  /** The messages, as they come; a slow reader gets the newest. */
  [Symbol.asyncIterator]() {
    this.#queue ??= new MessageQueue(this.#limit);
    return {
      next: () => new Promise((resolve, reject) => {
        const value = this.#queue.shift();
        if (value) return resolve({ value: this.handed(value), done: false });
        if (this.state !== 'closed') return this.#waiters.push({ resolve, reject });
        return this.error ? reject(this.error) : resolve({ value: undefined, done: true });
      }),
      return: async () => {
        this.close();
        return { value: undefined, done: true };
      },
    };
  }

  #setState(state) {
    if (this.state === state) return;
    this.state = state;
    this.onstate?.(state);
  }

  #connect() {
    this.#timer = null;
    if (this.state === 'closed') return;
    this.#setState('connecting');
    if (this.state === 'closed') return;
    // What an earlier connection still reports does not count.
    let isCurrent = true;
    this.#since = null;
    this.#connection = this.open({
      opened: () => {
        if (!isCurrent || this.state === 'closed') return;
        this.#since = this.now();
        this.opened();
      },
      line: text => {
        if (isCurrent && this.state !== 'closed') this.#receive(text);
      },
      ended: error => {
        if (!isCurrent) return;
        isCurrent = false;
        this.#lost(error);
      },
    });
  }

  #receive(text) {
    const { message, error } = this.take(text);
    if (message) {
      const waiter = this.#waiters.shift();
      if (waiter) waiter.resolve({ value: message, done: false });
      else this.#queue?.push(message);
      this.onmessage?.(message);
    }
    if (error) this.#finish(error);
  }

  #lost(error) {
    if (this.state === 'closed') return;
    this.#connection?.close();
    this.#connection = null;
    if (!this.#retry) return this.#finish(error);
    const wait = this.#retry.waitAfter(this.#since === null ? 0 : this.now() - this.#since);
    this.#setState('waiting');
    if (this.state !== 'closed') this.#timer = setTimeout(() => this.#connect(), wait * 1000);
  }

  #finish(error) {
    if (this.state === 'closed') return;
    this.error = error;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#connection?.close();
    this.#connection = null;
    this.#setState('closed');
    for (const waiter of this.#waiters.splice(0)) {
      if (error) waiter.reject(error);
      else waiter.resolve({ value: undefined, done: true });
    }
    if (error) this.onerror?.(error);
  }
}

/** The stream of offsets. A subclass has `now` and `open`. */
export class ParallaxStream extends ParallaxConnection {
  #timeline = new Timeline();
  #watch;

  constructor({ watch = null, ...options } = {}) {
    super(options);
    this.#watch = watch;
    this.#timeline.request(watch?.layers ?? null);
  }

  /** Returns the offset at an instant in seconds of `now()`; null before the first frame. `ahead` is how long before
   * that instant the picture is drawn, in seconds. */
  offsetAt(instant = this.now(), ahead = 0) { return this.#timeline.offsetAt(instant, ahead); }

  /** Returns the instant from which `offsetAt` stays the same until the next frame. */
  movingUntil(ahead = 0) { return this.#timeline.movingUntil(ahead); }

  /** Changes the request: the fields of WATCH. The daemon answers with WATCH or ERROR; each new connection repeats it. */
  send(watch) {
    this.#watch = { ...this.#watch, ...watch };
    this.#timeline.request(this.#watch.layers ?? null);
    if (this.state === 'connected') this.request({ class: 'WATCH', ...watch });
  }

  /** Adds to the request those of these fields that it lacks. */
  prefer(watch) {
    const missing = Object.entries(watch).filter(([name]) => this.#watch?.[name] === undefined);
    if (missing.length > 0) this.send(Object.fromEntries(missing));
  }

  /** Requests DEVICE, GATE and OFFSET once. A new connection begins with them anyway. */
  poll() {
    if (this.state === 'connected') this.request({ class: 'POLL' });
  }

  // The program may have requested other layers since it arrived.
  handed(message) { return this.#timeline.completed(message); }

  opened() {
    this.accept();
    if (this.#watch) this.request({ class: 'WATCH', ...this.#watch });
  }

  take(line) {
    const read = parse(line);
    if (!read) return {};
    this.#timeline.add(read);
    const message = this.#timeline.completed(read);
    if (message.class !== 'VERSION' || message.proto_major === protocolMajor) return { message };
    return { message, error: new ParallaxError('incompatible', `the daemon (release ${message.release}) speaks protocol `
      + `${message.proto_major}, this program ${protocolMajor}; update the older of the two`) };
  }
}
