# SPDX-License-Identifier: Apache-2.0
"""From the code in a terminal to what moves: the wallpaper, in a headless sway, and the page of parallax web."""
import os
import subprocess
import sys

from browser import PROGRAMS, ROOT, TRAVEL, Program, wait
from programs import PARALLAX
from test_phone_page import PhonePageTests

sys.path.append(os.path.join(ROOT, "desktop/Tests/Compositors"))
from compositor import Sway, write_png  # noqa: E402

WALLPAPER = os.path.join(
    os.environ.get("DESKTOP_PROGRAMS") or os.path.join(ROOT, "desktop/.build/debug"), "parallax-wallpaper")
# The usual share of the width that the nearest layer moves at the ends of the range, 5 px.
SHARE = 0.025
# The outputs on which the test looks at the wallpaper and at the terminal.
WALL, DESK = "HEADLESS-1", "HEADLESS-2"
NEAREST = "document.querySelector('#scene img:last-of-type')"


class Terminal(Program):
    """`parallax phone` in a terminal of 80 x 24 characters. The address is read from a picture of it."""

    def __init__(self, folder, daemon, screen, **environment):
        super().__init__(
            folder, ["foot", "--config=/dev/null", "--window-size-chars=80x24", PARALLAX, "phone", "--port", "0",
                     "--socket", daemon.stream, "--control", daemon.control],
            PATH=PROGRAMS + ":" + os.environ["PATH"], **environment)
        self.screen, self.picture, self.address = screen, folder("terminal.png"), ""

    def is_read(self):
        with open(self.picture, "wb") as file:
            file.write(self.screen.output_of("grim", "-o", DESK, "-"))
        found = subprocess.run(["zbarimg", "--quiet", "--raw", self.picture], capture_output=True, text=True)
        self.address = found.stdout.strip()
        return self.address


class WallpaperTests(PhonePageTests):
    # The default.
    source = ("source.kind=gyroscope",)

    def setUp(self):
        self.screen = Sway()
        self.addCleanup(self.screen.close)
        self.wayland = {"WAYLAND_DISPLAY": os.path.join(self.screen.folder, self.screen.environment["WAYLAND_DISPLAY"]),
                        "LANG": "C.UTF-8"}
        super().setUp()

    def start(self):
        self.screen.message("focus", "output", DESK)
        # A tiled window fills the output.
        self.screen.message('for_window [app_id="foot"] floating enable')
        terminal = Terminal(self.folder, self.daemon, self.screen, **self.wayland)
        self.addCleanup(terminal.kill)
        wait("a code in the terminal", terminal.is_read, 30)
        return terminal

    def show_wallpaper(self):
        """Shows a white square on black. Returns its place."""
        write_png(self.folder("near.png"), 320, 180,
                  lambda x, y: (255, 255, 255, 255 if 140 <= x < 180 and 70 <= y < 110 else 0))
        self.folder.write("wallpaper.toml", '[near]\nimage = "near.png"\n')
        wallpaper = Program(
            self.folder, [WALLPAPER, self.folder.path], PARALLAX_SOCKET=self.daemon.stream, **self.wayland)
        self.addCleanup(wallpaper.kill)
        wait("the wallpaper", self.square, 30)
        return self.square()

    def square(self):
        """The center of the square on its output, in px; None if it is not shown."""
        width, _, pixels = self.screen.picture(WALL)
        white = [divmod(index, width) for index, red in enumerate(pixels[::3]) if red > 128]
        return [sum(place[axis] for place in white) / len(white) for axis in (1, 0)] if white else None

    def test_from_the_terminal_to_the_wallpaper(self):
        rest = self.show_wallpaper()
        desk = self.open()
        offsets = self.offsets()
        page = self.open_phone(self.phones.address)
        self.begin(page)
        wait("the device", lambda: offsets.newest("DEVICE").get("name") == "Pixel 8")
        # Of the nearest layers, for each px of the offset.
        wall = SHARE * Sway.OUTPUTS[WALL][0] / 5
        page_layer = desk.evaluate("(%s)(%s)" % (TRAVEL, NEAREST)) / 5
        # A positive rate about y turns the right edge away: the layers move to the right. By default, an offset has
        # 5 px per rad/s, and at rest it stays where it was within 2 % of its range, 5 px.
        for about_x, about_y in ((0, 0.8), (0, -0.8), (0.6, 0), (-0.6, 0.4), (0, 0)):
            self.sensor(page, about_x, about_y, 0)
            expected = 5 * about_y, 5 * about_x

            def shown():
                """How far the wallpaper's square and the page's nearest layer are off, in px."""
                square = self.square()
                layer = desk.evaluate("(({ e, f }) => [e, f])(new DOMMatrix(%s.style.transform))" % NEAREST)
                return [(square[axis] - rest[axis] - wall * expected[axis], layer[axis] - page_layer * expected[axis])
                        for axis in (0, 1)]
            # sway draws whole px, up to one late.
            wait("both pictures at (%g, %g)" % expected, lambda: all(
                abs(wallpaper) <= 0.1 * wall + 1 and abs(layer) <= 0.1 * page_layer + 0.01 for wallpaper, layer in shown()), 30)
