// SPDX-License-Identifier: Apache-2.0

// The stream and the feed for GJS, in an application or an extension of GNOME Shell. Copy it with parallax.js,
// stream.js and feed.js.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import { ParallaxFeed } from './feed.js';
import { LineSplitter } from './parallax.js';
import { ParallaxError, ParallaxStream } from './stream.js';

export * from './parallax.js';
export { ParallaxError, ParallaxStream } from './stream.js';

/** Returns the paths to try, in order: `explicit`, or else the environment's alone, or else the user's and the
 * system's. With `control` they are those of the control socket. */
export function candidates({ control = false, explicit, environment = name => GLib.getenv(name) } = {}) {
  if (explicit !== undefined) return [explicit];
  const name = control ? 'control.sock' : 'parallax.sock';
  const stream = environment('PARALLAX_SOCKET');
  const other = environment('PARALLAX_CONTROL');
  if (control && other) return [other];
  if (stream) return [control ? GLib.build_filenamev([GLib.path_get_dirname(stream), name]) : stream];
  const runtime = environment('XDG_RUNTIME_DIR') || GLib.get_user_runtime_dir();
  return [`${runtime}/parallax/${name}`, `/run/parallax/${name}`];
}

/** Seconds of CLOCK_MONOTONIC; that of Gdk.FrameClock, divided by 1e6. */
export const monotonic = () => GLib.get_monotonic_time() * 1e-6;

// Connects to the first of the paths on which a daemon listens; see `open` of ParallaxConnection.
function connect(paths, events) {
  const cancellable = new Gio.Cancellable();
  const attempts = [];
  const output = [];
  let connection = null;
  let isWriting = false;
  let waiting = 0;

  const end = error => {
    if (cancellable.is_cancelled()) return;
    events.ended(new ParallaxError('closed', error ? `the connection to the daemon failed: ${error.message}`
      : 'the daemon ended the connection'));
  };
  // Both begin again when they are done, until the stream is closed.
  const splitter = new LineSplitter();
  const read = () => {
    connection.get_input_stream().read_bytes_async(16384, GLib.PRIORITY_DEFAULT, cancellable, (stream, result) => {
      let bytes;
      try {
        bytes = stream.read_bytes_finish(result).toArray();
      } catch (error) {
        return end(error);
      }
      if (bytes.length === 0) return end(null);
      for (const line of splitter.add(bytes)) events.line(line);
      if (splitter.isOverlong) return end(new Error('the program on the socket is not parallaxd'));
      if (!cancellable.is_cancelled()) read();
    });
  };
  const write = () => {
    if (isWriting || connection === null || output.length === 0) return;
    isWriting = true;
    // Not write_all_async: GJS frees an array at the end of the call, before all of it may have been written.
    const bytes = output[0];
    connection.get_output_stream().write_bytes_async(bytes, GLib.PRIORITY_DEFAULT, cancellable, (stream, result) => {
      isWriting = false;
      let count;
      try {
        count = stream.write_bytes_finish(result);
      } catch {
        return;  // Reading reports a connection that has ended.
      }
      waiting -= count;
      if (count < bytes.get_size()) output[0] = GLib.Bytes.new_from_bytes(bytes, count, bytes.get_size() - count);
      else output.shift();
      write();
    });
  };
  const tryNext = () => {
    if (cancellable.is_cancelled()) return;
    if (attempts.length === paths.length) {
      events.ended(new ParallaxError('no-daemon', `no daemon answers (${attempts.join('; ')}); start one with `
        + "'systemctl start parallax' or 'parallax run'"));
      return;
    }
    const path = paths[attempts.length];
    if (new TextEncoder().encode(path).length > 107) {
      attempts.push(`${path}: longer than 107 bytes`);
      return tryNext();
    }
    const address = Gio.UnixSocketAddress.new(path);
    new Gio.SocketClient().connect_async(address, cancellable, (client, result) => {
      try {
        connection = client.connect_finish(result);
      } catch (error) {
        attempts.push(`${path}: ${error.message}`);
        return tryNext();
      }
      if (cancellable.is_cancelled()) return connection.close(null);
      events.opened();
      write();
      if (!cancellable.is_cancelled()) read();
    });
  };
  // Not before open() has returned.
  Promise.resolve().then(tryNext);
  return {
    send: text => {
      const bytes = new GLib.Bytes(new TextEncoder().encode(text));
      output.push(bytes);
      waiting += bytes.get_size();
      write();
    },
    waiting: () => waiting,
    close: () => {
      cancellable.cancel();
      try {
        connection?.close(null);
      } catch {
        // It was not open any more.
      }
    },
  };
}

/** A stream from the daemon's socket. It connects at once, and reads in the default main loop until `close()`. */
export class Stream extends ParallaxStream {
  #paths;

  constructor({ socketPath, ...options } = {}) {
    super(options);
    this.#paths = candidates({ explicit: socketPath });
  }

  now() { return monotonic(); }

  open(events) { return connect(this.#paths, events); }
}

/** A gyroscope whose samples this program sends. It connects at once, in the default main loop, until `close()`. */
export class Feed extends ParallaxFeed {
  #paths;

  constructor({ socketPath, ...options }) {
    super(options);
    this.#paths = candidates({ control: true, explicit: socketPath });
  }

  now() { return monotonic(); }

  open(events) { return connect(this.#paths, events); }
}
