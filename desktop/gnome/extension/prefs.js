// SPDX-License-Identifier: Apache-2.0

import Adw from 'gi://Adw';
import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Gtk from 'gi://Gtk';
import { ExtensionPreferences } from 'resource:///org/gnome/Shell/Extensions/js/extensions/prefs.js';

import { choosePicture, chosenPicture, followed, installedPictures } from './choice.js';
import { maxTravel, standardTravel } from './geometry.js';

Gio._promisify(Gtk.FileDialog.prototype, 'open', 'open_finish');
Gio._promisify(Gtk.FileDialog.prototype, 'select_folder', 'select_folder_finish');

export default class ParallaxPreferences extends ExtensionPreferences {
  async fillPreferencesWindow(window) {
    const settings = this.getSettings();
    const page = new Adw.PreferencesPage();
    page.add(this.#pictureGroup(window));
    page.add(this.#motionGroup(settings));
    window.add(page);
  }

  #pictureGroup(window) {
    const group = new Adw.PreferencesGroup({
      title: 'Picture',
      description: 'A folder with a wallpaper.toml, or a single image. parallax-wallpaper shows the same picture.',
    });
    const current = new Adw.ActionRow({ title: 'Current picture' });
    const update = () => { current.subtitle = GLib.markup_escape_text(followed(chosenPicture() ?? 'none'), -1); };
    const choose = path => {
      try {
        choosePicture(path);
      } catch (error) {
        window.add_toast(new Adw.Toast({ title: error.message }));
      }
      update();
    };
    const button = (label, select) => {
      const made = new Gtk.Button({ label, valign: Gtk.Align.CENTER });
      made.connect('clicked', async () => {
        try {
          choose((await select(new Gtk.FileDialog())).get_path());
        } catch (error) {
          if (!error.matches?.(Gtk.DialogError, Gtk.DialogError.DISMISSED)) throw error;
        }
      });
      return made;
    };
    const filter = new Gtk.FileFilter({ name: 'Images' });
    filter.add_mime_type('image/*');
    current.add_suffix(button('Image…', dialog => {
      dialog.default_filter = filter;
      return dialog.open(window, null);
    }));
    current.add_suffix(button('Folder…', dialog => dialog.select_folder(window, null)));
    group.add(current);
    for (const { name, path } of installedPictures()) {
      const row = new Adw.ActionRow({ title: name[0].toUpperCase() + name.slice(1), activatable: true });
      row.connect('activated', () => choose(path));
      group.add(row);
    }
    update();
    return group;
  }

  #motionGroup(settings) {
    const group = new Adw.PreferencesGroup({ title: 'Motion' });
    const chosen = settings.get_value('travel').deepUnpack();
    const travel = new Adw.ExpanderRow({
      title: 'Travel of my own', subtitle: 'Otherwise the picture decides', show_enable_switch: true,
      enable_expansion: chosen !== null,
    });
    const percent = new Adw.SpinRow({
      title: 'Share of the width', subtitle: 'In percent, for the nearest layer at full motion', digits: 1,
      adjustment: new Gtk.Adjustment({
        lower: 0, upper: maxTravel * 100, step_increment: 0.5, value: (chosen ?? standardTravel) * 100,
      }),
    });
    const save = () => settings.set_value('travel', new GLib.Variant(
      'md', travel.enable_expansion ? percent.value / 100 : null));
    travel.connect('notify::enable-expansion', save);
    percent.connect('notify::value', save);
    travel.add_row(percent);
    group.add(travel);
    const lockScreen = new Adw.SwitchRow({ title: 'Show on the lock screen' });
    settings.bind('lock-screen', lockScreen, 'active', Gio.SettingsBindFlags.DEFAULT);
    group.add(lockScreen);
    return group;
  }
}
