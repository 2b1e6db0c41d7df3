// SPDX-License-Identifier: Apache-2.0

import type { Device } from './parallax.js';
import { ParallaxConnection, type ConnectionOptions } from './stream.js';

export interface FeedOptions extends ConnectionOptions {
  /** 1 to 64 bytes, for DEVICE. The daemon stores a bias under this name. */
  name: string;
  /** The clock of the timestamps: `sender` (default), any clock that runs at about the right pace, or `monotonic`,
   * CLOCK_MONOTONIC of this machine. */
  clock?: 'sender' | 'monotonic';
  /** The nominal number of samples per second. */
  rate?: number;
  /** Rotates the sender's frame into the device's, as in `1,0,0;0,1,0;0,0,1`. */
  mountMatrix?: string;
}

/** Angular rates in rad/s about x (right), y (up) and z (out of the screen). */
export interface Sample {
  /** Seconds. */
  time: number;
  x: number;
  y: number;
  z: number;
}

/** A gyroscope whose samples this program sends. */
export class ParallaxFeed extends ParallaxConnection {
  constructor(options: FeedOptions);
  /** The newest DEVICE; null while there is no connection. */
  readonly device: Device | null;
  /** Whether the daemon needs samples. The daemon discards them while no subscriber needs motion. */
  readonly isWanted: boolean;
  /** Sends a sample, or an array of samples in the order of their times. For a single sample without `time`, the time of
   * its arrival counts. Returns false if they are dropped: the daemon has not accepted the feed yet, or does not read.
   * Throws the ParallaxError that has ended the feed. */
  send(samples: Omit<Sample, 'time'> & { time?: number } | readonly Sample[]): boolean;
}
