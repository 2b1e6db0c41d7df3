// SPDX-License-Identifier: Apache-2.0

// "Use my phone": the code that a phone scans to send its motion. The server listens for phones only from here on.

import { post } from './api.js';

const namespace = 'http://www.w3.org/2000/svg';

/** The light border that readers need, in modules. */
const border = 4;

/** Returns a drawing of a QR code, whose rows are texts of 0 and 1. */
export function drawing(rows) {
  const svg = document.createElementNS(namespace, 'svg');
  const size = rows.length + 2 * border;
  svg.setAttribute('viewBox', `${-border} ${-border} ${size} ${size}`);
  svg.setAttribute('shape-rendering', 'crispEdges');
  const path = document.createElementNS(namespace, 'path');
  const modules = rows.flatMap((row, y) => [...row].map((module, x) => (module === '1' ? `M${x} ${y}h1v1h-1z` : '')));
  path.setAttribute('d', modules.join(''));
  svg.append(path);
  return svg;
}

/** The dialog with the code. */
export class Code {
  #dialog;

  /** Called with a message if the server cannot listen. */
  onerror = null;

  constructor(dialog) {
    this.#dialog = dialog;
    this.#part('close').addEventListener('click', () => dialog.close());
    this.#part('stop').addEventListener('click', () => this.#stop());
  }

  async show() {
    try {
      const { address, push, fingerprint, rows } = await (await post('phone')).json();
      this.#dialog.querySelector('.qr').replaceChildren(drawing(rows));
      this.#part('address').textContent = address;
      this.#part('push').textContent = push;
      this.#part('fingerprint').textContent = fingerprint;
      this.#dialog.showModal();
    } catch (error) {
      this.onerror?.(error);
    }
  }

  async #stop() {
    this.#dialog.close();
    await post('phone/end').catch(error => this.onerror?.(error));
  }

  #part(name) { return this.#dialog.querySelector(`#code-${name}`); }
}
