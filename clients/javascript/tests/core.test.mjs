// SPDX-License-Identifier: Apache-2.0
// What needs no daemon. Tests/Conformance/run.py has the rest.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { ParallaxFeed } from '../feed.js';
import * as node from '../node.js';
import * as page from '../page.js';
import { LineSplitter, Timeline } from '../parallax.js';
import { MessageQueue, RetryTimer } from '../stream.js';

const offset = (seq, more) => ({
  class: 'OFFSET', seq, time: 10 + seq * 0.04, x: seq, y: 0, nx: 0, ny: 0, vx: 25, vy: 0, layers: {}, ...more });

test('sockets', () => {
  const paths = environment => node.candidates({ environment, uid: 7 });
  assert.deepEqual(paths({ XDG_RUNTIME_DIR: '/x' }), ['/x/parallax/parallax.sock', '/run/parallax/parallax.sock']);
  assert.equal(paths({ PARALLAX_SOCKET: '' })[0], '/run/user/7/parallax/parallax.sock');
  assert.deepEqual(paths({ PARALLAX_SOCKET: '/a/b' }), ['/a/b']);
  assert.deepEqual(node.candidates({ explicit: 'e', environment: { PARALLAX_SOCKET: '/a' } }), ['e']);
  const controls = environment => node.candidates({ control: true, environment, uid: 7 });
  assert.deepEqual(controls({}), ['/run/user/7/parallax/control.sock', '/run/parallax/control.sock']);
  assert.deepEqual(controls({ PARALLAX_SOCKET: '/a/b' }), ['/a/control.sock']);
  assert.deepEqual(controls({ PARALLAX_SOCKET: '/a/b', PARALLAX_CONTROL: 'c' }), ['c']);
});

test('waits double up to a bound, and a long connection resets them', () => {
  const timer = new RetryTimer({ first: 0.1, longest: 5 }, () => 1);
  assert.deepEqual(Array.from({ length: 8 }, () => timer.waitAfter(0)), [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]);
  assert.equal(timer.waitAfter(4), 5);
  assert.deepEqual([timer.waitAfter(6), timer.waitAfter(0)], [0.1, 0.2]);
  assert.equal(new RetryTimer({ first: 1 }, () => 0).waitAfter(0), 0.5);
});

test('lines in any pieces', () => {
  const splitter = new LineSplitter();
  const bytes = text => new TextEncoder().encode(text);
  assert.deepEqual([...bytes('one\n\nthr€e\nfo')].flatMap(byte => splitter.add(Uint8Array.of(byte))),
    ['one', '', 'thr€e']);
  assert.deepEqual(splitter.add(bytes('ur\nfive\n')), ['four', 'five']);
  assert.equal(splitter.isOverlong, false);
  splitter.add(new Uint8Array((1 << 20) + 1));
  assert.equal(splitter.isOverlong, true);
});

test('a slow reader gets the newest', () => {
  const queue = new MessageQueue(2);
  const gate = open => ({ class: 'GATE', open });
  for (const message of [gate(true), offset(1), offset(2), gate(false), offset(3), offset(4)]) queue.push(message);
  const left = [queue.shift(), queue.shift(), queue.shift(), queue.shift()];
  assert.deepEqual(left.map(message => message && [message.class, message.seq, message.dropped]),
    [['GATE', undefined, undefined], ['OFFSET', 3, 2], ['OFFSET', 4, undefined], undefined]);
  for (let k = 0; k < 100; k += 1) queue.push({ class: 'ERROR', message: String(k) });
  assert.equal(queue.shift().message, '36');
});

class FakeFeed extends ParallaxFeed {
  lines = [];

  now() { return 0; }

  open(events) {
    this.events = events;
    return { send: text => this.lines.push(text), close: () => {} };
  }
}

async function acceptedFeed() {
  const feed = new FakeFeed({ name: 'a', backoff: null });
  await null;
  feed.events.opened();
  feed.events.line('{"class":"ACK"}');
  assert.deepEqual(feed.lines.splice(0).map(line => JSON.parse(line)), [{ class: 'FEED', name: 'a', clock: 'sender' }]);
  return feed;
}

test('lines of samples are shorter than 64 KiB', async () => {
  const feed = await acceptedFeed();
  const longest = -2.2250738585072014e-308;
  const samples = Array.from({ length: 1000 }, (_, time) => ({ time, x: longest, y: longest, z: longest }));
  assert.equal(feed.send(samples), true);
  assert.ok(Math.max(...feed.lines.map(line => line.length)) < 65536);
  assert.deepEqual(feed.lines.splice(0).flatMap(line => JSON.parse(line).samples),
    samples.map(({ time, x, y, z }) => [time, x, y, z]));
  for (const wrong of [NaN, Infinity, undefined, '1']) {
    assert.throws(() => feed.send([samples[0], { ...samples[1], y: wrong }]), TypeError);
    assert.throws(() => feed.send({ x: 0, y: 0, z: wrong }), TypeError);
  }
  assert.deepEqual(feed.lines, []);
  feed.close();
  assert.equal(feed.send({ x: 0, y: 0, z: 0 }), false);
});

test('sending throws the error by which a feed has ended', async () => {
  const feed = await acceptedFeed();
  feed.events.line('{"class":"ERROR","message":"another source","code":"unavailable"}');
  assert.throws(() => feed.send({ x: 0, y: 0, z: 0 }), { code: 'unavailable', message: 'another source' });
  await assert.rejects(feed[Symbol.asyncIterator]().next(), { code: 'unavailable' });
});

test('a timeline rests after its last frame', () => {
  const timeline = new Timeline();
  assert.equal(timeline.offsetAt(1), null);
  for (let k = 0; k < 3; k += 1) timeline.add(offset(k));
  const end = timeline.movingUntil();
  assert.ok(Math.abs(end - 10.13) < 1e-9);
  assert.equal(timeline.offsetAt(end).x, timeline.offsetAt(end + 9).x);
  assert.notEqual(timeline.offsetAt(end - 0.001).x, timeline.offsetAt(end).x);
  const ahead = 0.02, later = timeline.movingUntil(ahead);
  assert.ok(Math.abs(later - 10.15) < 1e-9);
  assert.equal(timeline.offsetAt(later, ahead).x, timeline.offsetAt(later + 9, ahead).x);
  assert.notEqual(timeline.offsetAt(later - 0.001, ahead).x, timeline.offsetAt(later, ahead).x);
});

test('names of layers are not those of Object', () => {
  const message = node.parse(JSON.stringify(offset(1)).replace('"layers":{}',
    '"layers":{"constructor":{"x":1,"y":2},"__proto__":{"x":3,"y":4}}'));
  assert.deepEqual(Object.keys(message.layers), ['__proto__', 'constructor']);
  const timeline = new Timeline();
  timeline.add(message);
  assert.equal(timeline.offsetAt(20).layers.__proto__.x, 3);
});

test('the types declare what the modules export', () => {
  for (const [name, module] of Object.entries({ node, page })) {
    const declared = readFileSync(new URL(`../${name}.d.ts`, import.meta.url), 'utf8')
      + readFileSync(new URL('../parallax.d.ts', import.meta.url), 'utf8');
    const names = [...declared.matchAll(/^export (?:class|function|const) (\w+)/gm)].map(match => match[1]);
    assert.deepEqual([...new Set([...names, 'ParallaxError', 'ParallaxStream'])].sort(), Object.keys(module).sort());
  }
});
