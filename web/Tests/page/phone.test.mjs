// SPDX-License-Identifier: Apache-2.0

// The modules of the phone's page that need no browser. test_phone_page.py runs this with node.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

// Node takes a .js file for a module only below a package.json.
async function load(name) {
  const text = await readFile(new URL(`../../page/phone/${name}.js`, import.meta.url), 'utf8');
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}

const { line, sample, screenAngle } = await load('motion');
const { Horizon } = await load('horizon');
const { Sender } = await load('sender');

const degrees = 180 / Math.PI;
const event = (alpha, beta, gamma, timeStamp = 0) => ({ rotationRate: { alpha, beta, gamma }, timeStamp });
const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-9, `${value} is not ${expected}`);

test('rates are about x, y and z, in rad/s', () => {
  const taken = sample(event(degrees, 2 * degrees, -3 * degrees, 250), 0, 1700000000000);
  near(taken.x, 1);
  near(taken.y, 2);
  near(taken.z, -3);
  near(taken.time, 1700000000.25);
});

test('the axes follow the screen, and z stays', () => {
  // The right edge of the phone is up at 90, to the left at 180 and down at 270 degrees.
  for (const [angle, x, y] of [[0, 1, 2], [90, -2, 1], [180, -1, -2], [270, 2, -1], [-90, 2, -1], [360, 1, 2]]) {
    const taken = sample(event(degrees, 2 * degrees, 3 * degrees), angle, 0);
    near(taken.x, x);
    near(taken.y, y);
    near(taken.z, 3);
  }
});

test('an event without rates gives none', () => {
  assert.equal(sample({ rotationRate: null, timeStamp: 0 }, 0, 0), null);
  assert.equal(sample(event(null, null, null), 0, 0), null);
  assert.equal(sample(event(1, NaN, 1), 0, 0), null);
});

test('the angle of the screen, also of an older Safari', () => {
  assert.equal(screenAngle({ screen: { orientation: { angle: 90 } }, orientation: 0 }), 90);
  assert.equal(screenAngle({ screen: {}, orientation: -90 }), -90);
  assert.equal(screenAngle({}), 0);
});

test('samples are a line of the protocol', () => {
  assert.equal(
    line([{ time: 1.25, x: 1e-9, y: -0.12345678, z: 3 }, { time: 1.5, x: 0, y: 0, z: 0 }]),
    '{"class":"SAMPLES","samples":[[1.25,0,-0.123457,3],[1.5,0,0,0]]}');
});

test('the horizon turns and moves against the phone', () => {
  const horizon = new Horizon();
  horizon.add({ time: 1, x: 9, y: 9, z: 9 });
  assert.equal(horizon.transform(), 'rotate(0.00) translate(0.00 0.00)');
  // Counterclockwise, its top toward the viewer and its right edge away.
  for (let step = 1; step <= 50; step += 1) horizon.add({ time: 1 + step / 100, x: 0.4, y: 0.2, z: Math.PI / 2 });
  assert.equal(horizon.transform(), 'rotate(45.00) translate(10.00 20.00)');
  // A gap does not count, nor does time that goes back.
  horizon.add({ time: 100, x: 1, y: 1, z: 1 });
  horizon.add({ time: 99, x: 1, y: 1, z: 1 });
  assert.equal(horizon.transform(), 'rotate(45.00) translate(10.00 20.00)');
  horizon.center();
  assert.equal(horizon.transform(), 'rotate(0.00) translate(0.00 0.00)');
});

/** A server whose answers a test gives, and a pause that a test ends. */
class Fake {
  requests = [];
  states = [];
  pauses = [];

  sender = new Sender(
    samples => new Promise((resolve, reject) => { this.requests.push({ samples, resolve, reject }); }),
    ms => new Promise(resolve => { this.pauses.push({ ms, resolve }); }));

  constructor() {
    this.sender.onstate = (state, detail) => this.states.push([state, detail]);
  }

  async answer(status, body) {
    this.requests.at(-1).resolve({ status, body });
    await new Promise(setImmediate);
  }

  async fail() {
    this.requests.at(-1).reject(new TypeError('no network'));
    await new Promise(setImmediate);
  }
}

test('one request at a time, with all that came meanwhile', async () => {
  const fake = new Fake();
  const { sender, requests, states } = fake;
  sender.add(1);
  sender.add(2);
  sender.add(3);
  assert.deepEqual(requests.map(({ samples }) => samples), [[1]]);
  await fake.answer(200, { state: 'streaming' });
  assert.deepEqual(requests.map(({ samples }) => samples), [[1], [2, 3]]);
  await fake.answer(200, { state: 'idle' });
  assert.deepEqual(states, [['sent', 'streaming'], ['sent', 'idle']]);
  sender.add(4);
  assert.equal(requests.length, 3);
});

test('old samples are dropped', async () => {
  const fake = new Fake();
  for (let number = 0; number < 1000; number += 1) fake.sender.add(number);
  await fake.answer(200, {});
  const { samples } = fake.requests.at(-1);
  assert.deepEqual([samples.length, samples[0], samples.at(-1)], [120, 880, 999]);
});

test('it tries again after a failure, and not at once', async () => {
  const fake = new Fake();
  fake.sender.add(1);
  await fake.fail();
  fake.sender.add(2);
  assert.deepEqual(fake.states, [['offline', '']]);
  assert.equal(fake.requests.length, 1);
  fake.pauses[0].resolve();
  await new Promise(setImmediate);
  await fake.answer(503, { error: 'why' });
  fake.sender.add(3);
  fake.pauses[1].resolve();
  await new Promise(setImmediate);
  await fake.answer(200, { state: 'streaming' });
  assert.deepEqual(fake.states.slice(1), [['refused', 'why'], ['sent', 'streaming']]);
});

test('what ends it', async () => {
  for (const [status, state] of [[401, 'expired'], [409, 'taken']]) {
    const fake = new Fake();
    fake.sender.add(1);
    await fake.answer(status, { error: 'why' });
    fake.sender.add(2);
    assert.deepEqual(fake.states, [[state, 'why']]);
    assert.equal(fake.requests.length, 1);
  }
  const fake = new Fake();
  fake.sender.add(1);
  let isDone = false;
  fake.sender.end().then(() => { isDone = true; });
  await new Promise(setImmediate);
  // The request that is under way would take the phone's place again if it came after its end.
  assert.equal(isDone, false);
  await fake.answer(200, {});
  assert.deepEqual([fake.states, fake.requests.length, isDone], [[], 1, true]);
});
