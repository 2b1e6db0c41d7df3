// SPDX-License-Identifier: Apache-2.0

// The source that the picture and the plot follow: the daemon's stream, or a recording or the pointer in its place.

import { PageStream } from './client/page.js';
import { PointerMotion } from './pointer.js';

/** The daemon's stream as server-sent events. It is closed while the page is hidden: the sensor then need not run. */
export class LiveStream {
  #url;
  #stream = null;

  /** Called with each line as it came. */
  online = null;
  /** Called with each message. */
  onmessage = null;
  /** Called with each state of the connection. */
  onstate = null;

  constructor(url) {
    this.#url = url;
    document.addEventListener('visibilitychange', () => this.#follow());
    this.#follow();
  }

  get clock() { return this.#stream?.clock; }

  offsetAt(instant, ahead) { return this.#stream?.offsetAt(instant, ahead) ?? null; }

  movingUntil(ahead) { return this.#stream?.movingUntil(ahead) ?? 0; }

  #follow() {
    if (document.hidden) {
      this.#stream?.close();
      this.#stream = null;
    } else if (!this.#stream) {
      const stream = new PageStream(this.#url, { source: address => this.#open(address) });
      stream.onmessage = message => { if (stream === this.#stream) this.onmessage?.(message); };
      stream.onstate = state => { if (stream === this.#stream) this.onstate?.(state); };
      this.#stream = stream;
    }
  }

  #open(address) {
    const source = new EventSource(address);
    source.addEventListener('message', ({ data }) => this.online?.(data));
    return source;
  }
}

/** The stream or the recording, in the form in which the client's moveLayers and animate take a stream. */
export class Source {
  #live;
  #player = null;
  #pointer = new PointerMotion();

  onmessage = null;

  constructor(live) {
    this.#live = live;
    document.addEventListener('pointermove', ({ clientX, clientY }) => {
      this.#movePointer(2 * clientX / innerWidth - 1, 2 * clientY / innerHeight - 1);
    });
    // Outside the window, the pointer counts as in the middle.
    document.documentElement.addEventListener('pointerleave', () => this.#movePointer(0, 0));
  }

  #movePointer(x, y) {
    this.#pointer.move(x, y, performance.now() / 1000);
    if (this.#pointer.isFollowing) this.wake();
  }

  /** Whether the pointer takes the place of the stream. */
  set followsPointer(isFollowing) {
    if (isFollowing === this.#pointer.isFollowing) return;
    const now = performance.now() / 1000;
    this.#pointer.follow(isFollowing, this.#live.offsetAt(this.now()), now);
    this.wake();
  }

  /** The limits of the pointer's motion, in px. */
  set ranges(ranges) { this.#pointer.ranges = ranges; }

  get player() { return this.#player; }

  /** Replaces the stream by a player; null: the stream again. */
  set player(player) {
    this.#player?.stop();
    this.#player = player;
    this.wake();
  }

  get clock() { return this.#player ?? this.#live.clock; }

  now() { return this.clock?.at(performance.now() / 1000) ?? 0; }

  offsetAt(instant, ahead) {
    if (this.#player) return this.#player.offsetAt(instant);
    const now = performance.now() / 1000;
    return this.#pointer.offset(this.#live.offsetAt(instant, ahead), now + instant - this.now());
  }

  movingUntil(ahead) {
    if (this.#player) return this.#player.movingUntil();
    const { isFollowing, movingUntil } = this.#pointer;
    const pointer = movingUntil + this.now() - performance.now() / 1000;
    return isFollowing ? pointer : Math.max(pointer, this.#live.movingUntil(ahead));
  }

  /** Passes on a message of the stream. */
  receive(message) {
    if (this.#player || this.#pointer.isFollowing) return;
    // At rest, the stream repeats itself, which would end the drawing before the pointer has left.
    const isLeaving = performance.now() / 1000 < this.#pointer.movingUntil;
    if (isLeaving && message.class === 'OFFSET') this.wake();
    else this.onmessage?.(message);
  }

  /** Has everything drawn again. */
  wake() { this.onmessage?.({ class: 'OFFSET' }); }
}
