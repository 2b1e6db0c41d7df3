// SPDX-License-Identifier: Apache-2.0

// Which picture is shown. The choice is a link in ~/.config/parallax, which parallax-wallpaper reads, too.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

const standardName = 'valley';
const exists = path => GLib.file_test(path, GLib.FileTest.EXISTS);
const isLink = path => GLib.file_test(path, GLib.FileTest.IS_SYMLINK);

/** The folder of the choice. */
export const choiceFolder = () => GLib.build_filenamev([GLib.get_user_config_dir(), 'parallax']);

const choicePath = output => GLib.build_filenamev([choiceFolder(), output ? `wallpaper-${output}` : 'wallpaper']);

/** Returns the path of a file or folder without links. */
export function followed(path) {
  // As many as the kernel follows.
  for (let links = 0; links < 40 && isLink(path); links += 1) {
    path = GLib.canonicalize_filename(GLib.file_read_link(path), GLib.path_get_dirname(path));
  }
  return path;
}

/** Returns the folders with a wallpaper.toml that are installed: of each name, the user's own rather than the system's. */
export function installedPictures() {
  const pictures = new Map();
  for (const data of [GLib.get_user_data_dir(), ...GLib.get_system_data_dirs()]) {
    const folder = GLib.build_filenamev([data, 'parallax', 'wallpapers']);
    let names;
    try {
      names = [...Gio.File.new_for_path(folder).enumerate_children('standard::name', Gio.FileQueryInfoFlags.NONE, null)];
    } catch {
      continue;
    }
    for (const name of names.map(info => info.get_name())) {
      const path = GLib.build_filenamev([folder, name]);
      if (!pictures.has(name) && exists(GLib.build_filenamev([path, 'wallpaper.toml']))) pictures.set(name, path);
    }
  }
  return [...pictures].map(([name, path]) => ({ name, path })).sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the path of the picture for a monitor with these outputs; null if there is none at all. */
export function chosenPicture(outputs = []) {
  const own = [...outputs.map(choicePath), choicePath()].find(exists);
  return own ?? installedPictures().find(({ name }) => name === standardName)?.path ?? null;
}

/** Makes a folder or an image the picture of all monitors without one of their own. Throws a GLib.Error. */
export function choosePicture(path) {
  const link = choicePath();
  if (exists(link) && !isLink(link)) {
    throw new Gio.IOErrorEnum({ code: Gio.IOErrorEnum.EXISTS, message: `${link} is your picture; rename it first` });
  }
  GLib.mkdir_with_parents(choiceFolder(), 0o755);
  const fresh = Gio.File.new_for_path(`${link}.new`);
  try {
    fresh.delete(null);
  } catch {
    // Nothing was left.
  }
  fresh.make_symbolic_link(path, null);
  // At no instant is there no picture.
  fresh.move(Gio.File.new_for_path(link), Gio.FileCopyFlags.OVERWRITE | Gio.FileCopyFlags.NOFOLLOW_SYMLINKS, null, null);
}
