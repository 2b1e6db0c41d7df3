// SPDX-License-Identifier: Apache-2.0

// Moves the layers while the daemon's offset changes and someone can see them.

import Clutter from 'gi://Clutter';
import St from 'gi://St';

import { Stream } from './client/gjs.js';

const rest = { nx: 0, ny: 0 };

const overlap = (a, b) => (
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height);

/** Offsets for layers, at the instant at which each frame is on the screen. */
export class Motion {
  #stream = new Stream({ watch: { rate: 60, on_change: 0.01, enable: false } });
  #isEnabled = false;
  #orientation = null;
  // Layers and their timelines, which keep the frame clocks of their monitors running.
  #timelines = new Map();
  #isVisible;

  /** `isVisible(layers)`: whether mapped layers are in sight. */
  constructor({ isVisible }) {
    this.#isVisible = isVisible;
    this.#stream.onmessage = () => this.#start();
    this.#stream.onerror = error => console.warn(`parallax: ${error.message}`);
    St.Settings.get().connectObject('notify::enable-animations', () => this.update(), this);
  }

  /** Moves layers until they are destroyed. */
  add(layers) {
    const timeline = Clutter.Timeline.new_for_actor(layers, 1000);
    timeline.set_repeat_count(-1);
    this.#timelines.set(layers, timeline);
    layers.connectObject('notify::mapped', () => this.update(), 'destroy', () => {
      timeline.stop();
      this.#timelines.delete(layers);
      this.update();
    }, this);
    this.update();
  }

  /** Sends how the device's screen is turned; null: the daemon decides. */
  setOrientation(orientation) {
    if (orientation === this.#orientation) return;
    this.#orientation = orientation;
    this.#stream.send({ orientation: orientation ?? 'auto' });
  }

  /** Checks again which layers can be seen. Without any, the daemon sends nothing and needs no sensor. */
  update() {
    const isAllowed = St.Settings.get().enable_animations;
    if (!isAllowed) for (const layers of this.#timelines.keys()) layers.move(rest);
    const isEnabled = isAllowed && [...this.#timelines.keys()].some(layers => this.#canMove(layers));
    if (isEnabled !== this.#isEnabled) this.#stream.send({ enable: isEnabled });
    this.#isEnabled = isEnabled;
    if (!isEnabled) this.#stop();
    else this.#start();
  }

  destroy() {
    this.#stream.close();
    this.#stop();
    St.Settings.get().disconnectObject(this);
    for (const layers of this.#timelines.keys()) layers.disconnectObject(this);
    this.#timelines.clear();
  }

  #canMove(layers) { return layers.mapped && this.#isVisible(layers); }

  #start() {
    if (!this.#isEnabled) return;
    for (const [layers, timeline] of this.#timelines) if (this.#canMove(layers)) timeline.start();
    global.stage.disconnectObject(this);
    global.stage.connectObject('before-update', (_stage, view, frame) => this.#draw(view), this);
  }

  #stop() {
    global.stage.disconnectObject(this);
    for (const timeline of this.#timelines.values()) timeline.stop();
  }

  #draw(view) {
    // Mutter starts a frame as late as it can, about half an interval before it is on the screen. GJS cannot read the
    // instants of a Clutter.Frame.
    const ahead = 0.5 / view.get_refresh_rate();
    const instant = this.#stream.now() + ahead;
    const offset = this.#stream.offsetAt(instant, ahead) ?? rest;
    const isMoving = instant < this.#stream.movingUntil(ahead);
    for (const [layers, timeline] of this.#timelines) {
      if (!timeline.is_playing() || !overlap(view.layout, layers.monitor)) continue;
      layers.move(offset);
      if (!isMoving || !this.#canMove(layers)) timeline.stop();
    }
    if (![...this.#timelines.values()].some(timeline => timeline.is_playing())) global.stage.disconnectObject(this);
  }
}
