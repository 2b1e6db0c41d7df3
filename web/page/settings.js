// SPDX-License-Identifier: Apache-2.0

// The panel of settings: it shows those of STATUS, with what settings.json says about them, and sends SET.

import { control, get, mayControl } from './api.js';
import * as controls from './controls.js';
import { linear, logarithmic } from './scales.js';

const { make } = controls;

// How the known keys are edited. A key of a later daemon gets a control by its kind.
const known = {
  mode: { title: 'Mode', values: ['rate', 'tilt'],
    help: 'rate: the picture springs back when the hand stops. tilt: it stays off center while the device is held at an angle.' },
  scale: { title: 'Strength', scale: linear(0, 60, 0.5) },
  'range-x': { title: 'Range, left to right', control: controls.rangeControl, low: 'left', high: 'right',
    help: 'The limits of the motion, in px. The picture shows which share of the range is reached.' },
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
  // The configured values. A status does not have that of a key that SET has changed.
  #filed = new Map();
  // The schema of the settings and the presets, as the server has them.
  #files = Promise.all(['settings.json', 'presets.json'].map(async name => (await get(name)).json()));
  #presets = {};
  // What has not been sent yet: the newest value of each key.
  #pending = new Map();
  #isSending = false;

  /** Called with the settings that differ from the configuration, each with its table, key and value. */
  onload = null;

  constructor({ rows, presets, reset, error }) {
    [this.#rows, this.#presetRow, this.#resetAll, this.#error] = [rows, presets, reset, error];
    reset.addEventListener('click', () => {
      for (const entry of this.#entries) if (entry.isChanged) this.#pending.set(entry.key, 'auto');
      this.#send();
    });
  }

  /** The value of a setting; undefined before the first answer. */
  value(key) { return this.#entries.find(entry => entry.key === key)?.value; }

  /** The settings in effect that a replay takes, by key. The mount matrix is the recording's own. */
  get replayed() {
    return Object.fromEntries(
      this.#entries.filter(({ key }) => key !== 'mount-matrix').map(({ key, value }) => [key, text(value)]));
  }

  /** Asks for the settings again. */
  async load() {
    if (!mayControl()) return this.#showWithoutToken();
    // An answer from before a change would turn the slider back under the user's finger.
    if (this.#isSending) return;
    try {
      const [status] = await control.request({ class: 'STATUS' });
      if (!this.#isSending) await this.#take(status);
    } catch (error) {
      this.#report(error);
    }
  }

  async #take(status) {
    if (status.class !== 'STATUS') return this.#fail(status.message);
    const [schema, presets] = await this.#files;
    const { settings, overrides = [] } = status;
    this.#entries = Object.entries(settings).map(([key, value]) => ({
      kind: 'text', ...schema.find(entry => entry.key === key), key, value, isChanged: overrides.includes(key),
    }));
    for (const entry of this.#entries) if (!entry.isChanged) this.#filed.set(entry.key, entry.value);
    this.#presets = presets;
    this.#fail('');
    this.#show();
    this.onload?.(this.#entries.filter(entry => entry.isChanged));
  }

  #change(key, value) {
    this.#pending.set(key, wire(value));
    this.#send();
  }

  // The changes and the status after them are one request.
  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#pending.size > 0) {
        const changes = [...this.#pending];
        this.#pending.clear();
        const answers = await control.request(
          ...changes.map(([key, value]) => ({ class: 'SET', key, value })), { class: 'STATUS' });
        if (this.#pending.size === 0) await this.#take(answers.at(-1));
        changes.forEach(([key], index) => this.#say(key, answers[index]?.class === 'ERROR' ? answers[index].message : ''));
      }
    } catch (error) {
      this.#pending.clear();
      this.#report(error);
    }
    this.#isSending = false;
  }

  // That the daemon or the server is away, or the token not valid, the page says elsewhere.
  #report(error) {
    if (![0, 401, 503].includes(error.status)) this.#fail(error.message);
  }

  #fail(message) {
    this.#error.textContent = message;
    this.#error.hidden = !message;
  }

  #say(key, message) {
    const row = this.#byKey.get(key);
    if (!row) return message && this.#fail(message);
    row.error.textContent = message;
    row.error.hidden = !message;
  }

  #showWithoutToken() {
    if (this.#entries.length === 0) this.#rows.textContent = 'Only a page with the token shows the settings.';
    this.#presetRow.hidden = this.#entries.length === 0;
    this.#setInert(true);
    this.onload?.(this.#entries.filter(entry => entry.isChanged));
  }

  #setInert(isInert) {
    for (const part of [this.#rows, this.#presetRow, this.#resetAll.parentElement]) part.inert = isInert;
  }

  #show() {
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
      row.control.show(text(entry.value), this.#filed.get(entry.key) ?? this.#default(entry));
      row.reset.title = `Back to the configured value${this.#filed.has(entry.key) ? `, ${this.#filed.get(entry.key)}` : ''}`;
      row.control.setUnit?.(this.#unit(entry));
      row.reset.hidden = !entry.isChanged;
      row.element.classList.toggle('changed', entry.isChanged);
    }
    const tilt = this.value('mode') === 'tilt';
    const recenter = this.#byKey.get('recenter');
    if (recenter) recenter.element.hidden = !tilt;
    this.#resetAll.hidden = !this.#entries.some(entry => entry.isChanged);
    this.#showPresets();
    this.#setInert(!mayControl());
  }

  // That of the strength depends on the mode.
  #default(entry) { return entry.default?.[this.value('mode')] ?? entry.default; }

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
      return entry && (isSame(entry.value, value) || text(value) === 'auto' && !entry.isChanged);
    }));
    presets.forEach((_, index) => this.#presetRow.children[index].setAttribute('aria-pressed', String(index === chosen)));
  }
}
