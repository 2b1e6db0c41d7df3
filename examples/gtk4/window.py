#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A GTK 4 window with three layers that move by their depths: window.py [FOLDER WITH far.svg middle.svg near.svg]

Needs PyGObject, GTK 4, librsvg and the client: PYTHONPATH=clients/python/src python3 examples/gtk4/window.py"""
import os
import sys

import gi

for name, version in (("Gtk", "4.0"), ("Gdk", "4.0"), ("Graphene", "1.0")):
    gi.require_version(name, version)
from gi.repository import Gdk, GdkPixbuf, GLib, Graphene, Gtk  # noqa: E402 pylint: disable=wrong-import-position

from parallax_client import Offset, Stream, Watch  # noqa: E402 pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))
#: From back to front: the image and its depth. The nearest layer travels that share of the width at the ends of the range.
LAYERS = (("far.svg", 0.5), ("middle.svg", 2.0), ("near.svg", 5.0))
TRAVEL = 0.025
SIZE = 720, 450


class Picture(Gtk.Widget):
    """The layers, larger than the widget by as much as the nearest one can move."""

    def __init__(self, folder):
        super().__init__(overflow=Gtk.Overflow.HIDDEN)
        self.set_size_request(*SIZE)
        self.offset = (0.0, 0.0)
        self.images = []
        for name, depth in LAYERS:
            # Twice the size, for screens with a scale of 2.
            pixels = GdkPixbuf.Pixbuf.new_from_file_at_scale(os.path.join(folder, name), 2 * SIZE[0], -1, True)
            self.images.append((Gdk.Texture.new_for_pixbuf(pixels), depth))
        self.stream = Stream(watch=Watch(rate=60, on_change=0.01))
        self.stream.start(lambda message: GLib.idle_add(self.receive, message))
        self.tick = 0

    def receive(self, message):
        """In the main loop: a new frame starts to move the picture, if it stands."""
        if isinstance(message, Offset) and not self.tick:
            self.tick = self.add_tick_callback(self.draw_frame)
        return GLib.SOURCE_REMOVE

    def draw_frame(self, _, clock):
        """Before each picture, until the offset stays the same; GTK's clock is the stream's, in microseconds."""
        timings = clock.get_current_timings()
        predicted = timings.get_predicted_presentation_time() if timings else 0
        shown = predicted or clock.get_frame_time() + 1_000_000 // 60
        ahead = (shown - GLib.get_monotonic_time()) * 1e-6
        offset = self.stream.offset_at(shown * 1e-6, ahead)
        if offset is not None:
            self.offset = offset.nx, offset.ny
            self.queue_draw()
        if shown * 1e-6 < self.stream.moving_until(ahead):
            return GLib.SOURCE_CONTINUE
        self.tick = 0
        return GLib.SOURCE_REMOVE

    def do_snapshot(self, snapshot):
        travel = TRAVEL * self.get_width()
        width, height = self.get_width() + 2 * travel, self.get_height() + 2 * travel
        nearest = max(depth for _, depth in self.images)
        for texture, depth in self.images:
            distance = travel * depth / nearest
            # Covers the widget and the margin, whatever its shape.
            scale = max(width / texture.get_width(), height / texture.get_height())
            shape = texture.get_width() * scale, texture.get_height() * scale
            rectangle = Graphene.Rect()
            rectangle.init((self.get_width() - shape[0]) / 2 + distance * self.offset[0],
                           (self.get_height() - shape[1]) / 2 + distance * self.offset[1], *shape)
            snapshot.append_texture(texture, rectangle)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    application = Gtk.Application(application_id="org.parallax_motion.example")

    def activate(_):
        window = Gtk.ApplicationWindow(application=application, title="Harbor", child=Picture(folder))
        window.present()

    application.connect("activate", activate)
    application.run([])


if __name__ == "__main__":
    main()
