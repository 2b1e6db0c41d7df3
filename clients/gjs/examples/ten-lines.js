// SPDX-License-Identifier: Apache-2.0
// Prints where a picture with a hidden margin is, as often as a display of 60 Hz draws it: gjs -m ten-lines.js
import GLib from 'gi://GLib';
import { Stream } from '../gjs.js';

const stream = new Stream();
setInterval(() => {
  const offset = stream.offsetAt();
  if (offset) print(offset.x.toFixed(2), offset.y.toFixed(2));
}, 1000 / 60);
new GLib.MainLoop(null, false).run();
