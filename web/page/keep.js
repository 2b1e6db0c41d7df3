// SPDX-License-Identifier: Apache-2.0

// The settings as TOML: to copy, and to write where parallax-web may.

import { get, mayControl, post } from './api.js';

export class Keep {
  #parts;

  constructor(parts) {
    this.#parts = parts;
    parts.copy.addEventListener('click', () => this.#copy());
    parts.write.addEventListener('click', () => this.#write());
  }

  /** Shows the lines again after a change; `answer` is that of GET /settings. */
  async load({ configuration, writable }) {
    const { write, toml, copy } = this.#parts;
    write.hidden = !writable || !configuration || !mayControl();
    write.textContent = 'Write to my configuration';
    write.title = configuration ?? '';
    try {
      const text = (await (await get('configuration')).text()).trim();
      toml.textContent = text;
      // Without a table it only says that nothing has been changed.
      copy.disabled = write.disabled = !/^\[/m.test(text);
    } catch (error) {
      toml.textContent = error.message;
    }
  }

  async #copy() {
    const { toml, written } = this.#parts;
    const text = toml.textContent + '\n';
    try {
      await navigator.clipboard.writeText(text);
      written.textContent = 'Copied.';
    } catch {
      // Without a secure context, or not allowed: the text is selected, for the keyboard.
      getSelection().selectAllChildren(toml);
      written.textContent = 'Selected; press Ctrl-C.';
    }
  }

  async #write() {
    const { written } = this.#parts;
    try {
      const { path } = await (await post('configuration')).json();
      written.textContent = `Written to ${path}`;
      written.className = 'quiet';
    } catch (error) {
      written.textContent = error.message;
      written.className = 'error';
    }
  }
}
