// SPDX-License-Identifier: Apache-2.0

// How the sliders of the settings divide their ranges.

const round = (value, digits) => Number(value.toPrecision(digits));

/** A slider in equal steps. */
export function linear(low, high, step) {
  return {
    low, high, step,
    toPlace: value => Math.min(Math.max(value, low), high),
    toValue: place => round(place, 6),
  };
}

/** A slider in equal ratios: for times and cutoffs. Values have two digits. */
export function logarithmic(low, high) {
  const ratio = Math.log(high / low);
  return {
    low: 0, high: 100, step: 1,
    toPlace: value => Math.min(Math.max(Math.log(Math.max(value, low) / low) / ratio * 100, 0), 100),
    toValue: place => round(low * Math.exp(place / 100 * ratio), 2),
  };
}

/** Returns where a value is on its slider, 0...1. */
export const share = (scale, value) => (scale.toPlace(value) - scale.low) / (scale.high - scale.low);

/** The numbers of a smoothing: label, unit, slider and the value they begin with. */
export const smoothings = {
  auto: [],
  'auto:calm': [],
  none: [],
  ema: [{ label: 'Time constant', unit: 's', scale: logarithmic(0.01, 2), initial: 0.12 }],
  'one-euro': [
    { label: 'Cutoff', unit: 'Hz', scale: logarithmic(0.1, 20), initial: 1 },
    { label: 'Beta', unit: 'Hz per px/s', scale: linear(0, 2, 0.01), initial: 0.2 },
  ],
  spring: [
    { label: 'Response', unit: 's', scale: logarithmic(0.05, 3), initial: 0.4 },
    { label: 'Damping', unit: '', scale: linear(0.1, 2, 0.01), initial: 1 },
  ],
};

/** Takes a smoothing apart: `spring:0.4` is the kind spring with the numbers 0.4 and 1. */
export function parseSmoothing(text) {
  if (text === 'auto' || text === 'auto:normal') return { kind: 'auto', numbers: [], rest: [] };
  if (text === 'auto:calm' || text === 'none') return { kind: text, numbers: [], rest: [] };
  const [kind, values = ''] = text.split(':');
  if (!smoothings[kind]) return null;
  const given = values.split(',').filter(Boolean).map(Number);
  const numbers = smoothings[kind].map((number, index) => given[index] ?? number.initial);
  // The third number of the 1 Euro filter has no slider; it stays as it is.
  return { kind, numbers, rest: given.slice(numbers.length) };
}

/** Writes a smoothing as SET takes it. `auto` alone would mean the configured one. */
export function smoothingText({ kind, numbers, rest }) {
  if (kind === 'auto') return 'auto:normal';
  return numbers.length > 0 ? `${kind}:${[...numbers, ...rest].join(',')}` : kind;
}

/** Returns the two ends of a range such as "-5:5"; null for anything else. */
export function parseRange(text) {
  const ends = String(text).split(':').map(Number);
  return ends.length === 2 && ends.every(Number.isFinite) ? ends : null;
}
