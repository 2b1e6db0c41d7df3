// SPDX-License-Identifier: Apache-2.0

// What the picture and the plot follow: the daemon's stream, or a recording in its place.

import { PageStream } from './client/page.js';

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

  offsetAt(instant) { return this.#stream?.offsetAt(instant) ?? null; }

  movingUntil() { return this.#stream?.movingUntil() ?? 0; }

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

  onmessage = null;

  constructor(live) { this.#live = live; }

  get player() { return this.#player; }

  /** Replaces the stream by a player; null: the stream again. */
  set player(player) {
    this.#player?.stop();
    this.#player = player;
    this.wake();
  }

  get clock() { return this.#player ?? this.#live.clock; }

  now() { return this.clock?.at(performance.now() / 1000) ?? 0; }

  offsetAt(instant) { return (this.#player ?? this.#live).offsetAt(instant); }

  movingUntil() { return (this.#player ?? this.#live).movingUntil(); }

  /** Passes on a message of the stream. */
  receive(message) { if (!this.#player) this.onmessage?.(message); }

  /** Has everything drawn again. */
  wake() { this.onmessage?.({ class: 'OFFSET' }); }
}
