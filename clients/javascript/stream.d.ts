// SPDX-License-Identifier: Apache-2.0

import type { DrawnOffset, Message, Watch } from './parallax.js';

/** Bounds of the waits, in seconds. */
export interface Backoff { first?: number; longest?: number }

export class RetryTimer {
  constructor(backoff?: Backoff, random?: () => number);
  waitAfter(connectedSeconds: number): number;
}

export class MessageQueue {
  constructor(offsetLimit?: number, otherLimit?: number);
  push(message: Message): void;
  shift(): Message | undefined;
}

export class ParallaxError extends Error {
  constructor(code: ParallaxError['code'], message: string);
  /** The `code` of the daemon's ERROR if the daemon has refused something. */
  readonly code: 'no-daemon' | 'closed' | 'incompatible' | 'unavailable' | (string & {});
}

export interface ConnectionOptions {
  /** null: it ends with its first connection. */
  backoff?: Backoff | null;
  /** The maximum number of OFFSETs that wait for a slow iteration. */
  bufferedOffsets?: number;
}

export interface StreamOptions extends ConnectionOptions {
  /** The request, repeated on each connection. */
  watch?: Watch | null;
}

export interface ConnectionEvents {
  opened(): void;
  line(text: string): void;
  ended(error: ParallaxError): void;
}

export interface OpenConnection {
  send(text: string): void;
  close(): void;
  /** The number of bytes that are not sent yet. */
  waiting?(): number;
}

export class ParallaxConnection implements AsyncIterable<Message> {
  constructor(options?: ConnectionOptions);
  state: 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed';
  onmessage: ((message: Message) => void) | null;
  onstate: ((state: ParallaxConnection['state']) => void) | null;
  onerror: ((error: ParallaxError) => void) | null;
  /** The error by which it has ended; null after `close()`. */
  error: ParallaxError | null;
  /** Seconds of CLOCK_MONOTONIC. */
  now(): number;
  open(events: ConnectionEvents): OpenConnection;
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<Message>;
}

export class ParallaxStream extends ParallaxConnection {
  constructor(options?: StreamOptions);
  /** `ahead`: how long before it is seen the picture is drawn, in seconds. */
  offsetAt(instant?: number, ahead?: number): DrawnOffset | null;
  movingUntil(ahead?: number): number;
  send(watch: Watch): void;
  prefer(watch: Watch): void;
  poll(): void;
}
