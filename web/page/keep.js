// SPDX-License-Identifier: Apache-2.0

// The changed settings as TOML: to copy, and to have written to the configuration.

import { mayControl, post } from './api.js';

// What JSON writes for a number or a text, TOML reads.
function toml(changed) {
  if (changed.length === 0) return '# Nothing has been changed.';
  const tables = [...new Set(changed.map(({ table }) => table))].map(table => [
    `[${table}]`, ...changed.filter(entry => entry.table === table).map(({ key, value }) => `${key} = ${JSON.stringify(value)}`),
  ].join('\n'));
  return '# parallax.toml.d/50-tune.toml\n' + tables.join('\n\n');
}

export class Keep {
  #parts;

  constructor(parts) {
    this.#parts = parts;
    parts.copy.addEventListener('click', () => this.#copy());
    parts.write.addEventListener('click', () => this.#write());
  }

  /** Shows the settings that differ from the configuration. */
  load(changed) {
    const { write, toml: shown, copy } = this.#parts;
    shown.closest('section').hidden = write.hidden = !mayControl();
    shown.textContent = toml(changed);
    copy.disabled = write.disabled = changed.length === 0;
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
      written.textContent = `Written to ${(await (await post('configuration')).text()).trim()}`;
      written.className = 'quiet';
    } catch (error) {
      written.textContent = error.message;
      written.className = 'error';
    }
  }
}
