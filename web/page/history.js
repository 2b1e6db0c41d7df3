// SPDX-License-Identifier: Apache-2.0

// The last seconds of the stream, for the plot, in memory that does not grow.

/** How much of the motion the plot shows, in seconds. */
export const span = 10;

/** The last offsets of the stream: a ring of a fixed size. */
export class History {
  #capacity = 1024;
  #first = 0;

  count = 0;
  #times = new Float64Array(this.#capacity);
  #xs = new Float64Array(this.#capacity);
  #ys = new Float64Array(this.#capacity);
  /** When the gate opened and closed, the oldest first: { time, open }. */
  gates = [];

  add({ time, x, y }) {
    // A daemon that has been restarted with the machine.
    if (this.count > 0 && time < this.#times[this.#at(this.count - 1)]) this.clear();
    if (this.count === this.#capacity) {
      this.#first = (this.#first + 1) % this.#capacity;
      this.count -= 1;
    }
    const place = this.#at(this.count);
    this.#times[place] = time;
    this.#xs[place] = x;
    this.#ys[place] = y;
    this.count += 1;
  }

  addGate(time, open) {
    if (this.gates.at(-1)?.open === open) return;
    // What was before the first is not known.
    this.gates.push({ time: this.gates.length > 0 ? time : -Infinity, open });
    if (this.gates.length > 64) this.gates.shift();
  }

  clear() {
    this.count = 0;
    this.gates = [];
  }

  #at(index) { return (this.#first + index) % this.#capacity; }

  /** Calls `visit(time, x, y)` for each offset from an instant on, and for the one before. */
  forEachSince(instant, visit) {
    let index = this.count;
    while (index > 0 && this.#times[this.#at(index - 1)] >= instant) index -= 1;
    for (index = Math.max(0, index - 1); index < this.count; index += 1) {
      const place = this.#at(index);
      visit(this.#times[place], this.#xs[place], this.#ys[place]);
    }
  }
}

/** A recording up to where it is played, in the form of a history. */
export class PlayedHistory {
  gates = [];

  constructor(player) { this.player = player; }

  forEachSince(instant, visit) {
    const { recording } = this.player;
    const end = this.player.at(performance.now() / 1000);
    let index = Math.max(0, recording.indexAt(instant));
    for (; index < recording.count && recording.times[index] <= end; index += 1) {
      visit(recording.times[index], recording.xs[index], recording.ys[index]);
    }
  }
}
