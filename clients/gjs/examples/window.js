// SPDX-License-Identifier: Apache-2.0
// A GTK 4 window with three layers: gjs -m window.js
import Gdk from 'gi://Gdk?version=4.0';
import GLib from 'gi://GLib';
import Gtk from 'gi://Gtk?version=4.0';
import { Stream } from '../gjs.js';

// Color, width in px, place and depth of each layer.
const layers = [
  { color: '#3b4a7a', size: 220, x: 90, y: 60, depth: 1 },
  { color: '#7a6fd0', size: 150, x: 260, y: 130, depth: 3 },
  { color: '#ffb35c', size: 90, x: 400, y: 220, depth: 6 },
];

Gtk.init();
const style = new Gtk.CssProvider();
const rules = layers.map(({ color, size }, index) => `.layer${index} { background: ${color}; border-radius: `
  + `${size / 2}px; min-width: ${size}px; min-height: ${size}px; }`).join('\n') + '\nwindow { background: #10162b; }';
// GTK 4.12 has load_from_string.
if (style.load_from_string) style.load_from_string(rules);
else style.load_from_data(rules);
Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION);

const picture = new Gtk.Fixed();
for (const [index, layer] of layers.entries()) {
  layer.widget = new Gtk.Box({ css_classes: [`layer${index}`] });
  picture.put(layer.widget, layer.x, layer.y);
}
const window = new Gtk.Window({ title: 'parallax', default_width: 600, default_height: 400, child: picture });
const stream = new Stream({ watch: { rate: 60, on_change: 0.01 } });

// A tick is called before each picture. At rest there is none, and GTK draws nothing.
let tick = 0;
function draw(widget, clock) {
  // When the picture becomes visible, in us; 0 where the display does not say.
  const predicted = clock.get_current_timings()?.get_predicted_presentation_time() ?? 0;
  const shown = predicted > 0 ? predicted * 1e-6 : clock.get_frame_time() * 1e-6 + 1 / 60;
  const ahead = shown - stream.now();
  const offset = stream.offsetAt(shown, ahead);
  for (const { widget: child, x, y, depth } of layers) {
    if (offset) picture.move(child, x + depth * offset.x, y + depth * offset.y);
  }
  if (shown < stream.movingUntil(ahead)) return GLib.SOURCE_CONTINUE;
  tick = 0;
  return GLib.SOURCE_REMOVE;
}
stream.onmessage = message => {
  if (message.class === 'OFFSET' && tick === 0) tick = picture.add_tick_callback(draw);
};

const loop = new GLib.MainLoop(null, false);
window.connect('close-request', () => {
  stream.close();
  loop.quit();
});
window.present();
loop.run();
