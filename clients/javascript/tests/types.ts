// SPDX-License-Identifier: Apache-2.0
// Compiles only if the types fit; nothing runs it.
import { candidates, Feed, Stream, type Message } from '../node.js';
import { moveLayers, PageStream, setVariables } from '../page.js';

export async function read(): Promise<number> {
  const stream = new Stream({ watch: { rate: 10, layers: { bg: 0.2 } }, backoff: null });
  const range = (message: Message): number => message.class === 'DEVICE' ? message.range_x?.[1] ?? 0 : 0;
  let sum = candidates().length + (stream.offsetAt(1, 1 / 60)?.layers.bg?.x ?? 0);
  for await (const message of stream) sum += range(message);
  return sum;
}

export function draw(root: HTMLElement): void {
  const stream = new PageStream('/stream', { source: url => new EventSource(url) });
  moveLayers(root, stream).stop();
  setVariables(root, stream);
  // @ts-expect-error A rate is a number.
  stream.send({ rate: '10' });
}

export function feed(): boolean {
  const gyroscope = new Feed({ name: 'a', clock: 'monotonic', rate: 60, mountMatrix: '1,0,0;0,1,0;0,0,1', backoff: null });
  gyroscope.send({ x: 0, y: 1, z: 0 });
  gyroscope.send([{ time: 1, x: 0, y: 1, z: 0 }]);
  // @ts-expect-error Each of several samples has a time.
  gyroscope.send([{ x: 0, y: 1, z: 0 }]);
  // @ts-expect-error A feed has a name.
  new Feed({ rate: 60 });
  return gyroscope.isWanted && gyroscope.device?.driver === 'feed';
}
