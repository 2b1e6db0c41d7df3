// SPDX-License-Identifier: Apache-2.0
// The program by which Tests/Conformance/run.py drives this client.
import { createInterface } from 'node:readline';
import { monotonic, parse, Stream, Timeline } from '../node.js';

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
    else if (command === 'at') show(timeline.offsetAt(Number(text)));
    else {
      const message = parse(text);
      if (message) timeline.add(message);
    }
  }
} else {
  const [first, longest] = (process.env.DRIVER_BACKOFF ?? '0.1:5').split(':');
  const stream = new Stream({
    watch: JSON.parse(process.env.DRIVER_WATCH ?? 'null'),
    backoff: first === 'never' ? null : { first: Number(first), longest: Number(longest) },
  });
  stream.onstate = state => show({ state });
  lines.on('line', line => {
    const [command, text] = split(line);
    if (command === 'watch') stream.send(JSON.parse(text));
    else if (command === 'poll') stream.poll();
    else if (command === 'at') show({ at: stream.offsetAt(text ? Number(text) : monotonic()) });
    else if (command === 'close') stream.close();
  });
  try {
    for await (const message of stream) show({ message });
  } catch (error) {
    show({ error: error.code });
  }
  lines.close();
  process.stdin.destroy();
}
