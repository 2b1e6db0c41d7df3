// SPDX-License-Identifier: Apache-2.0

import { ParallaxFeed, type FeedOptions } from './feed.js';
import { ParallaxStream, type StreamOptions } from './stream.js';

export * from './parallax.js';
export { ParallaxError, ParallaxStream } from './stream.js';
export type { Backoff, StreamOptions } from './stream.js';
export type { FeedOptions, Sample } from './feed.js';

export function candidates(options?: {
  control?: boolean; explicit?: string; environment?: Record<string, string | undefined>; uid?: number;
}): string[];

/** Seconds of CLOCK_MONOTONIC. */
export function monotonic(): number;

/** A stream from the daemon's socket. */
export class Stream extends ParallaxStream {
  constructor(options?: StreamOptions & { socketPath?: string });
}

/** A gyroscope whose samples this program sends to the daemon. */
export class Feed extends ParallaxFeed {
  constructor(options: FeedOptions & { socketPath?: string });
}
