// SPDX-License-Identifier: Apache-2.0

/** How far the phone has turned since it was centered, in radians about each axis. */
export class Horizon {
  x = 0;
  y = 0;
  z = 0;
  #time = null;

  center() {
    this.x = this.y = this.z = 0;
  }

  /** Adds a sample: its rates times the time since the previous sample, unless that was 0.5 s ago or more. */
  add({ time, x, y, z }) {
    const step = this.#time === null ? 0 : time - this.#time;
    this.#time = time;
    if (!(step > 0 && step < 0.5)) return;
    this.x += x * step;
    this.y += y * step;
    this.z += z * step;
  }

  /**
   * The horizon in a view of 200 x 200 in which 1 rad is 100 units: it turns and moves against the phone.
   * As the value of SVG's `transform`.
   */
  transform() {
    const unit = value => Math.max(-95, Math.min(95, value * 100)).toFixed(2);
    return `rotate(${(this.z * 180 / Math.PI).toFixed(2)}) translate(${unit(this.y)} ${unit(this.x)})`;
  }
}
