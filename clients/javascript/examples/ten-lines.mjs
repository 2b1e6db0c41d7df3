// SPDX-License-Identifier: Apache-2.0
// Prints where a picture with a hidden margin is, as often as a display of 60 Hz draws it.
import { Stream } from '../node.js';

const stream = new Stream();
setInterval(() => {
  const offset = stream.offsetAt();
  if (offset) console.log(offset.x.toFixed(2), offset.y.toFixed(2));
}, 1000 / 60);
