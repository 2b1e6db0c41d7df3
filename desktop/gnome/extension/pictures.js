// SPDX-License-Identifier: Apache-2.0

// The picture of each monitor, read again when the choice, its files or the monitor change.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import St from 'gi://St';
import * as Main from 'resource:///org/gnome/shell/ui/main.js';

import { choiceFolder, chosenPicture, followed } from './choice.js';
import { loadPicture } from './picture.js';

// Programs write a picture in several steps.
const settleMilliseconds = 200;

// Calls `onchange` after a change of a file whose name fits.
function watch(folder, fits, onchange) {
  const monitor = Gio.File.new_for_path(folder).monitor_directory(Gio.FileMonitorFlags.WATCH_MOVES, null);
  monitor.connect('changed', (_monitor, file, otherFile) => {
    if ([file, otherFile].some(changed => changed && fits(changed.get_basename()))) onchange();
  });
  return monitor;
}

const warn = error => console.warn(`parallax: ${error.message}`);

// The picture of one monitor.
class MonitorPicture {
  #key = null;
  #cancellable = null;
  #watch = null;

  current = null;

  /** Reads the picture if it is another one than before, or in any case with `isChanged`. */
  async update({ path, travel, index, isChanged, onFiles, onLoaded }) {
    const monitor = Main.layoutManager.monitors[index];
    const scale = monitor.geometry_scale / St.ThemeContext.get_for_stage(global.stage).scale_factor;
    const key = JSON.stringify([path, travel, monitor.width, monitor.height, scale]);
    if (key === this.#key && !isChanged) return;
    this.#key = key;
    this.#cancellable?.cancel();
    this.#watch?.cancel();
    const cancellable = this.#cancellable = new Gio.Cancellable();
    const isFolder = GLib.file_test(path, GLib.FileTest.IS_DIR);
    const name = GLib.path_get_basename(path);
    this.#watch = isFolder ? watch(path, () => true, onFiles)
      : watch(GLib.path_get_dirname(path), changed => changed === name, onFiles);
    try {
      const picture = await loadPicture(path, {
        monitor, scale, travel, isStrict: this.current !== null, warn, cancellable });
      if (cancellable.is_cancelled()) return;
      this.current = picture;
      onLoaded(index, picture);
    } catch (error) {
      if (!cancellable.is_cancelled()) warn(error);
    }
  }

  destroy() {
    this.#cancellable?.cancel();
    this.#watch?.cancel();
    this.current = null;
  }
}

/** The pictures of all monitors. */
export class Pictures {
  #monitors;
  #settings;
  #onLoaded;
  #pictures = [];
  #watch;
  #timer = 0;

  /** `onLoaded(index, picture)` is called when a monitor has a new picture. */
  constructor({ monitors, settings, onLoaded }) {
    this.#monitors = monitors;
    this.#settings = settings;
    this.#onLoaded = onLoaded;
    // GLib would look for a missing folder every few seconds.
    GLib.mkdir_with_parents(choiceFolder(), 0o755);
    this.#watch = watch(choiceFolder(), name => name.startsWith('wallpaper'), () => this.#filesChanged());
  }

  /** Returns the picture of a monitor, or null while it has none. */
  get(index) { return this.#pictures[index]?.current ?? null; }

  /** Reads what has to be read. */
  update(isChanged = false) {
    const monitors = Main.layoutManager.monitors;
    for (const picture of this.#pictures.splice(monitors.length)) picture.destroy();
    const travel = this.#settings.get_value('travel').deepUnpack();
    monitors.forEach((monitor, index) => {
      const path = chosenPicture(this.#monitors.namesOf(monitor));
      if (!path) {
        console.warn('parallax: no picture is installed and none is chosen; choose one in the preferences');
        return;
      }
      this.#pictures[index] ??= new MonitorPicture();
      this.#pictures[index].update({
        path: followed(path), travel, index, isChanged, onFiles: () => this.#filesChanged(), onLoaded: this.#onLoaded,
      });
    });
  }

  destroy() {
    if (this.#timer) GLib.source_remove(this.#timer);
    this.#watch.cancel();
    for (const picture of this.#pictures) picture?.destroy();
    this.#pictures = [];
  }

  #filesChanged() {
    if (this.#timer) GLib.source_remove(this.#timer);
    this.#timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, settleMilliseconds, () => {
      this.#timer = 0;
      this.update(true);
      return GLib.SOURCE_REMOVE;
    });
  }
}
