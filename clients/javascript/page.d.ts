// SPDX-License-Identifier: Apache-2.0

import type { DrawnOffset } from './parallax.js';
import { ParallaxStream, type StreamOptions } from './stream.js';

export * from './parallax.js';
export { ParallaxError, ParallaxStream } from './stream.js';
export type { Backoff, StreamOptions } from './stream.js';

export class PageClock {
  observe(time: number, arrival: number, isExact?: boolean): void;
  reset(): void;
  at(instant: number): number;
}

/** What an EventSource has, as far as a stream needs it. */
export interface LineSource {
  onopen: ((event: any) => any) | null;
  onmessage: ((event: any) => any) | null;
  onerror: ((event: any) => any) | null;
  close(): void;
}

export class PageStream extends ParallaxStream {
  constructor(url: string, options?: StreamOptions & { source?: (url: string) => LineSource });
  clock: PageClock;
}

/** A request or an answer of the control socket. */
export interface ControlMessage { class: string; [field: string]: unknown }

export class PageControl {
  constructor(url: string, options?: { token?: string; post?: (body: string) => Promise<Response> });
  request(...messages: ControlMessage[]): Promise<ControlMessage[]>;
}

export interface Drawing { stop(): void }

export function animate(stream: ParallaxStream, draw: (offset: DrawnOffset) => void): Drawing;
/** The travel of the nearest layer at the ends of the range, as a share of the picture's width. */
export const usualTravel: number;
export function fractionOf(offset: number, range: [number, number] | undefined, unknown?: number): number;
export function moveLayers(
  scene: ParentNode, stream: ParallaxStream, place?: (offset: DrawnOffset) => { x: number; y: number }): Drawing;
export function setVariables(element: HTMLElement, stream: ParallaxStream): Drawing;
