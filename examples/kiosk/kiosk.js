// SPDX-License-Identifier: Apache-2.0
// Moves the layers with the stream; without a daemon, the picture stands. Shows the time.
import { moveLayers, PageStream } from './client/page.js';

const scene = document.getElementById('scene');
const stream = new PageStream('/events');
const deepest = Math.max(...[...scene.querySelectorAll('[data-depth]')].map(layer => Number(layer.dataset.depth)));

// The layers are larger than the screen by as much as the deepest one can move.
stream.onmessage = message => {
  if (message.class !== 'DEVICE' || !message.range_x || !message.range_y) return;
  const range = Math.max(...[...message.range_x, ...message.range_y].map(Math.abs));
  scene.style.setProperty('--margin', `${Math.ceil(range * deepest)}px`);
};
moveLayers(scene, stream);

const clock = document.getElementById('clock');
function showTime() {
  const now = new Date();
  clock.textContent = now.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clock.dateTime = now.toISOString();
  setTimeout(showTime, 60000 - now % 60000);
}
showTime();
