// SPDX-License-Identifier: Apache-2.0

// The layered picture: how large its layers are, and what moves them.

import { moveLayers } from './client/page.js';

// The layers are drawn for a view of 1600 x 900 and have this much more on every side.
const drawnMargin = 120 / 1600;

// The picture's width in px at which the depths in the document are meant: a wider picture moves further.
const usualWidth = 1000;

/** Moves the layers of a scene. Their depths are in `data-depth`. */
export class Picture {
  #scene;
  #depths;
  #reach = 5;

  constructor(scene, source) {
    this.#scene = scene;
    this.#depths = [...scene.querySelectorAll('[data-depth]')].map(layer => [layer, Number(layer.dataset.depth)]);
    this.#fit();
    moveLayers(scene, source);
    new ResizeObserver(() => {
      this.#fit();
      source.wake();
    }).observe(scene);
  }

  /** Makes the hidden margin as wide as the range of the motion, in px, needs. */
  setRanges(ranges) {
    this.#reach = Math.max(...ranges.x.map(Math.abs), ...ranges.y.map(Math.abs));
    this.#fit();
  }

  // All layers grow together, so that their sides stay out of sight at the end of the range.
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#scene;
    if (width === 0) return;
    const share = width / usualWidth;
    for (const [layer, depth] of this.#depths) layer.dataset.depth = Number((depth * share).toFixed(2));
    const margin = this.#reach * share * Math.max(...this.#depths.map(([, depth]) => depth));
    // Scale 1 is a drawing as wide as the view.
    const across = (1 + 2 * margin / width) / (1 + 2 * drawnMargin);
    const down = (height + 2 * margin) / (width * (9 / 16 + 2 * drawnMargin));
    const scale = Math.max(1, across, down);
    this.#scene.style.setProperty('--layer-width', `${width * scale * (1 + 2 * drawnMargin)}px`);
  }
}
