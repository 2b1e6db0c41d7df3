// SPDX-License-Identifier: Apache-2.0
// The program by which Tests/Conformance/run.py drives this client.
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import System from 'system';
import { Feed, monotonic, parse, Stream, Timeline } from '../gjs.js';

const show = value => print(JSON.stringify(value));
const loop = new GLib.MainLoop(null, false);
const input = new Gio.DataInputStream({ base_stream: new Gio.UnixInputStream({ fd: 0, close_fd: false }) });
const split = line => {
  const end = line.indexOf(' ');
  return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
};

function readLines(obey, ended) {
  input.read_line_async(GLib.PRIORITY_DEFAULT, null, (stream, result) => {
    const [line] = stream.read_line_finish_utf8(result);
    if (line === null) return ended();
    obey(line);
    readLines(obey, ended);
  });
}

if (System.programArgs[0] === 'table') {
  let timeline = new Timeline();
  for (;;) {
    const [line] = input.read_line_utf8(null);
    if (line === null) break;
    const [command, text] = split(line);
    if (command === 'reset') timeline = new Timeline();
    else if (command === 'at') show(timeline.offsetAt(...text.split(' ').map(Number)));
    else {
      const message = parse(text);
      if (message) timeline.add(message);
    }
  }
} else {
  const [first, longest] = (GLib.getenv('DRIVER_BACKOFF') ?? '0.1:5').split(':');
  const backoff = first === 'never' ? null : { first: Number(first), longest: Number(longest) };
  const variable = name => GLib.getenv(`DRIVER_${name}`) ?? undefined;
  const stream = System.programArgs[0] === 'feed'
    ? new Feed({
      name: variable('FEED'), clock: variable('CLOCK'), rate: variable('RATE') && Number(variable('RATE')),
      mountMatrix: variable('MATRIX'), backoff,
    })
    : new Stream({ watch: JSON.parse(variable('WATCH') ?? 'null'), backoff });
  stream.onstate = state => {
    show({ state });
    if (state === 'closed') loop.quit();
  };
  stream.onmessage = message => show({ message });
  stream.onerror = error => show({ error: error.code, text: error.message });
  readLines(line => {
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
  }, () => stream.close());
  loop.run();
}
