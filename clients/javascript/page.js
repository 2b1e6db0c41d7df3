// SPDX-License-Identifier: Apache-2.0

// For pages: a stream of server-sent events, requests to the daemon, layers that move, and CSS variables.

import { ParallaxError, ParallaxStream } from './stream.js';

export * from './parallax.js';
export { ParallaxError, ParallaxStream } from './stream.js';

/** The daemon's CLOCK_MONOTONIC, as the page sees it.
 *
 * A page has performance.now(), which begins when it is loaded. The server sends its time in a line of its own,
 * {"class":"CLOCK","time":SECONDS}; where it does not, the times of the frames serve. Each line arrives a little late,
 * so the smallest difference is the best. */
export class PageClock {
  #difference = Infinity;
  #isExact = false;

  /** Takes a time of the daemon, in seconds, that arrived at `arrival`, in seconds of performance.now(). */
  observe(time, arrival, isExact = false) {
    if (typeof time !== 'number' || !Number.isFinite(time) || this.#isExact && !isExact) return;
    // The first line of the server's clock replaces what the frames said.
    if (isExact && !this.#isExact) this.reset();
    this.#isExact = isExact;
    this.#difference = Math.min(this.#difference, arrival - time);
  }

  /** Forgets, for another daemon. */
  reset() {
    this.#difference = Infinity;
    this.#isExact = false;
  }

  /** Returns the daemon's time at an instant of performance.now(), in seconds. */
  at(instant) { return this.#difference === Infinity ? instant : instant - this.#difference; }
}

/** A stream of server-sent events whose data are the lines of the protocol. It cannot send WATCH: the depths of layers
 * are in the page. `source` makes an EventSource, or anything with `onopen`, `onmessage`, `onerror` and `close()`. */
export class PageStream extends ParallaxStream {
  #source;

  /** The daemon's clock. */
  clock = new PageClock();

  constructor(url, { source = address => new EventSource(address), ...options } = {}) {
    super(options);
    this.#source = () => source(url);
  }

  now() { return this.clock.at(performance.now() / 1000); }

  open(events) {
    const source = this.#source();
    this.clock.reset();
    source.onopen = () => events.opened();
    source.onmessage = ({ data }) => {
      for (const line of String(data).split('\n')) {
        this.#observe(line);
        events.line(line);
      }
    };
    source.onerror = () => events.ended(new ParallaxError('closed', 'the server ended the connection'));
    return { send: () => {}, close: () => source.close() };
  }

  #observe(line) {
    const arrival = performance.now() / 1000;
    const found = /^\{"class":"(CLOCK|OFFSET)",(?:.*?,)?"time":([0-9.]+)/.exec(line);
    if (found) this.clock.observe(Number(found[2]), arrival, found[1] === 'CLOCK');
  }
}

/** Requests to the control socket, which the server relays: the lines of a POST, answered by as many lines. `post` sends
 * a text and returns the response; without it, `token` is that of the page's address. */
export class PageControl {
  #post;

  constructor(url, { token, post } = {}) {
    this.#post = post ?? (body => fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body }));
  }

  /** Sends requests, such as { class: 'SET', key: 'scale', value: 8 }, at once. Returns their answers, of which any may be
   * an ERROR. After an ERROR with which the daemon ends the connection, the further ones are missing. */
  async request(...messages) {
    const response = await this.#post(messages.map(message => JSON.stringify(message) + '\n').join(''));
    if (!response.ok) {
      const { error } = await response.json().catch(() => ({}));
      throw new ParallaxError('unavailable', error ?? `the server answered ${response.status}`);
    }
    return (await response.text()).trim().split('\n').map(line => JSON.parse(line));
  }
}

// MARK: Drawing

// Whether an OFFSET at rest says the same as the one before. The offset is then that of both until the next one.
function repeats(message, last) {
  if (message.vx !== 0 || message.vy !== 0 || last?.vx !== 0 || last.vy !== 0) return false;
  const text = ({ seq, time, dropped, ...rest }) => JSON.stringify(rest);
  return text(message) === text(last);
}

// A browser does not report when a picture becomes visible: about one frame of 60 Hz after its drawing begins.
const ahead = 1 / 60;

/** Calls `draw(offset)` before each picture while the offset changes, and not at rest. With prefers-reduced-motion it
 * draws (0, 0) once. If the request of the stream has no `rate`, it becomes 60, and without `on_change`, that becomes
 * 0.01: the daemon then sends the frames that a picture needs. Returns { stop() }. */
export function animate(stream, draw) {
  const preference = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');
  const rest = { x: 0, y: 0, nx: 0, ny: 0, layers: Object.create(null) };
  let request = null;
  let isStopped = false;
  let last = null;
  let isAtRest = false;
  const frame = began => {
    request = null;
    if (isStopped) return;
    const instant = (stream.clock?.at((began ?? performance.now()) / 1000) ?? stream.now()) + ahead;
    draw(preference?.matches ? rest : stream.offsetAt(instant, ahead) ?? rest);
    if (!preference?.matches && !isAtRest && instant < stream.movingUntil(ahead)) schedule();
  };
  const schedule = () => { request ??= requestAnimationFrame(frame); };
  const before = stream.onmessage;
  const receive = message => {
    before?.(message);
    if (message.class !== 'OFFSET') return;
    // The first one that repeats is still drawn: until then the picture followed the one before.
    const isRepeated = repeats(message, last);
    const isNew = !isRepeated || !isAtRest;
    isAtRest = isRepeated;
    last = message;
    if (isNew && !preference?.matches) schedule();
  };
  stream.onmessage = receive;
  stream.prefer?.({ rate: 60, on_change: 0.01 });
  preference?.addEventListener('change', schedule);
  schedule();
  return {
    stop() {
      isStopped = true;
      if (request !== null) cancelAnimationFrame(request);
      if (stream.onmessage === receive) stream.onmessage = before;
      preference?.removeEventListener('change', schedule);
    },
  };
}

const depthOf = (element, axis) => {
  const value = Number(element.getAttribute(`data-depth-${axis}`) ?? element.getAttribute('data-depth'));
  return Number.isFinite(value) ? value : 0;
};

/** How far the nearest layer of a picture moves at the ends of the range, as a share of the picture's width, unless the
 * picture says otherwise. A picture needs a hidden margin of that width on every side. */
export const usualTravel = 0.025;

/** Returns the fraction of its range, -1 to 1, at which an offset is on one axis. `range` is that of a DEVICE, `unknown`
 * the result without one. */
export function fractionOf(offset, range, unknown = 0) {
  if (!range) return unknown;
  const end = offset < 0 ? -range[0] : range[1];
  return end > 0 ? Math.min(Math.max(offset / end, -1), 1) : 0;
}

/** Moves the elements below `scene` that have `data-depth`, or `data-depth-x` and `data-depth-y`: by the depth times the
 * offset, in CSS pixels, with a transform. `place` returns another distance { x, y } for a depth of 1. An animation also
 * rotates, scales and fades the elements. Returns { stop() }. */
export function moveLayers(scene, stream, place = offset => offset) {
  const layers = [...scene.querySelectorAll('[data-depth], [data-depth-x], [data-depth-y]')];
  for (const layer of layers) layer.style.willChange = 'transform';
  return animate(stream, offset => {
    const { x, y } = place(offset);
    for (const layer of layers) {
      const parts = [`translate3d(${x * depthOf(layer, 'x')}px, ${y * depthOf(layer, 'y')}px, 0)`];
      if (offset.rotation) parts.push(`rotate(${offset.rotation}deg)`);
      if (offset.scale !== undefined) parts.push(`scale(${offset.scale}, ${offset.scale_y ?? offset.scale})`);
      layer.style.transform = parts.join(' ');
      layer.style.opacity = offset.opacity === undefined ? '' : String(offset.opacity);
    }
  });
}

/** Sets --parallax-x and --parallax-y, lengths, and --parallax-nx and --parallax-ny, numbers from -1 to 1, on an
 * element. Returns { stop() }. */
export function setVariables(element, stream) {
  return animate(stream, offset => {
    element.style.setProperty('--parallax-x', `${offset.x}px`);
    element.style.setProperty('--parallax-y', `${offset.y}px`);
    element.style.setProperty('--parallax-nx', String(offset.nx));
    element.style.setProperty('--parallax-ny', String(offset.ny));
  });
}
