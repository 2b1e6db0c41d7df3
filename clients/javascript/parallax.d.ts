// SPDX-License-Identifier: Apache-2.0

/** The version of the protocol that this client speaks. */
export const protocolMajor: number;

export interface Version { class: 'VERSION'; release: string; proto_major: number; proto_minor: number }
export interface Device {
  class: 'DEVICE'; driver: string;
  /** `streaming`, `idle`, `busy`, `denied`, `lost`, `none`, `ended`, or a word of a later daemon. */
  state: string;
  name?: string;
  /** Hz. */
  rate?: number;
  reason?: string;
  /** The limits of the motion in px, left and right. */
  range_x?: [number, number];
  /** The limits of the motion in px, up and down. */
  range_y?: [number, number];
}
export interface Gate { class: 'GATE'; open: boolean; gain: number; reasons: string[] }
export interface Pose {
  /** Degrees clockwise; absent unless an animation drives it. */
  rotation?: number;
  /** 1 is unscaled; absent unless an animation drives it. */
  scale?: number;
  /** The scale downward; absent where it equals `scale`. */
  scale_y?: number;
  /** 0...1; absent unless an animation drives it. */
  opacity?: number;
}
export interface Place extends Pose {
  /** px to the right. */
  x: number;
  /** px down. */
  y: number;
}
export interface Layer extends Place { vx?: number; vy?: number }
/** The offset at an instant. */
export interface DrawnOffset extends Place {
  /** Motion as a fraction of its range, -1...1. */
  nx: number;
  ny: number;
  layers: Record<string, Place>;
}
export interface Offset extends Layer {
  class: 'OFFSET'; seq: number;
  /** Seconds of CLOCK_MONOTONIC. */
  time: number;
  nx: number;
  ny: number;
  layers: Record<string, Layer>;
  /** The number of OFFSETs not sent since the last one. */
  dropped?: number;
}
export interface Animation {
  class: 'ANIMATION'; id: string; event: string; position?: string;
  /** Seconds of CLOCK_MONOTONIC; it may be between two frames. Daemons before protocol 1.7 leave it out. */
  time?: number;
}
/** The fields of a request, or of its answer. */
export interface Watch {
  enable?: boolean;
  /** Hz; values above 60 count as 60. */
  rate?: number;
  /** Names and depths; null: the daemon's layers again. */
  layers?: Record<string, number> | null;
  on_change?: boolean | number;
  orientation?: string;
  version?: number;
}
export interface WatchAnswer extends Watch { class: 'WATCH'; ignored?: string[] }
export interface DaemonError { class: 'ERROR'; message: string; code?: string; details?: string[] }
export type Message = Version | Device | Gate | Offset | Animation | WatchAnswer | DaemonError;

/** Returns the message in a line; null for an unknown class or a malformed line. */
export function parse(line: string): Message | null;

/** Splits bytes into lines. */
export class LineSplitter {
  readonly isOverlong: boolean;
  add(bytes: Uint8Array): string[];
}

/** The last frames of a stream. It has no clock. */
export class Timeline {
  add(message: Message): void;
  /** From now on every frame has these layers; null: those of the daemon. */
  request(depths: Record<string, number> | null): void;
  /** Returns the message; an OFFSET without the requested layers gets them. */
  completed(message: Message): Message;
  /** `ahead`: how long before it is seen the picture is drawn, in seconds. */
  offsetAt(seconds: number, ahead?: number): DrawnOffset | null;
  movingUntil(ahead?: number): number;
}
