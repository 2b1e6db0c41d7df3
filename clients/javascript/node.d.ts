// SPDX-License-Identifier: Apache-2.0

import { ParallaxStream, type StreamOptions } from './stream.js';

export * from './parallax.js';
export { ParallaxError, ParallaxStream } from './stream.js';
export type { Backoff, StreamOptions } from './stream.js';

export function candidates(options?: {
  explicit?: string; environment?: Record<string, string | undefined>; uid?: number;
}): string[];

/** Seconds of CLOCK_MONOTONIC. */
export function monotonic(): number;

/** A stream from the daemon's socket. */
export class Stream extends ParallaxStream {
  constructor(options?: StreamOptions & { socketPath?: string });
}
