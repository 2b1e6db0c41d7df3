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
  readonly code: 'no-daemon' | 'closed' | 'incompatible' | 'unavailable';
}

export interface StreamOptions {
  /** The request, repeated on each connection. */
  watch?: Watch | null;
  /** null: the stream ends with its first connection. */
  backoff?: Backoff | null;
  /** The maximum number of OFFSETs that wait for a slow iteration. */
  bufferedOffsets?: number;
}

export interface ConnectionEvents {
  opened(): void;
  line(text: string): void;
  ended(error: ParallaxError): void;
}

export interface OpenConnection {
  send(text: string): void;
  close(): void;
}

export class ParallaxStream implements AsyncIterable<Message> {
  constructor(options?: StreamOptions);
  state: 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed';
  onmessage: ((message: Message) => void) | null;
  onstate: ((state: ParallaxStream['state']) => void) | null;
  onerror: ((error: ParallaxError) => void) | null;
  /** Seconds of CLOCK_MONOTONIC. */
  now(): number;
  open(events: ConnectionEvents): OpenConnection;
  offsetAt(instant?: number): DrawnOffset | null;
  movingUntil(): number;
  send(watch: Watch): void;
  poll(): void;
  close(): void;
  [Symbol.asyncIterator](): AsyncIterator<Message>;
}
