// SPDX-License-Identifier: Apache-2.0

// The part of the client that is the same everywhere: messages, the offset at any instant, and when to connect again.
// It uses nothing but ECMAScript, TextDecoder and setTimeout. node.js and page.js have the connections.

/** The version of the protocol that this client speaks. */
export const protocolMajor = 1;

// No value of the protocol is near this. A line with a larger one is malformed; sums of smaller ones are finite.
const maxMagnitude = 1e9;
// The longest line of the protocol is a few KiB. A longer one than this does not come from parallaxd.
const maxLineLength = 1 << 20;

// MARK: Messages

class Malformed extends Error {}

function refuse() {
  throw new Malformed();
}

const number = value => typeof value === 'number' && Math.abs(value) <= maxMagnitude ? value : refuse();
const text = value => typeof value === 'string' ? value : refuse();
const flag = value => typeof value === 'boolean' ? value : refuse();
const integer = value => Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? value : refuse();
const count = value => integer(value) >= 0 ? value : refuse();
const texts = value => Array.isArray(value) ? value.map(text) : refuse();
const object = value => typeof value === 'object' && value !== null && !Array.isArray(value) ? value : refuse();

// A range without 0, which no daemon has, counts as absent.
function range(value) {
  if (!Array.isArray(value)) refuse();
  const ends = value.map(number);
  return ends.length === 2 && ends[0] <= 0 && ends[1] >= 0 ? ends : undefined;
}

// A dictionary without inherited names: a layer may be called "constructor".
function dictionary(value, read) {
  const result = Object.create(null);
  for (const name of Object.keys(object(value)).sort()) result[name] = read(value[name]);
  return result;
}

// Reads the fields of an object by their kinds. A name that ends in "?" may be absent or null.
function fields(value, kinds) {
  const result = {};
  for (const [key, read] of kinds) {
    const isOptional = key.endsWith('?');
    const name = isOptional ? key.slice(0, -1) : key;
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found === undefined || found === null) {
      if (!isOptional) refuse();
      continue;
    }
    const read_ = read(found);
    if (read_ !== undefined) result[name] = read_;
  }
  return result;
}

const poseKinds = [['rotation?', number], ['scale?', number], ['scale_y?', number], ['opacity?', number]];
const layerKinds = [['x', number], ['y', number], ['vx?', number], ['vy?', number], ...poseKinds];
const kinds = {
  VERSION: [['release', text], ['proto_major', integer], ['proto_minor', integer]],
  DEVICE: [['driver', text], ['state', text], ['name?', text], ['rate?', number], ['reason?', text],
    ['range_x?', range], ['range_y?', range]],
  GATE: [['open', flag], ['gain', number], ['reasons', texts]],
  OFFSET: [['seq', count], ['time', number], ['x', number], ['y', number], ['nx', number], ['ny', number],
    ['vx?', number], ['vy?', number],
    ['layers?', value => dictionary(value, place => fields(object(place), layerKinds))],
    ...poseKinds, ['dropped?', count]],
  ANIMATION: [['id', text], ['event', text], ['position?', text], ['time?', number]],
  WATCH: [['enable?', flag], ['rate?', number], ['version?', integer], ['layers?', value => dictionary(value, number)],
    ['on_change?', value => value], ['orientation?', text], ['ignored?', texts]],
  ERROR: [['message', text], ['code?', text], ['details?', texts]],
};

/** Returns the message in a line; null for an unknown class or a malformed line. */
export function parse(line) {
  try {
    const value = object(JSON.parse(line));
    const name = text(value.class);
    if (!Object.hasOwn(kinds, name)) return null;
    const message = { class: name, ...fields(value, kinds[name]) };
    if (name === 'OFFSET') message.layers ??= Object.create(null);
    return message;
  } catch (error) {
    // A RangeError is a line that is nested too deeply.
    if (error instanceof Malformed || error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Splits bytes into lines. Bytes after the last line feed wait for the rest of their line. */
export class LineSplitter {
  #parts = [];
  #length = 0;

  /** Whether the line that has begun exceeds the maximum length. */
  get isOverlong() { return this.#length > maxLineLength; }

  /** Returns the lines that these bytes complete, without line feeds. One that is not UTF-8 is left out. */
  add(bytes) {
    const lines = [];
    let start = 0;
    for (let end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1) {
      this.#keep(bytes.subarray(start, end));
      lines.push(this.#text());
      this.#parts = [];
      this.#length = 0;
    }
    if (start < bytes.length) this.#keep(bytes.slice(start));
    return lines.filter(line => line !== null);
  }

  #keep(part) {
    this.#parts.push(part);
    this.#length += part.length;
  }

  #text() {
    const all = new Uint8Array(this.#length);
    let place = 0;
    for (const part of this.#parts) {
      all.set(part, place);
      place += part.length;
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(all);
    } catch {
      return null;
    }
  }
}

// MARK: The offset at any instant

// Instants are whole nanoseconds, as in the Swift client: half the intervals are exact multiples of others.
const nanoseconds = seconds => Math.round(seconds * 1e9);
// How long a velocity is followed, and as much longer as the drawing is ahead.
const reach = 50e6;
const maxAhead = 1e9;
// Fractions of the range have 4 decimals.
const largestRounding = 0.00005;
// The number of frames kept: a quarter of a second at 30 Hz.
const capacity = 8;

const clampTo = (value, low, high) => Math.min(Math.max(value, low), high);
const leadOf = seconds => clampTo(nanoseconds(seconds), 0, maxAhead);
const mix = (from, to, fraction) => from + (to - from) * fraction;

class Frame {
  constructor(message, isLive) {
    this.offset = message;
    this.time = nanoseconds(message.time);
    // Whether the gate was open and the device streamed when it came.
    this.isLive = isLive;
    this.hasVelocity = message.vx !== undefined && message.vy !== undefined;
    // Whether nothing is displaced, as when a gate has closed.
    this.isZero = message.x === 0 && message.y === 0
      && Object.values(message.layers).every(layer => layer.x === 0 && layer.y === 0);
  }

  // How long its velocity is followed, in ns.
  reach(ahead) { return this.isLive ? reach + ahead : 0; }

  velocity(axis) { return this.hasVelocity ? this.offset['v' + axis] : 0; }

  layerVelocity(name, axis) {
    const layer = this.offset.layers[name];
    return this.hasVelocity && layer?.vx !== undefined && layer.vy !== undefined ? layer['v' + axis] : 0;
  }
}

// The range on one axis, as DEVICE gave it, or else as far as the frames of an older daemon show it.
class Bounds {
  constructor(given, frames, axis) {
    if (given) {
      this.ends = [-given[0], given[1]];
      return;
    }
    let low = 0, high = 0;
    for (const { offset, hasVelocity } of frames) {
      const fraction = offset['n' + axis];
      if (!hasVelocity || !(offset[axis] * fraction > 0)) continue;
      const distance = Math.abs(offset[axis]);
      const end = Math.max(distance, distance / (Math.abs(fraction) + largestRounding));
      if (offset[axis] > 0) high = Math.max(high, end);
      else low = Math.max(low, end);
    }
    this.ends = low > 0 || high > 0 ? [low || high, high || low] : null;
  }

  clamp(offset) { return this.ends ? clampTo(offset, -this.ends[0], this.ends[1]) : offset; }

  fraction(offset, unknown) {
    if (!this.ends) return unknown;
    const end = offset < 0 ? this.ends[0] : this.ends[1];
    return end > 0 ? clampTo(offset / end, -1, 1) : 0;
  }
}

/** The last frames of a stream. It has no clock: the instant is always an argument. docs/protocol.md, "Drawing between
 * frames", has the rule, and Tests/Conformance/offset-at.jsonl a table for it. */
export class Timeline {
  #frames = [];
  #isLive = true;
  #range = {};
  // The requested layers, and whether the daemon has answered a request of this connection.
  #depths = null;
  #isAnswered = false;

  /** From now on every frame has these layers, names and depths; null: those of the daemon. */
  request(depths) {
    this.#depths = depths;
    for (const frame of this.#frames) frame.offset = this.completed(frame.offset);
  }

  /** Returns the message; an OFFSET without the requested layers gets them. Until the daemon has answered the request,
   * its frames have other layers, maybe with the same names. */
  completed(message) {
    const depths = this.#depths;
    if (message.class !== 'OFFSET' || !depths) return message;
    const names = Object.keys(depths).sort();
    if (this.#isAnswered && names.every(name => message.layers[name])) return message;
    const motion = { x: this.#motion(message, 'x'), y: this.#motion(message, 'y') };
    const layers = Object.create(null);
    for (const name of names) {
      // A layer moves by its depth, and an animation adds as much to each.
      const layer = { x: message.x + (depths[name] - 1) * motion.x, y: message.y + (depths[name] - 1) * motion.y };
      for (const key of ['vx', 'vy']) if (message[key] !== undefined) layer[key] = depths[name] * message[key];
      layers[name] = layer;
    }
    return { ...message, layers };
  }

  // The motion without what an animation adds; a frame without a velocity may be of one.
  #motion(message, axis) {
    const range = this.#range[axis], fraction = message['n' + axis];
    if (message.vx !== undefined || !range) return message[axis];
    return fraction * (fraction < 0 ? -range[0] : range[1]);
  }

  /** Adds a message of the stream, in order. VERSION starts a new stream. */
  add(message) {
    switch (message.class) {
      case 'OFFSET': this.#add(this.completed(message)); break;
      case 'GATE': this.#isLive = message.open; break;
      case 'DEVICE':
        this.#isLive = message.state === 'streaming';
        this.#range = { x: message.range_x, y: message.range_y };
        break;
      case 'WATCH': this.#isAnswered = true; break;
      case 'VERSION':
        this.#frames = [];
        this.#isLive = true;
        this.#range = {};
        this.#isAnswered = false;
    }
  }

  #add(message) {
    if (message.time < 0) return;
    const frame = new Frame(message, this.#isLive);
    const last = this.#frames.at(-1);
    // The first frame of a new stream, for example of a restarted daemon.
    if (last && (frame.time <= last.time || message.seq <= last.offset.seq)) this.#frames = [];
    this.#frames.push(frame);
    if (this.#frames.length > capacity) this.#frames.shift();
  }

  /** Returns the offset at an instant, in seconds of CLOCK_MONOTONIC; null before the first frame. `seconds` is when the
   * picture becomes visible, and `ahead` how long before that it is drawn, 0 to 1 s: a display of 60 Hz that shows a
   * picture at its next refresh draws 1/60 s ahead. A frame that arrives meanwhile is too late for it, so each line is
   * followed for as much longer. */
  offsetAt(seconds, ahead = 0) {
    const frames = this.#frames;
    if (frames.length === 0) return null;
    const instant = nanoseconds(seconds);
    const first = frames[0], last = frames.at(-1);
    if (instant <= first.time) return drawn(first.offset);
    if (instant >= last.time) return drawn(this.#extrapolated(instant, leadOf(ahead)));
    const index = frames.findIndex(frame => frame.time >= instant);
    const [before, after] = [frames[index - 1], frames[index]];
    const interval = after.time - before.time;
    const period = this.#period() ?? interval;
    // Frames that are far apart: at rest, or lost. The earlier offset holds until a period before the later.
    const ramp = interval > 2 * period ? period : interval;
    const fraction = 1 - (after.time - instant) / ramp;
    return fraction <= 0 ? drawn(before.offset) : interpolated(before.offset, after.offset, fraction, fraction);
  }

  /** Returns the instant, in seconds, from which `offsetAt` stays the same until the next frame. */
  movingUntil(ahead = 0) {
    const last = this.#frames.at(-1);
    if (!last) return 0;
    const period = this.#period(), lead = leadOf(ahead);
    let after = 0;
    if (!last.hasVelocity) after = period ?? 0;
    else if (last.isLive || !last.isZero) {
      after = Math.max(last.reach(lead), period === undefined ? 0 : period * 0.75 + lead);
    }
    return (last.time + after) * 1e-9;
  }

  // The shortest interval between the kept frames, in ns; undefined for a single one.
  #period() {
    let shortest;
    for (let k = 1; k < this.#frames.length; k += 1) {
      const interval = this.#frames[k].time - this.#frames[k - 1].time;
      if (!(interval >= shortest)) shortest = interval;
    }
    return shortest;
  }

  #extrapolated(instant, ahead) {
    const last = this.#frames.at(-1), before = this.#frames.at(-2), period = this.#period();
    if (last.hasVelocity) return this.#followed(instant, ahead);
    if (!this.#isLive || last.isZero || !before) return last.offset;
    const interval = last.time - before.time;
    if (interval > 2 * period) return last.offset;
    const beyond = Math.min(instant - last.time, period) / interval;
    return interpolated(
      before.offset, last.offset, 1 + limited(beyond, before.offset.nx, last.offset.nx),
      1 + limited(beyond, before.offset.ny, last.offset.ny));
  }

  #followed(instant, ahead) {
    const last = this.#frames.at(-1), before = this.#frames.at(-2), period = this.#period();
    const now = last.offset;
    if (!last.isLive && last.isZero) return now;
    const elapsed = instant - last.time;
    const seconds = Math.min(elapsed, last.reach(ahead)) * 1e-9;
    // The first picture with this frame shows this instant of both lines.
    const firstSeconds = Math.min(ahead, last.reach(ahead)) * 1e-9;
    const missedSeconds = before ? Math.min(last.time - before.time + ahead, before.reach(ahead)) * 1e-9 : 0;
    const missedShare = before ? clampTo(1 - (elapsed - ahead) / (0.75 * period), 0, 1) : 0;
    // On the frame's line, with the rest of what the line of the frame before missed.
    const position = (offset, velocity, old, oldVelocity) => offset + velocity * seconds + (old === undefined ? 0
      : old + oldVelocity * missedSeconds - (offset + velocity * firstSeconds)) * missedShare;
    const result = { ...now, layers: Object.create(null) };
    for (const name of Object.keys(now.layers)) result.layers[name] = { ...now.layers[name] };
    for (const axis of ['x', 'y']) {
      const bounds = new Bounds(this.#range[axis], this.#frames, axis);
      const free = position(now[axis], last.velocity(axis), before?.offset[axis], before?.velocity(axis));
      const end = bounds.clamp(free);
      result[axis] = end;
      result['n' + axis] = bounds.fraction(end, now['n' + axis]);
      for (const [name, layer] of Object.entries(now.layers)) {
        const place = position(
          layer[axis], last.layerVelocity(name, axis), before?.offset.layers[name]?.[axis],
          before?.layerVelocity(name, axis));
        // What the range takes from the motion, it takes from the layers.
        result.layers[name][axis] = end === free || free === now[axis] ? place
          : layer[axis] + (place - layer[axis]) * (end - now[axis]) / (free - now[axis]);
      }
    }
    return result;
  }
}

// Without what an offset at an instant does not have.
function drawn(offset) {
  const result = { x: offset.x, y: offset.y, nx: offset.nx, ny: offset.ny, layers: Object.create(null) };
  copyPose(offset, result);
  for (const [name, layer] of Object.entries(offset.layers)) {
    result.layers[name] = copyPose(layer, { x: layer.x, y: layer.y });
  }
  return result;
}

const poseNames = ['rotation', 'scale', 'scale_y', 'opacity'];

function copyPose(from, to) {
  for (const name of poseNames) if (from[name] !== undefined) to[name] = from[name];
  return to;
}

// How far a step from one fraction of the range to another can continue, in steps.
function limited(steps, from, to) {
  const step = to - from;
  return step === 0 ? steps : Math.min(steps, Math.max(0, (step > 0 ? 1 - to : 1 + to) / Math.abs(step)));
}

// Without a scale downward, the one to the right holds.
function atRest(name, pose) {
  return name === 'rotation' ? 0 : name === 'scale_y' ? pose.scale ?? 1 : 1;
}

// A value that only one of the two has is at rest in the other.
function mixPose(from, to, fraction, result) {
  for (const name of poseNames) {
    if (from[name] === undefined && to[name] === undefined) continue;
    const value = mix(from[name] ?? atRest(name, from), to[name] ?? atRest(name, to), fraction);
    result[name] = name === 'opacity' ? clampTo(value, 0, 1) : value;
  }
  return result;
}

// The offset on the line through two.
function interpolated(from, to, fractionX, fractionY) {
  const both = Math.min(fractionX, fractionY);
  const result = mixPose(from, to, both, {
    x: mix(from.x, to.x, fractionX), y: mix(from.y, to.y, fractionY), nx: mix(from.nx, to.nx, fractionX),
    ny: mix(from.ny, to.ny, fractionY), layers: Object.create(null),
  });
  for (const [name, place] of Object.entries(to.layers)) {
    const before = from.layers[name];
    result.layers[name] = before ? mixPose(before, place, both, {
      x: mix(before.x, place.x, fractionX), y: mix(before.y, place.y, fractionY),
    }) : copyPose(place, { x: place.x, y: place.y });
  }
  return result;
}
