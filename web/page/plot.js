// SPDX-License-Identifier: Apache-2.0

// The plot of x and y. It is drawn when something has changed, never by a clock.

import { span } from './history.js';

// A line between offsets that are further apart would show motion that was not there: the picture rested.
const longestStep = 0.25;

/** Draws a history on a canvas. */
export class Plot {
  #canvas;
  #context;
  #colors = {};
  #request = null;
  #size = { width: 0, height: 0, scale: 1 };

  /** The limits of the motion in px. */
  ranges = { x: [-5, 5], y: [-5, 5] };
  history = null;
  /** The instant at the right edge, in seconds. */
  end = 0;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#readColors();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.#readColors();
      this.invalidate();
    });
    new ResizeObserver(() => this.#resize()).observe(canvas);
  }

  /** Has the plot drawn before the next picture. */
  invalidate() {
    this.#request ??= requestAnimationFrame(() => {
      this.#request = null;
      this.draw();
    });
  }

  #readColors() {
    const style = getComputedStyle(this.#canvas);
    for (const name of ['x', 'y', 'grid', 'quiet', 'shade']) {
      this.#colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.#colors.font = `${style.fontSize} ${style.fontFamily}`;
  }

  #resize() {
    const scale = devicePixelRatio;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    this.#size = { width, height, scale };
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    this.draw();
  }

  draw() {
    const { width, height, scale } = this.#size;
    if (width === 0 || !this.history) return;
    const context = this.#context;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = this.#colors.font;
    const low = Math.min(this.ranges.x[0], this.ranges.y[0], -1) * 1.12;
    const high = Math.max(this.ranges.x[1], this.ranges.y[1], 1) * 1.12;
    const em = parseFloat(this.#colors.font);
    const frame = { left: 3.2 * em, right: width - 8, top: 6, bottom: height - 1.8 * em };
    const start = this.end - span;
    const across = time => frame.left + (time - start) / span * (frame.right - frame.left);
    // x to the right and y down are up in the plot, as both grow.
    const upright = value => frame.bottom - (value - low) / (high - low) * (frame.bottom - frame.top);
    this.#drawGates(frame, across);
    this.#drawGrid(frame, across, upright, start);
    context.save();
    context.beginPath();
    context.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    context.clip();
    this.#drawLine('y', start, across, upright);
    this.#drawLine('x', start, across, upright);
    context.restore();
  }

  #drawGates(frame, across) {
    const { gates } = this.history;
    this.#context.fillStyle = this.#colors.shade;
    for (const [index, gate] of gates.entries()) {
      if (gate.open) continue;
      const from = Math.max(across(gate.time), frame.left);
      const to = Math.min(gates[index + 1] ? across(gates[index + 1].time) : frame.right, frame.right);
      if (to > from) this.#context.fillRect(from, frame.top, to - from, frame.bottom - frame.top);
    }
  }

  #drawGrid(frame, across, upright, start) {
    const context = this.#context;
    context.fillStyle = this.#colors.quiet;
    context.strokeStyle = this.#colors.grid;
    context.lineWidth = 1;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const limits = new Set([...this.ranges.x, ...this.ranges.y, 0]);
    let lastLabel = Infinity;
    for (const value of [...limits].sort((a, b) => b - a)) {
      const at = Math.round(upright(value)) + 0.5;
      context.setLineDash(value === 0 ? [] : [5, 4]);
      line(context, frame.left, at, frame.right, at);
      if (Math.abs(at - lastLabel) < parseFloat(context.font)) continue;
      context.fillText(String(value).replace('-', '−'), frame.left - 8, at);
      lastLabel = at;
    }
    context.setLineDash([]);
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    for (let second = 2; second < span; second += 2) {
      context.fillText(`−${span - second} s`, across(start + second), frame.bottom + 1.4 * parseFloat(context.font));
    }
    context.textAlign = 'right';
    context.fillText('now', frame.right, frame.bottom + 1.4 * parseFloat(context.font));
  }

  #drawLine(axis, start, across, upright) {
    const context = this.#context;
    context.strokeStyle = this.#colors[axis];
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.beginPath();
    let before = null;
    this.history.forEachSince(start, (time, x, y) => {
      const value = upright(axis === 'x' ? x : y);
      if (before !== null && time - before.time > longestStep) context.lineTo(across(time - 1 / 30), before.value);
      if (before === null) context.moveTo(across(time), value);
      else context.lineTo(across(time), value);
      before = { time, value };
    });
    // At rest the last offset holds.
    if (before !== null && before.time < this.end) context.lineTo(across(this.end), before.value);
    context.stroke();
  }
}

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
