// SPDX-License-Identifier: Apache-2.0
// The program by which Tests/Conformance/run.py drives this client.
import { createInterface } from 'node:readline';
import { Feed, monotonic, parse, Stream, Timeline } from '../node.js';

const show = value => process.stdout.write(JSON.stringify(value) + '\n');
const lines = createInterface({ input: process.stdin });
const split = line => {
  const end = line.indexOf(' ');
  return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
};

if (process.argv[2] === 'table') {
  let timeline = new Timeline();
  for await (const line of lines) {
    const [command, text] = split(line);
    if (command === 'reset') timeline = new Timeline();
    else if (command === 'at') show(timeline.offsetAt(...text.split(' ').map(Number)));
    else {
      const message = parse(text);
      if (message) timeline.add(message);
    }
  }
} else {
  const { DRIVER_BACKOFF = '0.1:5', DRIVER_WATCH = 'null', DRIVER_RATE } = process.env;
  const { DRIVER_FEED: name, DRIVER_CLOCK: clock, DRIVER_MATRIX: mountMatrix } = process.env;
  const [first, longest] = DRIVER_BACKOFF.split(':');
  const backoff = first === 'never' ? null : { first: Number(first), longest: Number(longest) };
  const stream = process.argv[2] === 'feed'
    ? new Feed({ name, clock, rate: DRIVER_RATE && Number(DRIVER_RATE), mountMatrix, backoff })
    : new Stream({ watch: JSON.parse(DRIVER_WATCH), backoff });
  stream.onstate = state => show({ state });
  lines.on('line', line => {
    const [command, text] = split(line);
    const numbers = text.split(' ').map(Number);
    if (command === 'watch') stream.send(JSON.parse(text));
    else if (command === 'poll') stream.poll();
    else if (command === 'at') show({ at: stream.offsetAt(text ? Number(text) : monotonic()) });
    else if (command === 'wanted') show({ wanted: stream.isWanted });
    else if (command === 'sample') {
      const [z, y, x, time] = numbers.reverse();
      show({ sent: Number(stream.send({ time, x, y, z })) });
    } else if (command === 'samples') {
      const samples = [];
      while (numbers.length > 0) {
        const [time, x, y, z] = numbers.splice(0, 4);
        samples.push({ time, x, y, z });
      }
      show({ sent: stream.send(samples) ? samples.length : 0 });
    } else if (command === 'flood') {
      let sent = 0;
      while (sent < numbers[0] && stream.send({ x: sent, y: 0, z: 0 })) sent += 1;
      show({ sent });
    } else if (command === 'close') stream.close();
  });
  try {
    for await (const message of stream) show({ message });
  } catch (error) {
    show({ error: error.code, text: error.message });
  }
  lines.close();
  process.stdin.destroy();
}
