// SPDX-License-Identifier: Apache-2.0

// The panel of settings: it shows what GET /settings answers and sends changes to POST /set.

import { get, mayControl, post } from './api.js';
import * as controls from './controls.js';
import { linear, logarithmic } from './scales.js';

const { make } = controls;

// How the known keys are edited. A key of a later daemon gets a control by its kind.
const known = {
  mode: { title: 'Mode', values: ['rate', 'tilt'],
    help: 'rate: the picture springs back when the hand stops. tilt: it stays off center while the device is held at an angle.' },
  scale: { title: 'Strength', scale: linear(0, 60, 0.5) },
  'range-x': { title: 'Range, left to right', control: controls.rangeControl, low: 'left', high: 'right',
    help: 'How far the picture may move. It needs a hidden margin of that width.' },
  'range-y': { title: 'Range, up to down', control: controls.rangeControl, low: 'up', high: 'down' },
  recenter: { title: 'Recenter', scale: logarithmic(0.5, 30), unit: 's' },
  smoothing: { title: 'Smoothing', control: controls.smoothingControl },
  bias: { title: 'Bias correction', values: ['auto', 'on', 'off'] },
  rate: { title: 'Frame rate', control: controls.selectControl, values: ['15', '24', '30', '45', '60', '90', '120', 'native'],
    names: { native: 'native: that of the gyroscope' }, help: 'Frames per second. Clients draw between them: 30 are enough.' },
  'mount-matrix': { title: 'Mount matrix' },
};
const order = Object.keys(known);

const rateNames = value => Number.isFinite(Number(value)) ? `${value} Hz` : value;
for (const value of known.rate.values) known.rate.names[value] ??= rateNames(value);

const text = value => String(value ?? '');
// Numbers have several spellings, and so has the smoothing auto.
const plain = value => text(value).replace('auto:normal', 'auto');
const isSame = (a, b) => plain(a) === plain(b) || text(a) !== '' && text(b) !== '' && Number(a) === Number(b);

/** Whether a setting differs from the configured one. */
export const isChanged = entry => entry.changed ?? !isSame(entry.value, entry.filed);

function controlFor(entry, change) {
  const options = { label: entry.key, ...entry, ...known[entry.key] };
  options.label = options.title ?? entry.key;
  if (entry.kind === 'range') options.control ??= controls.rangeControl;
  if (options.control) return options.control(options, change);
  // The values of a number or a text are words and examples.
  if (entry.kind === 'choice') return controls.choiceControl(options, change);
  const isNumber = entry.kind === 'number' && Number.isFinite(Number(entry.value));
  if (!isNumber && !options.scale || String(entry.value).includes(',')) return controls.textControl(options, change);
  options.scale ??= linear(...entry.slider ?? [entry.minimum ?? 0, entry.maximum ?? 100], 0.1);
  return controls.numberControl(options, change);
}

// A number for a number, so that the daemon's messages show what was typed.
const wire = value => typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;

export class Settings {
  #rows;
  #presetRow;
  #resetAll;
  #error;
  #byKey = new Map();
  #entries = [];
  // The configured values. An answer does not have that of a key that SET has changed.
  #filed = new Map();
  #presets = {};
  // What has not been sent yet: the newest value of each key.
  #pending = new Map();
  #isSending = false;
  #isStale = false;

  /** Called with the answer of GET /settings. */
  onload = null;

  constructor({ rows, presets, reset, error }) {
    [this.#rows, this.#presetRow, this.#resetAll, this.#error] = [rows, presets, reset, error];
    reset.addEventListener('click', () => {
      for (const entry of this.#entries) if (isChanged(entry)) this.#pending.set(entry.key, 'auto');
      this.#send();
    });
  }

  /** The value of a setting; undefined before the first answer. */
  value(key) { return this.#entries.find(entry => entry.key === key)?.value; }

  /** Asks for the settings again. */
  async load() {
    // An answer from before a change would turn the slider back under the user's finger.
    if (this.#isSending) {
      this.#isStale = true;
      return;
    }
    try {
      const answer = await (await get('settings')).json();
      if (this.#isSending || this.#pending.size > 0) return;
      this.#entries = answer.settings ?? [];
      for (const { key, filed } of this.#entries) if (filed !== null && filed !== undefined) this.#filed.set(key, filed);
      this.#presets = answer.presets ?? {};
      this.#show();
      this.onload?.(answer);
    } catch (error) {
      // That the daemon or the server is away, the page says elsewhere.
      if (error.status !== 0 && error.status !== 503) this.#fail(error.message);
    }
  }

  #change(key, value) {
    this.#pending.set(key, wire(value));
    this.#send();
  }

  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    let failed = null;
    while (this.#pending.size > 0 && !failed) {
      const keys = [...this.#pending.keys()];
      const changes = Object.fromEntries(this.#pending);
      this.#pending.clear();
      try {
        await post('set', changes);
        keys.forEach(key => this.#say(key, ''));
        this.#fail('');
      } catch (error) {
        failed = error;
        this.#pending.clear();
        if (keys.length === 1) this.#say(keys[0], error.message);
        else this.#fail(error.message);
      }
    }
    this.#isSending = false;
    this.#isStale = false;
    await this.load();
  }

  #fail(message) {
    this.#error.textContent = message;
    this.#error.hidden = !message;
  }

  #say(key, message) {
    const row = this.#byKey.get(key);
    if (!row) return this.#fail(message);
    row.error.textContent = message;
    row.error.hidden = !message;
  }

  #show() {
    this.#fail('');
    const place = entry => (order.indexOf(entry.key) + 1) || order.length + 1;
    this.#entries.sort((a, b) => place(a) - place(b));
    const keys = this.#entries.map(entry => `${entry.key} ${String(entry.value).includes(',')}`).join();
    if (this.#rows.dataset.keys !== keys) {
      this.#rows.dataset.keys = keys;
      this.#byKey.clear();
      this.#rows.replaceChildren(...this.#entries.map(entry => this.#makeRow(entry)));
    }
    for (const entry of this.#entries) {
      const row = this.#byKey.get(entry.key);
      row.control.show(text(entry.value), this.#filed.get(entry.key) ?? entry.default);
      row.reset.title = `Back to the configured value${this.#filed.has(entry.key) ? `, ${this.#filed.get(entry.key)}` : ''}`;
      row.control.setUnit?.(this.#unit(entry));
      row.reset.hidden = !isChanged(entry);
      row.element.classList.toggle('changed', isChanged(entry));
    }
    const tilt = this.value('mode') === 'tilt';
    const recenter = this.#byKey.get('recenter');
    if (recenter) recenter.element.hidden = !tilt;
    this.#resetAll.hidden = !this.#entries.some(isChanged);
    this.#showPresets();
    for (const part of [this.#rows, this.#presetRow, this.#resetAll.parentElement]) part.inert = !mayControl();
  }

  // The unit of the strength depends on the mode.
  #unit(entry) {
    if (entry.key === 'scale') return this.value('mode') === 'tilt' ? 'px per rad' : 'px per rad/s';
    return known[entry.key]?.unit ?? entry.unit ?? '';
  }

  #makeRow(entry) {
    const title = known[entry.key]?.title ?? entry.key;
    const reset = make('button', {
      type: 'button', className: 'reset', ariaLabel: `Reset ${title}`,
    }, 'Reset');
    reset.addEventListener('click', () => this.#change(entry.key, 'auto'));
    const error = make('p', { className: 'error', role: 'alert', hidden: true });
    const control = controlFor(entry, value => this.#change(entry.key, value));
    const element = make('div', { className: 'row', role: 'group', ariaLabel: title },
      make('div', { className: 'row-head' }, make('h3', {}, title), make('code', {}, entry.key), reset),
      control.element, make('p', { className: 'quiet' }, known[entry.key]?.help ?? entry.help ?? ''), error);
    element.dataset.key = entry.key;
    this.#byKey.set(entry.key, { element, control, reset, error });
    return element;
  }

  #showPresets() {
    const presets = Object.entries(this.#presets).map(([name, settings]) => ({ name, settings }));
    this.#presetRow.hidden = presets.length === 0;
    const names = presets.map(preset => preset.name).join();
    if (this.#presetRow.dataset.names !== names) {
      this.#presetRow.dataset.names = names;
      this.#presetRow.replaceChildren(...presets.map(preset => {
        const button = make('button', { type: 'button' }, preset.name[0].toUpperCase() + preset.name.slice(1));
        button.title = Object.entries(preset.settings).map(pair => pair.join(' ')).join(', ');
        button.addEventListener('click', () => {
          for (const [key, value] of Object.entries(preset.settings)) this.#pending.set(key, value);
          this.#send();
        });
        return button;
      }));
    }
    // Several may have the same values, as a configuration has those of a preset.
    const chosen = presets.findIndex(({ settings }) => Object.entries(settings).every(([key, value]) => {
      const entry = this.#entries.find(one => one.key === key);
      return entry && (isSame(entry.value, value) || text(value) === 'auto' && !isChanged(entry));
    }));
    presets.forEach((_, index) => this.#presetRow.children[index].setAttribute('aria-pressed', String(index === chosen)));
  }
}
