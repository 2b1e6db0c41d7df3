// SPDX-License-Identifier: Apache-2.0

// The pointer in place of a gyroscope, while nothing else moves the picture.

// How quickly the picture follows, in seconds: the time constant.
const settleTime = 0.08;
// An invisible distance, in px.
const unseen = 0.005;

/** Returns whether the pointer moves the picture, and the text to show about it.
 *
 * Motion of the daemon or of a recording has precedence. The pointer replaces it while the daemon or its device gives
 * none, but not while a gate is closed for another reason, such as a pause, nor with reduced motion. Synthetic motion
 * counts as motion unless `isChosen`.
 *
 * `status` is a Status, `isChosen` whether the user prefers the pointer to synthetic motion. */
export function pointerRule({ status, isChosen, isReduced, isPlaying }) {
  if (isReduced || isPlaying) return { follows: false, text: '', mayChoose: false };
  if (status.lacksMotion) {
    return { follows: true, text: 'Nothing else moves the picture: it follows your pointer.', mayChoose: false };
  }
  if (!status.isSynthetic) return { follows: false, text: '', mayChoose: false };
  return {
    follows: isChosen, mayChoose: true,
    text: isChosen ? 'The picture follows your pointer instead of synthetic motion.'
      : 'Synthetic motion moves the picture. A controller, a phone (parallax phone) or a program (parallax feed) takes '
        + 'over if source.kind is “auto”. The picture can also follow your pointer.',
  };
}

/** Adds the pointer to a motion. The picture moves from its present place to the pointer's, and later back to the
 * motion's, by an exponential approach. Instants are in seconds of performance.now(). */
export class PointerMotion {
  #from = { x: 0, y: 0 };
  #target = { x: 0, y: 0 };
  #began = -Infinity;
  // The pointer's place: -1 to 1 across the window.
  #place = { x: 0, y: 0 };

  isFollowing = false;
  /** The limits of the motion, in px. */
  ranges = { x: [-5, 5], y: [-5, 5] };

  /** Takes over, or leaves. `base` is the offset of the motion at that instant. */
  follow(isFollowing, base, now) {
    if (isFollowing === this.isFollowing) return;
    const shown = this.offset(base, now);
    this.isFollowing = isFollowing;
    const start = this.#base(base);
    this.#approach({ x: shown.x - start.x, y: shown.y - start.y }, now);
  }

  /** Takes a place of the pointer, as fractions of the window's half from its middle. */
  move(x, y, now) {
    const from = this.#rest(now);
    this.#place = { x: Math.min(Math.max(x, -1), 1), y: Math.min(Math.max(y, -1), 1) };
    if (this.isFollowing) this.#approach(from, now);
  }

  /** Returns the offset at an instant; `base` is the offset of the motion. */
  offset(base, now) {
    const rest = this.#rest(now), start = this.#base(base);
    return { ...start, x: start.x + rest.x, y: start.y + rest.y };
  }

  /** The instant from which only the motion changes the offset. */
  get movingUntil() {
    const distance = Math.hypot(this.#from.x - this.#target.x, this.#from.y - this.#target.y);
    return distance > unseen ? this.#began + settleTime * Math.log(distance / unseen) : -Infinity;
  }

  // The motion counts only while it leads.
  #base(base) {
    return this.isFollowing ? { x: 0, y: 0, nx: 0, ny: 0, layers: {} } : base ?? { x: 0, y: 0, nx: 0, ny: 0, layers: {} };
  }

  #rest(now) {
    if (now >= this.movingUntil) return this.#target;
    const left = Math.exp(-Math.max(0, now - this.#began) / settleTime);
    const mix = axis => this.#target[axis] + (this.#from[axis] - this.#target[axis]) * left;
    return { x: mix('x'), y: mix('y') };
  }

  #approach(from, now) {
    this.#from = from;
    this.#began = now;
    // As if the head moved with the pointer: what is near moves the other way.
    const reach = axis => {
      const [low, high] = this.ranges[axis];
      const place = this.#place[axis];
      return place > 0 ? place * low : -place * high;
    };
    this.#target = this.isFollowing ? { x: reach('x'), y: reach('y') } : { x: 0, y: 0 };
  }
}
