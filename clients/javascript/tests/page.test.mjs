// SPDX-License-Identifier: Apache-2.0
// The page's part, with a page of plain objects.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  animate, fractionOf, moveLayers, PageClock, PageControl, PageStream, ParallaxStream, setVariables,
} from '../page.js';

class Page {
  constructor() {
    this.frames = [];
    this.reduce = { matches: false, listeners: [], addEventListener(_, listener) { this.listeners.push(listener); },
      removeEventListener() {} };
    globalThis.matchMedia = () => this.reduce;
    globalThis.requestAnimationFrame = frame => this.frames.push(frame);
    globalThis.cancelAnimationFrame = () => { this.frames = []; };
    this.source = { close() { this.isClosed = true; } };
    this.stream = new PageStream('/stream', { source: () => this.source, backoff: null });
  }

  draw() { for (const frame of this.frames.splice(0)) frame(); }

  say(...lines) { this.source.onmessage({ data: lines.map(line => JSON.stringify(line)).join('\n') }); }
}

const element = attributes => {
  const style = { setProperty(name, value) { this[name] = value; } };
  return { style, getAttribute: name => attributes[name] ?? null };
};
const scene = (...layers) => ({ querySelectorAll: () => layers });
// Its time is long past, so the motion has come to rest.
const still = (seq, x, y, more) => ({
  class: 'OFFSET', seq, time: -5 + seq / 100 + 100, x, y, nx: x / 5, ny: y / 5, vx: 0, vy: 0, ...more });
const clock = { class: 'CLOCK', time: 1000 };

test('layers move by their depths, and rest without frames', async () => {
  const page = new Page();
  await null;
  const near = element({ 'data-depth': '2' }), wide = element({ 'data-depth': '1', 'data-depth-x': '-0.5' });
  moveLayers(scene(near, wide), page.stream);
  page.source.onopen();
  page.say(clock, still(1, 1.5, -1));
  page.draw();
  assert.equal(near.style.transform, 'translate3d(3px, -2px, 0)');
  assert.equal(wide.style.transform, 'translate3d(-0.75px, -1px, 0)');
  assert.equal(page.frames.length, 0);
  page.say(still(200, 2, 0, { rotation: 5, opacity: 0.5 }));
  assert.equal(page.frames.length, 1);
  page.draw();
  assert.equal(near.style.transform, 'translate3d(4px, 0px, 0) rotate(5deg)');
  assert.equal(near.style.opacity, '0.5');
  page.stream.close();
  assert.equal(page.source.isClosed, true);
});

test('a picture moves by fractions of the range', async () => {
  assert.deepEqual([-9, -2, 0, 3, 9].map(x => fractionOf(x, [-4, 6])), [-1, -0.5, 0, 0.5, 1]);
  assert.equal(fractionOf(3, [-4, 0]), 0);
  assert.equal(fractionOf(3, undefined, 0.25), 0.25);
  const page = new Page();
  await null;
  const near = element({ 'data-depth': '2' });
  moveLayers(scene(near), page.stream, ({ x, y }) => ({ x: 10 * fractionOf(x, [-5, 3]), y: 10 * fractionOf(y, [-2, 2]) }));
  page.source.onopen();
  page.say(clock, still(1, 1.5, -1));
  page.draw();
  assert.equal(near.style.transform, 'translate3d(10px, -10px, 0)');
  page.stream.close();
});

test('a frame that is followed is drawn until it rests', async () => {
  const page = new Page();
  await null;
  const layer = element({ 'data-depth': '1' });
  const drawing = moveLayers(scene(layer), page.stream);
  page.source.onopen();
  page.say({ class: 'CLOCK', time: 100 }, still(1, 1, 1), { ...still(600, 2, 1, { vx: 10 }), time: 100 });
  page.draw();
  assert.equal(page.frames.length, 1);
  drawing.stop();
  assert.equal(page.frames.length, 0);
  page.stream.close();
});

test('a picture is drawn one frame of 60 Hz ahead', () => {
  const page = new Page();
  const asked = [];
  const stream = {
    now: () => 5,
    offsetAt: (...instants) => { asked.push(instants); return null; },
    movingUntil: ahead => 5.002 + ahead,
  };
  animate(stream, () => {});
  page.draw();
  assert.deepEqual(asked, [[5 + 1 / 60, 1 / 60]]);
  assert.equal(page.frames.length, 1);
});

test('a drawing requests the frames that a picture needs, unless the program has requested others', async () => {
  new Page();
  const requested = async watch => {
    const lines = [];
    class Fake extends ParallaxStream {
      now() { return 0; }

      open(events) {
        this.events = events;
        return { send: text => lines.push(JSON.parse(text)), close: () => {} };
      }
    }
    const stream = new Fake({ watch, backoff: null });
    await null;
    stream.events.opened();
    animate(stream, () => {});
    stream.close();
    return lines.slice(watch ? 1 : 0);
  };
  assert.deepEqual(await requested(null), [{ class: 'WATCH', rate: 60, on_change: 0.01 }]);
  assert.deepEqual(await requested({ rate: 10 }), [{ class: 'WATCH', on_change: 0.01 }]);
  assert.deepEqual(await requested({ rate: 10, on_change: false }), []);
});

test('OFFSETs that repeat are not drawn', async () => {
  const page = new Page();
  await null;
  moveLayers(scene(element({ 'data-depth': '1' })), page.stream);
  page.source.onopen();
  const say = (frame, x) => page.say({ ...still(frame, x, 1), time: 100 + frame / 30 });
  page.say({ class: 'CLOCK', time: 100 });
  say(1, 1);
  page.draw();
  assert.equal(page.frames.length, 1);
  say(2, 1);
  page.draw();
  assert.equal(page.frames.length, 0);
  say(3, 1);
  assert.equal(page.frames.length, 0);
  say(4, 2);
  assert.equal(page.frames.length, 1);
  page.draw();
  assert.equal(page.frames.length, 1);
  page.stream.close();
});

test('with reduced motion the page stands still', async () => {
  const page = new Page();
  await null;
  page.reduce.matches = true;
  const root = element({});
  setVariables(root, page.stream);
  page.source.onopen();
  page.say({ class: 'DEVICE', driver: 'iio', state: 'streaming', range_x: [-5, 5], range_y: [-5, 5] }, clock,
    still(1, 1.5, -1));
  page.draw();
  assert.equal(root.style['--parallax-x'], '0px');
  page.say(still(200, 3, 0));
  assert.equal(page.frames.length, 0);
  page.reduce.matches = false;
  for (const listener of page.reduce.listeners) listener();
  page.draw();
  assert.equal(root.style['--parallax-x'], '3px');
  assert.equal(root.style['--parallax-nx'], '0.6');
  page.stream.close();
});

test('the end of the source ends a stream that does not connect again', async () => {
  const page = new Page();
  await null;
  page.source.onerror();
  assert.equal(page.stream.state, 'closed');
  await assert.rejects(page.stream[Symbol.asyncIterator]().next(), { code: 'closed' });
});

test("the clock is the server's, or else that of the frames", () => {
  const page = new PageClock();
  assert.equal(page.at(7), 7);
  page.observe(100, 10.03);
  page.observe(100.1, 10.11);
  page.observe(100.2, 10.25);
  assert.ok(Math.abs(page.at(10.01) - 100) < 1e-9);
  page.observe(100.3, 10.305, true);
  page.observe(200, 10.4);
  page.observe(NaN, 10.4, true);
  assert.ok(Math.abs(page.at(10.005) - 100) < 1e-9);
});

test('requests are lines of one POST, and the answers are as many', async () => {
  const sent = [];
  const answer = (status, text) => async (url, options) => {
    sent.push([url, options]);
    return new Response(text, { status });
  };
  globalThis.fetch = answer(200, '{"class":"ACK"}\n{"class":"ERROR","message":"no","code":"denied"}\n');
  const control = new PageControl('/control', { token: 'abc' });
  const answers = await control.request({ class: 'SET', key: 'scale', value: 8 }, { class: 'STATUS' });
  assert.deepEqual(answers, [{ class: 'ACK' }, { class: 'ERROR', message: 'no', code: 'denied' }]);
  assert.deepEqual(sent, [['/control', { method: 'POST', headers: { Authorization: 'Bearer abc' },
    body: '{"class":"SET","key":"scale","value":8}\n{"class":"STATUS"}\n' }]]);
  globalThis.fetch = answer(503, '{"error":"no daemon answers"}');
  await assert.rejects(control.request({ class: 'STATUS' }), { code: 'unavailable', message: 'no daemon answers' });
  globalThis.fetch = answer(500, 'x');
  await assert.rejects(control.request({ class: 'STATUS' }), { message: 'the server answered 500' });
});
