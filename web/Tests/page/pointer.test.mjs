// SPDX-License-Identifier: Apache-2.0
// When the pointer moves the picture, and how.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PointerMotion, pointerRule } from '../../page/pointer.js';
import { Status } from '../../page/status.js';

function status(...messages) {
  const status = new Status();
  for (const message of messages) status.message(message);
  return status;
}

const version = { class: 'VERSION', release: '1.0', proto_major: 1, proto_minor: 5 };
const device = (driver, state) => ({ class: 'DEVICE', driver, state });
const gate = (...reasons) => ({ class: 'GATE', open: reasons.length === 0, gain: reasons.length === 0 ? 1 : 0, reasons });
const rule = (status, options) => pointerRule({ status, isChosen: false, isReduced: false, isPlaying: false, ...options });
const linked = (driver, state, ...reasons) => status(version, device(driver, state), gate(...reasons));

test('it moves the picture while nothing else does', () => {
  for (const state of ['none', 'lost', 'denied', 'busy']) {
    assert.equal(rule(linked('iio', state, `device:${state}`)).follows, true, state);
  }
  assert.equal(rule(linked('trace', 'ended')).follows, true);
  assert.equal(rule(linked('iio', 'idle')).follows, true);
  const gone = linked('iio', 'streaming');
  gone.connection('waiting');
  assert.equal(rule(gone).follows, true);
  assert.match(rule(gone).text, /follows your pointer/);
});

test('the motion of the daemon comes first', () => {
  for (const driver of ['iio', 'evdev', 'feed', 'trace']) {
    const found = rule(linked(driver, 'streaming'), { isChosen: true });
    assert.deepEqual(found, { follows: false, text: '', mayChoose: false }, driver);
  }
  // Until the daemon has said anything, there may be motion.
  assert.equal(rule(status(version)).follows, false);
  assert.equal(rule(new Status()).follows, false);
});

test('it respects gates, reduced motion and recordings', () => {
  for (const reason of ['paused', 'inhibit', 'reduce-motion:portal', 'sleep']) {
    assert.equal(rule(linked('iio', 'none', 'device:none', reason)).follows, false, reason);
    assert.equal(rule(linked('iio', 'idle', reason)).follows, false, reason);
    assert.equal(rule(linked('synthetic', 'streaming', reason), { isChosen: true }).follows, false, reason);
  }
  const none = linked('iio', 'none', 'device:none');
  assert.deepEqual(rule(none, { isReduced: true }), { follows: false, text: '', mayChoose: false });
  assert.deepEqual(rule(none, { isPlaying: true }), { follows: false, text: '', mayChoose: false });
});

test('synthetic motion is motion unless the user chooses', () => {
  const synthetic = linked('synthetic', 'streaming');
  const found = rule(synthetic);
  assert.equal(found.follows, false);
  assert.equal(found.mayChoose, true);
  assert.match(found.text, /Synthetic motion moves the picture.*controller.*parallax phone/);
  assert.equal(rule(synthetic, { isChosen: true }).follows, true);
});

const close = (found, x, y, message) => {
  assert.ok(Math.abs(found.x - x) < 0.01 && Math.abs(found.y - y) < 0.01, `${message}: ${found.x}, ${found.y}`);
};

test('what is near moves against the pointer, up to the range', () => {
  const pointer = new PointerMotion();
  pointer.ranges = { x: [-10, 4], y: [-2, 6] };
  pointer.follow(true, null, 0);
  pointer.move(1, -1, 0);
  close(pointer.offset(null, 0), 0, 0, 'it begins where the picture is');
  close(pointer.offset(null, 0.08), -10 * (1 - Math.exp(-1)), 6 * (1 - Math.exp(-1)), 'a time constant later');
  close(pointer.offset(null, 9), -10, 6, 'its end');
  pointer.move(-3, 0.5, 9);
  close(pointer.offset(null, 20), 4, -1, 'no further than the window');
});

test('it takes over and leaves without a jump', () => {
  const pointer = new PointerMotion();
  const live = { x: 3, y: -2, nx: 0.6, ny: -0.4, layers: {}, rotation: 5 };
  assert.deepEqual(pointer.offset(live, 1), live);
  assert.equal(pointer.movingUntil, -Infinity);
  pointer.follow(true, live, 1);
  close(pointer.offset(live, 1), 3, -2, 'taking over');
  close(pointer.offset(live, 5), 0, 0, 'the pointer in the middle');
  pointer.move(-1, 0, 5);
  close(pointer.offset(live, 9), 5, 0, 'the pointer at the side');
  pointer.follow(false, live, 9);
  close(pointer.offset(live, 9), 5, 0, 'leaving');
  pointer.move(1, 1, 9);
  close(pointer.offset(live, 20), 3, -2, 'the motion alone');
});

test('it rests when it has arrived', () => {
  const pointer = new PointerMotion();
  pointer.follow(true, null, 0);
  pointer.move(1, 0, 0);
  assert.ok(pointer.movingUntil > 0.4 && pointer.movingUntil < 0.7, `${pointer.movingUntil}`);
  const end = pointer.movingUntil;
  assert.deepEqual(pointer.offset(null, end).x, -5);
  pointer.move(1, 0, 3);
  assert.equal(pointer.movingUntil, -Infinity);
});
