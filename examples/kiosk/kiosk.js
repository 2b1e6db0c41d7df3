// SPDX-License-Identifier: Apache-2.0
// Moves the layers with the stream; without a daemon, the picture stands. Shows the time.
import { fractionOf, moveLayers, PageStream, usualTravel } from './client/page.js';

const scene = document.getElementById('scene');
const stream = new PageStream('/events');
const deepest = Math.max(...[...scene.querySelectorAll('[data-depth]')].map(layer => Number(layer.dataset.depth)));

// The nearest layer travels a share of the screen's width; the layers are larger than the screen by that much.
let travel = 0;
function fit() {
  travel = usualTravel * innerWidth;
  scene.style.setProperty('--margin', `${Math.ceil(travel)}px`);
}
addEventListener('resize', fit);
fit();

let ranges = {};
stream.onmessage = message => {
  if (message.class === 'DEVICE') ranges = { x: message.range_x, y: message.range_y };
};
moveLayers(scene, stream, ({ x, y, nx, ny }) => ({
  x: travel / deepest * fractionOf(x, ranges.x, nx), y: travel / deepest * fractionOf(y, ranges.y, ny),
}));

const clock = document.getElementById('clock');
function showTime() {
  const now = new Date();
  clock.textContent = now.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clock.dateTime = now.toISOString();
  setTimeout(showTime, 60000 - now % 60000);
}
showTime();
