// SPDX-License-Identifier: Apache-2.0

import Meta from 'gi://Meta';
import St from 'gi://St';
import { Extension, InjectionManager } from 'resource:///org/gnome/shell/extensions/extension.js';
import { BackgroundManager, SystemBackground } from 'resource:///org/gnome/shell/ui/background.js';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';

import { BackgroundLayers } from './backgroundLayers.js';
import { Monitors } from './monitors.js';
import { Motion } from './motion.js';
import { Pictures } from './pictures.js';

// The backgrounds below an actor: of the desktop, the overview and the lock screen.
function* backgroundsBelow(actor) {
  if (actor instanceof Meta.BackgroundActor) {
    if (!(actor instanceof SystemBackground)) yield actor;
    return;
  }
  for (const child of actor.get_children()) yield* backgroundsBelow(child);
}

function isOfLockScreen(actor) {
  for (let parent = actor.get_parent(); parent; parent = parent.get_parent()) {
    if (parent instanceof St.Widget && parent.has_style_class_name('screen-shield-background')) return true;
  }
  return false;
}

export default class ParallaxExtension extends Extension {
  enable() {
    this._layers = new Set();
    this._settings = this.getSettings();
    this._monitors = new Monitors(() => {
      this._motion.setOrientation(this._monitors.orientation);
      this._motion.update();
      this._pictures.update();
    });
    this._motion = new Motion({ isVisible: layers => this._isVisible(layers) });
    this._pictures = new Pictures({
      monitors: this._monitors,
      settings: this._settings,
      onLoaded: (index, picture) => {
        for (const layers of this._layers) if (layers.monitor.index === index) layers.showPicture(picture);
      },
    });

    const extension = this;
    this._injections = new InjectionManager();
    this._injections.overrideMethod(BackgroundManager.prototype, '_createBackgroundActor', original => function (...args) {
      const actor = original.apply(this, args);
      extension._cover(actor);
      return actor;
    });
    for (const actor of backgroundsBelow(Main.uiGroup)) this._cover(actor);

    this._settings.connectObject(
      'changed::travel', () => this._pictures.update(),
      'changed::lock-screen', () => this._showAll(), this);
    // After the shell, which replaces its backgrounds.
    Main.layoutManager.connectObject('monitors-changed', () => this._pictures.update(), this);
    global.display.connectObject('in-fullscreen-changed', () => this._motion.update(), this);
  }

  // The lock screen is one of the session modes because its background is this picture, too.
  disable() {
    global.display.disconnectObject(this);
    Main.layoutManager.disconnectObject(this);
    this._settings.disconnectObject(this);
    this._injections.clear();
    this._monitors.destroy();
    this._pictures.destroy();
    this._motion.destroy();
    for (const layers of this._layers) {
      layers.disconnectObject(this);
      layers.destroy();
    }
    this._layers = this._settings = this._injections = this._monitors = this._pictures = this._motion = null;
  }

  _cover(actor) {
    const monitor = Main.layoutManager.monitors[actor.content.monitor];
    if (!monitor) return;
    const layers = new BackgroundLayers(actor, monitor);
    this._layers.add(layers);
    layers.connectObject('destroy', () => this._layers.delete(layers), this);
    this._show(layers);
    this._motion.add(layers);
  }

  _show(layers) {
    const isShown = this._settings.get_boolean('lock-screen') || !isOfLockScreen(layers);
    layers.showPicture(isShown ? this._pictures.get(layers.monitor.index) : null);
  }

  _showAll() {
    for (const layers of this._layers) this._show(layers);
  }

  _isVisible(layers) {
    // A fullscreen window covers the desktop; the lock screen covers the window.
    const isCovered = layers.monitor.inFullscreen && global.window_group.contains(layers);
    return this._monitors.isOn && !isCovered;
  }
}
