// SPDX-License-Identifier: Apache-2.0

// A replayed recording: its frames, and a player that moves through them.

// nx is x as a fraction of the range on its side. Near 0 it has too few digits.
function widen(range, offset, fraction) {
  if (Math.abs(fraction) > 0.05) range[offset < 0 ? 0 : 1] = Math.round(offset / Math.abs(fraction) * 1000) / 1000;
}

/** The frames that `parallax replay` printed, in columns that grow. */
export class Recording {
  #capacity = 4096;

  count = 0;
  times = new Float64Array(this.#capacity);
  xs = new Float64Array(this.#capacity);
  ys = new Float64Array(this.#capacity);
  /** The limits of the motion in px: 0 where no frame shows one. */
  ranges = { x: [0, 0], y: [0, 0] };

  constructor(name) { this.name = name; }

  /** Seconds from the first frame to the last. */
  get seconds() { return this.count > 0 ? this.times[this.count - 1] - this.times[0] : 0; }

  add({ time, x, y, nx, ny }) {
    if (this.count === this.#capacity) this.#grow();
    widen(this.ranges.x, x, nx);
    widen(this.ranges.y, y, ny);
    this.times[this.count] = time;
    this.xs[this.count] = x;
    this.ys[this.count] = y;
    this.count += 1;
  }

  #grow() {
    this.#capacity *= 2;
    for (const name of ['times', 'xs', 'ys']) {
      const longer = new Float64Array(this.#capacity);
      longer.set(this[name]);
      this[name] = longer;
    }
  }

  /** Returns the index of the last frame at or before an instant; -1 before the first. */
  indexAt(instant) {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= instant) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Returns the offset at an instant, on the line between two frames. */
  offsetAt(instant) {
    if (this.count === 0) return null;
    const index = Math.max(0, this.indexAt(instant));
    const next = Math.min(index + 1, this.count - 1);
    const interval = this.times[next] - this.times[index];
    const share = interval > 0 ? Math.min(Math.max((instant - this.times[index]) / interval, 0), 1) : 0;
    const mix = column => column[index] + (column[next] - column[index]) * share;
    return { x: mix(this.xs), y: mix(this.ys), nx: 0, ny: 0, layers: {} };
  }
}

/** Adds the frames of a body of JSON lines to a recording. Calls `progress` after each part of the body.
 * Throws an Error with the text of a line {"error":...}. */
export async function readFrames(body, recording, progress) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const take = line => {
    if (!line.trim()) return;
    const value = JSON.parse(line);
    if (value.error) throw new Error(value.error);
    if (value.class === 'OFFSET') recording.add(value);
  };
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : lines.pop();
    lines.forEach(take);
    if (done) return;
    progress();
  }
}

/** Moves through a recording. It has the parts of a stream that draw: `at`, `offsetAt` and `movingUntil`. */
export class Player {
  #position = 0;
  // The instant of performance.now(), in seconds, at which the position would have been 0; null: paused.
  #began = null;

  /** Called when it starts, stops or is moved. */
  onchange = null;

  constructor(recording) { this.recording = recording; }

  get isPlaying() { return this.#began !== null; }

  /** Seconds from the first frame. */
  get position() { return this.isPlaying ? this.#clamped(performance.now() / 1000 - this.#began) : this.#position; }

  play() {
    if (this.#position >= this.recording.seconds) this.#position = 0;
    this.#began = performance.now() / 1000 - this.#position;
    this.onchange?.();
  }

  pause() {
    this.#position = this.position;
    this.#began = null;
    this.onchange?.();
  }

  seek(seconds) {
    this.#position = this.#clamped(seconds);
    if (this.isPlaying) this.#began = performance.now() / 1000 - this.#position;
    this.onchange?.();
  }

  stop() {
    this.#began = null;
    this.onchange = null;
  }

  #clamped(seconds) { return Math.min(Math.max(seconds, 0), this.recording.seconds); }

  // The recording's time at an instant of performance.now(), as PageClock has it for the daemon's.
  at(instant) {
    const first = this.recording.times[0];
    return first + (this.isPlaying ? this.#clamped(instant - this.#began) : this.#position);
  }

  offsetAt(instant) { return this.recording.offsetAt(this.isPlaying ? instant : this.at(0)); }

  // Its controls pause it at its end.
  movingUntil() { return this.isPlaying ? Infinity : -Infinity; }
}
