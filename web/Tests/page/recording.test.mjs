// SPDX-License-Identifier: Apache-2.0
// The player of a recording, with a clock that the test sets.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Player, Recording } from '../../page/recording.js';

test('it is drawn until it is paused, also after its end', () => {
  let milliseconds = 1000;
  performance.now = () => milliseconds;
  const recording = new Recording('two.csv');
  recording.add({ time: 5, x: 0, y: 0, nx: 0, ny: 0 });
  recording.add({ time: 7, x: 1, y: 2, nx: 0.2, ny: 0.4 });
  const player = new Player(recording);
  assert.equal(player.movingUntil(), -Infinity);
  player.play();
  milliseconds += 1999;
  assert.equal(player.movingUntil(), Infinity);
  // Between the last picture before the end and the question whether there is another one.
  milliseconds += 2;
  assert.equal(player.position, 2);
  assert.equal(player.movingUntil(), Infinity);
  player.pause();
  assert.equal(player.movingUntil(), -Infinity);
});
