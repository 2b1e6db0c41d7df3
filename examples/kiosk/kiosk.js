// SPDX-License-Identifier: Apache-2.0
// Moves the layers with the stream; without a daemon, the picture stands. Shows the time.
import { fractionOf, moveLayers, PageStream, usualTravel } from './client/page.js';

const scene = document.getElementById('scene');
const stream = new PageStream('/events');
const deepest = Math.max(...[...scene.querySelectorAll('[data-depth]')].map(layer => Number(layer.dataset.depth)));

let ranges = {};
stream.onmessage = message => {
  if (message.class === 'DEVICE') ranges = { x: message.range_x, y: message.range_y };
};

// The nearest layer travels a share of the screen's width; the layers are larger than the screen by that much. Another
// size draws the picture again, also at rest.
let drawing = null;
function fit() {
  const travel = usualTravel * innerWidth, unit = travel / deepest;
  scene.style.setProperty('--margin', `${Math.ceil(travel)}px`);
  drawing?.stop();
  drawing = moveLayers(scene, stream, ({ x, y, nx, ny }) => ({
    x: unit * fractionOf(x, ranges.x, nx), y: unit * fractionOf(y, ranges.y, ny),
  }));
}
addEventListener('resize', fit);
fit();

const clock = document.getElementById('clock');
function showTime() {
  const now = new Date();
  clock.textContent = now.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clock.dateTime = now.toISOString();
  setTimeout(showTime, 60000 - now % 60000);
}
showTime();
