#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""desktop/Tests/Compositors/bars.py WALLPAPER [SUITE...]: looks at what parallax-wallpaper shows together with another
background and a bar. Without SUITE it tries this system's sway in its default configuration; a SUITE is a Debian release, as
trixie or sid, whose sway and labwc run in a root that scripts/debian-root makes (needs root). WALLPAPER is the program; the
release build runs in every suite.

Environment: PICTURES, a folder for what was seen."""
import os
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.dont_write_bytecode = True
from compositor import AnySway, Compositor, Daemon, Failure, wait, write_png  # noqa: E402

PACKAGES = ("sway", "swaybg", "labwc", "waybar", "grim", "fonts-dejavu-core", "libgdk-pixbuf-2.0-0", "librsvg2-common",
            "dbus-daemon")
OUTPUT = "HEADLESS-1"
SIZE = (1280, 720)
# Colors that tell whose pixels they are.
WALLPAPER, OTHER = (0, 160, 80), (192, 0, 192)
HEADLESS = {"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            "WLR_HEADLESS_OUTPUTS": "1"}


class DefaultSway(AnySway):
    """sway as it is installed, with swaybg and with swaybar or waybar."""
    NAME = "sway"
    BARS = ("swaybar", "waybar")

    def run(self):
        with open(self.root + "/etc/sway/config") as file:
            # Its picture is in a package of its own.
            config = "".join(line for line in file if not line.startswith("output * bg "))
        config += "output * resolution %dx%d\noutput * bg #%02x%02x%02x solid_color\n" % (SIZE + OTHER)
        if self.bar == "waybar":
            config = config.replace("\nbar {", "\nbar {\n    swaybar_command waybar")
        with open(os.path.join(self.folder, "config"), "w") as file:
            file.write(config)
        self.environment.update(HEADLESS)
        self.start_bus()  # waybar needs one.
        return self.start_sway()

    def background_again(self):
        """sway starts swaybg again."""
        self.message("reload")


class Labwc(Compositor):
    """labwc, with swaybg and waybar in its autostart."""
    NAME = "labwc"
    BARS = ("waybar",)

    def run(self):
        config = os.path.join(self.folder, ".config/labwc")
        os.makedirs(config)
        # A whole picture: its software renderer would make a gradient of a color.
        write_png(os.path.join(self.folder, "other.png"), *SIZE, lambda x, y: OTHER + (255,))
        self.background = ["swaybg", "-i", self.home + "/other.png"]
        with open(os.path.join(config, "autostart"), "w") as file:
            file.write("%s &\nwaybar &\n" % " ".join(self.background))
        self.environment.update(HEADLESS)
        self.start_bus()
        self.process = self.start(["labwc"], self.log)
        self.await_display()
        return self.process

    def background_again(self):
        """A second one is the newest surface."""
        self.start(self.background, self.log)


def shares(picture):
    """The shares of the picture that have the wallpaper's color, the other background's, and others: a bar's."""
    width, height, pixels = picture
    counts = [0, 0, 0]
    for place in range(0, len(pixels), 3 * 7):
        pixel = tuple(pixels[place:place + 3])
        near = [all(abs(a - b) <= 3 for a, b in zip(pixel, color)) for color in (WALLPAPER, OTHER)]
        counts[0 if near[0] else 1 if near[1] else 2] += 1
    return [count / sum(counts) for count in counts]


def save(name, picture):
    folder = os.environ.get("PICTURES")
    if folder:
        width, height, pixels = picture
        write_png(os.path.join(folder, name + ".png"), width, height,
                  lambda x, y: tuple(pixels[(y * width + x) * 3:(y * width + x) * 3 + 3]) + (255,))


def is_settled(compositor):
    first = compositor.picture(OUTPUT)
    time.sleep(0.5)
    # A clock may be in the bar.
    return [round(share, 2) for share in shares(first)] == [round(share, 2) for share in shares(compositor.picture(OUTPUT))]


def try_bar(kind, bar, root, suite, program):
    kind = type(kind.__name__, (kind,), {"bar": bar})
    compositor = kind(root)
    seen = {}
    try:
        os.mkdir(os.path.join(compositor.folder, "parallax"))
        Daemon(os.path.join(compositor.folder, "parallax"))
        shutil.copy(program, os.path.join(compositor.folder, "parallax-wallpaper"))
        os.chmod(compositor.folder, 0o755)
        write_png(os.path.join(compositor.folder, "green.png"), 64, 36, lambda x, y: WALLPAPER + (255,))
        wait("%s shows its background and its bar" % compositor.NAME,
             lambda: shares(compositor.picture(OUTPUT))[1] > 0.9 and 0.01 < shares(compositor.picture(OUTPUT))[2] < 0.1)
        bar_share = shares(compositor.picture(OUTPUT))[2]
        for layer in ("bottom", "background"):
            wallpaper = compositor.start(
                [compositor.home + "/parallax-wallpaper", "--layer", layer, compositor.home + "/green.png"])
            name = "%s-%s-%s-%s" % (suite, compositor.NAME, bar, layer)
            for when in ("after", "before"):
                if when == "before":
                    compositor.background_again()
                time.sleep(2)
                wait("the picture settles", lambda: is_settled(compositor))
                picture = compositor.picture(OUTPUT)
                seen[layer, when] = shares(picture)
                save(name + "-" + when, picture)
            wallpaper.terminate()
            said = wallpaper.stderr.read().decode()
            if (layer == "background") != ("swaybg shows a background in the same layer" in said):
                raise Failure("%s: it says %r" % (name, said))
            print("test-desktop: %s: started after the other background %s, before it %s" % (name, *(
                "above" if seen[layer, when][0] > 0.9 else "below" for when in ("after", "before"))), flush=True)
    finally:
        compositor.close()
    for when in ("after", "before"):
        own, other, rest = seen["bottom", when]
        if own < 0.9 or other > 0.01:
            raise Failure("bottom, %s the other background: %.2f of the output is the picture, %.2f the other one" % (
                when, own, other))
        if abs(rest - bar_share) > 0.01:
            raise Failure("bottom: the bar has %.3f of the output, and had %.3f before" % (rest, bar_share))


def main():
    program = os.path.abspath(sys.argv[1])
    cases = [("", DefaultSway, "swaybar")]
    if len(sys.argv) > 2:
        cases = [(suite, kind, bar) for suite in sys.argv[2:] for kind in (DefaultSway, Labwc) for bar in kind.BARS]
    roots, failed = {"": ""}, 0
    for suite, kind, bar in cases:
        name = "%s, %s, %s" % (suite or "this system", kind.NAME, bar)
        try:
            if suite not in roots:
                roots[suite] = subprocess.run(
                    [os.path.join(ROOT, "scripts/debian-root"), suite, "wall", *PACKAGES], check=True,
                    stdout=subprocess.PIPE, text=True).stdout.strip()
            try_bar(kind, bar, roots[suite], suite or "this", program)
            print("test-desktop: %s: ok" % name, flush=True)
        except (Failure, OSError, subprocess.SubprocessError) as error:
            failed += 1
            print("test-desktop: %s: FAILED: %s" % (name, error), flush=True)
    print("test-desktop: %d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
