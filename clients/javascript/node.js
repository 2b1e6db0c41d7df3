// SPDX-License-Identifier: Apache-2.0

// The stream and the feed for Node, over the daemon's Unix sockets.

import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { ParallaxFeed } from './feed.js';
import { LineSplitter } from './parallax.js';
import { ParallaxError, ParallaxStream } from './stream.js';

export * from './parallax.js';
export { ParallaxError, ParallaxStream } from './stream.js';

/** Returns the paths to try, in order: `explicit`, or else the environment's alone, or else the user's and the
 * system's. With `control` they are those of the control socket. */
export function candidates({ control = false, explicit, environment = process.env, uid = process.getuid() } = {}) {
  if (explicit !== undefined) return [explicit];
  const name = control ? 'control.sock' : 'parallax.sock';
  const { PARALLAX_SOCKET: stream, PARALLAX_CONTROL: other } = environment;
  if (control && other) return [other];
  if (stream) return [control ? join(dirname(stream), name) : stream];
  const runtime = environment.XDG_RUNTIME_DIR || `/run/user/${uid}`;
  return [`${runtime}/parallax/${name}`, `/run/parallax/${name}`];
}

/** Seconds of CLOCK_MONOTONIC. */
export const monotonic = () => Number(process.hrtime.bigint()) * 1e-9;

// Connects to the first of the paths on which a daemon listens; see `open` of ParallaxConnection.
function connect(paths, events) {
  const attempts = [];
  let socket = null;
  let isClosed = false;
  const tryNext = () => {
    if (isClosed) return;
    if (attempts.length === paths.length) {
      events.ended(new ParallaxError('no-daemon', `no daemon answers (${attempts.join('; ')}); start one with `
        + "'systemctl start parallax' or 'parallax run'"));
      return;
    }
    const path = paths[attempts.length];
    // Node cuts longer paths.
    if (Buffer.byteLength(path) > 107) {
      attempts.push(`${path}: longer than 107 bytes`);
      return tryNext();
    }
    let isOpen = false;
    let failure = null;
    const splitter = new LineSplitter();
    socket = createConnection({ path });
    socket.on('connect', () => {
      isOpen = true;
      events.opened();
    });
    socket.on('data', bytes => {
      for (const line of splitter.add(bytes)) events.line(line);
      if (splitter.isOverlong) {
        socket.destroy(new Error('the program on the socket is not parallaxd'));
      }
    });
    socket.on('error', error => { failure = error; });
    socket.on('close', () => {
      if (isOpen) {
        events.ended(new ParallaxError('closed', failure ? `the connection to the daemon failed: ${failure.message}`
          : 'the daemon ended the connection'));
      } else {
        attempts.push(`${path}: ${failure?.code ?? 'closed'}`);
        tryNext();
      }
    });
  };
  // Not before open() has returned.
  queueMicrotask(tryNext);
  return {
    send: text => socket?.write(text),
    waiting: () => socket?.writableLength ?? 0,
    close: () => {
      isClosed = true;
      socket?.destroy();
    },
  };
}

/** A stream from the daemon's socket. It connects at once, and keeps the process running until `close()`. */
export class Stream extends ParallaxStream {
  #paths;

  constructor({ socketPath, ...options } = {}) {
    super(options);
    this.#paths = candidates({ explicit: socketPath });
  }

  now() { return monotonic(); }

  open(events) { return connect(this.#paths, events); }
}

/** A gyroscope whose samples this program sends. It connects at once, and keeps the process running until `close()`. */
export class Feed extends ParallaxFeed {
  #paths;

  constructor({ socketPath, ...options }) {
    super(options);
    this.#paths = candidates({ control: true, explicit: socketPath });
  }

  now() { return monotonic(); }

  open(events) { return connect(this.#paths, events); }
}
