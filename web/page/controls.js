// SPDX-License-Identifier: Apache-2.0

// The controls of the settings. Each has an element, `show(value, marked)` for a value of the daemon and the one that is
// configured, and calls `change(value)` with what the user chooses.

import { linear, parseRange, parseSmoothing, share, smoothings, smoothingText } from './scales.js';

/** Makes an element with attributes and children. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// What is being typed is not overwritten by an answer of the daemon.
function typed(field) {
  field.addEventListener('input', () => { field.isTyped = true; });
  for (const event of ['change', 'blur']) field.addEventListener(event, () => { field.isTyped = false; });
  return field;
}

function showIn(field, value) {
  if (!field.isTyped && field.value !== String(value)) field.value = value;
}

let lastID = 0;
const newID = () => `control-${lastID += 1}`;

/** A number: a slider, a field and a unit. The mark on the slider is the configured value. */
export function numberControl({ label, unit = '', scale, minimum, maximum, showLabel = false }, change) {
  const slider = make('input', {
    type: 'range', min: scale.low, max: scale.high, step: scale.step, ariaLabel: `${label}, slider`,
  });
  const field = typed(make('input', { type: 'number', step: 'any', ariaLabel: label, inputMode: 'decimal' }));
  if (minimum !== undefined) field.min = minimum;
  if (maximum !== undefined) field.max = maximum;
  const mark = make('span', { className: 'mark', hidden: true });
  const unitText = make('span', { className: 'unit' }, unit);
  const describe = value => slider.setAttribute('aria-valuetext', `${value} ${unitText.textContent}`.trim());
  slider.addEventListener('input', () => {
    const value = scale.toValue(Number(slider.value));
    field.value = value;
    describe(value);
    change(value);
  });
  field.addEventListener('change', () => {
    if (field.value !== '' && field.reportValidity()) change(Number(field.value));
  });
  const element = make('div', { className: 'number-control' });
  if (showLabel) element.append(make('span', { className: 'label' }, label));
  element.append(make('span', { className: 'slider' }, mark, slider), make('span', { className: 'field' }, field, unitText));
  return {
    element,
    setUnit: text => { unitText.textContent = text; },
    show(value, marked) {
      const number = Number(value);
      showIn(field, Number.isFinite(number) ? number : '');
      if (Number.isFinite(number)) {
        slider.value = scale.toPlace(number);
        describe(number);
      }
      const place = share(scale, Number(marked));
      mark.hidden = !Number.isFinite(place) || marked === null || marked === '';
      if (!mark.hidden) mark.style.setProperty('--place', String(place));
    },
  };
}

/** One of a few words, side by side. */
export function choiceControl({ label, values, names = {} }, change) {
  const name = newID();
  const element = make('div', { className: 'choice', role: 'radiogroup', ariaLabel: label });
  const inputs = values.map(value => {
    const input = make('input', { type: 'radio', name, value });
    input.addEventListener('change', () => change(value));
    element.append(make('label', {}, input, make('span', {}, names[value] ?? value)));
    return input;
  });
  return { element, show(value) { for (const input of inputs) input.checked = input.value === String(value); } };
}

/** One of many words. A value that is not in the list is added to it. */
export function selectControl({ label, values, names = {} }, change) {
  const element = make('select', { ariaLabel: label });
  const add = value => element.append(make('option', { value }, names[value] ?? value));
  values.forEach(add);
  element.addEventListener('change', () => change(element.value));
  return {
    element,
    show(value) {
      if (![...element.options].some(option => option.value === String(value))) add(String(value));
      element.value = String(value);
    },
  };
}

/** A text, which counts when it is complete. */
export function textControl({ label }, change) {
  const element = typed(make('input', { type: 'text', ariaLabel: label, spellcheck: false, autocomplete: 'off' }));
  element.addEventListener('change', () => change(element.value.trim()));
  return { element, show: value => showIn(element, value) };
}

/** Two ends: a slider for both together, and a field for each. */
export function rangeControl({ label, low, high }, change) {
  const both = numberControl({ label, unit: 'px', scale: linear(1, 40, 1), minimum: 0 }, value => change(`-${value}:${value}`));
  const fields = [low, high].map(end => typed(make('input', { type: 'number', step: 'any', ariaLabel: `${label}, ${end}` })));
  [fields[0].max, fields[1].min] = [0, 0];
  for (const field of fields) {
    field.addEventListener('change', () => {
      if (field.value !== '' && field.reportValidity()) change(fields.map(({ value }) => Number(value)).join(':'));
    });
  }
  const [slider, old] = both.element.children;
  old.replaceChildren(fields[0], make('span', { className: 'unit' }, 'to'), fields[1], make('span', { className: 'unit' }, 'px'));
  old.classList.add('ends');
  const widest = text => {
    const ends = parseRange(text);
    return ends ? Math.max(...ends.map(Math.abs)) : null;
  };
  slider.addEventListener('input', ({ target }) => [fields[0].value, fields[1].value] = [-target.value, target.value]);
  return {
    element: both.element,
    show(value, marked) {
      both.show(widest(value), widest(marked));
      const ends = parseRange(value) ?? ['', ''];
      fields.forEach((field, index) => showIn(field, ends[index]));
    },
  };
}

const smoothingNames = {
  auto: 'auto', 'auto:calm': 'auto, calm', none: 'none', ema: 'moving average (ema)', 'one-euro': '1 Euro filter',
  spring: 'spring',
};

/** A filter and its numbers. */
export function smoothingControl({ label }, change) {
  let present = null;
  const kinds = selectControl({ label, values: Object.keys(smoothings), names: smoothingNames }, kind => {
    const initial = smoothings[kind];
    change(initial ? smoothingText({ kind, numbers: initial.map(number => number.initial), rest: [] }) : kind);
  });
  const parameters = make('div', { className: 'parameters' });
  const element = make('div', { className: 'smoothing' }, kinds.element, parameters);
  let controls = [];
  const build = kind => {
    controls = (smoothings[kind] ?? []).map((number, index) => numberControl({ ...number, showLabel: true }, value => {
      present.numbers[index] = value;
      change(smoothingText(present));
    }));
    parameters.replaceChildren(...controls.map(control => control.element));
  };
  return {
    element,
    show(value, marked) {
      const before = present?.kind;
      present = parseSmoothing(String(value));
      kinds.show(present?.kind ?? value);
      if (present?.kind !== before) build(present?.kind);
      const configured = parseSmoothing(String(marked));
      controls.forEach((control, index) => control.show(
        present.numbers[index], configured?.kind === present.kind ? configured.numbers[index] : null));
    },
  };
}
