// SPDX-License-Identifier: Apache-2.0

// The layered picture: how large its layers are, and what moves them.

import { fractionOf, moveLayers, usualTravel } from './client/page.js';

// The layers are drawn for a view of 1600 x 900 and have this much more on every side, of the view's width.
const drawnMargin = 120 / 1600;

/** Moves the layers of a scene. Their depths are in `data-depth`; the deepest travels furthest. */
export class Picture {
  #scene;
  #source;
  #deepest;
  #ranges = { x: [-5, 5], y: [-5, 5] };
  // The distance of a layer of depth 1 at the ends of the range, in px.
  #unit = 0;

  constructor(scene, source) {
    this.#scene = scene;
    this.#source = source;
    const depths = [...scene.querySelectorAll('[data-depth]')].map(layer => Math.abs(layer.dataset.depth));
    this.#deepest = Math.max(...depths);
    this.#fit();
    moveLayers(scene, source, ({ x, y }) => ({
      x: this.#unit * fractionOf(x, this.#ranges.x), y: this.#unit * fractionOf(y, this.#ranges.y),
    }));
    new ResizeObserver(() => {
      this.#fit();
      source.wake();
    }).observe(scene);
  }

  /** Takes the range of the motion, in px. */
  setRanges(ranges) {
    this.#ranges = ranges;
    this.#source.wake();
  }

  // All layers grow together until they cover the view and the hidden margin, so that their sides stay out of sight at
  // the ends of the range.
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#scene;
    if (width === 0) return;
    const margin = usualTravel * width;
    this.#unit = margin / this.#deepest;
    // Scale 1 is a drawing as wide as the view.
    const across = (width + 2 * margin) / (width * (1 + 2 * drawnMargin));
    const down = (height + 2 * margin) / (width * (9 / 16 + 2 * drawnMargin));
    this.#scene.style.setProperty('--layer-width', `${width * Math.max(across, down) * (1 + 2 * drawnMargin)}px`);
  }
}
