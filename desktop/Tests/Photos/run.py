#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""desktop/Tests/Photos/run.py [TEST...]: runs parallax-wallpaper on photos of every format, with and without depth maps, and
looks at what it exports and previews. PROGRAM in the environment is the program (default: the debug build)."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../Compositors")]
import heif_depth  # noqa: E402
from compositor import Daemon, Sway, wait  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.environ.get("PROGRAM", os.path.join(ROOT, "desktop/.build/debug/parallax-wallpaper"))
SIZE = (160, 96)
# A box in front of a wall.
BOX = (40, 24, 90, 70)


def inside(x, y):
    return BOX[0] <= x < BOX[2] and BOX[1] <= y < BOX[3]


def write_png(path, color_type, bits, rows):
    """rows: bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    width, height = SIZE
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color_type, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))


def write_photo(path):
    write_png(path, 2, 8, [bytes(c for x in range(SIZE[0]) for c in ((200, 60, 40) if inside(x, y) else (60, 90, 150 + y // 2)))
                           for y in range(SIZE[1])])


def write_depth(path, bits=16):
    # With 16 bits, two depths of which the upper 8 bits are alike.
    near, far = (0x5FFF, 0x5000) if bits == 16 else (200, 50)
    write_png(path, 0, bits, [b"".join((near if inside(x, y) else far).to_bytes(bits // 8, "big") for x in range(SIZE[0]))
                              for y in range(SIZE[1])])


def image_size(path):
    words = subprocess.run(["identify", "-format", "%w %h", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    return tuple(map(int, words.split()))


def pixel(path, x, y):
    """Red, green, blue and opacity, 0 to 255."""
    raw = subprocess.run(["convert", path, "-crop", "1x1+%d+%d" % (x, y), "-depth", "8", "rgba:-"], check=True,
                         stdout=subprocess.PIPE).stdout
    return tuple(raw[:4])


class Photos(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="parallax-photos-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.photo = self.path("photo.png")
        write_photo(self.photo)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_program(self, *arguments, **environment):
        # No picture of the user's is touched.
        return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120,
                              env={**os.environ, "HOME": self.folder, **environment})

    def convert(self, target, *options):
        subprocess.run(["convert", self.photo, *options, self.path(target)], check=True)
        return self.path(target)

    def layers(self, *arguments):
        """The layers that export writes: their depths, from far to near."""
        target = self.path("exported")
        shutil.rmtree(target, ignore_errors=True)
        result = self.run_program("export", *arguments, target, "--size", "320x192")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(target, "wallpaper.toml")) as file:
            return [float(line.split("=")[1]) for line in file if line.startswith("depth")]

    def refused(self, code, *arguments, **environment):
        result = self.run_program(*arguments, **environment)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)
        return result.stderr

    def test_every_format_is_read(self):
        for name in ("a.jpg", "a.webp", "a.png"):
            self.convert(name)
        subprocess.run(["heif-enc", "-o", self.path("a.heic"), self.photo], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["heif-enc", "-A", "-o", self.path("a.avif"), self.photo], check=True, stdout=subprocess.DEVNULL)
        for name in ("a.jpg", "a.webp", "a.png", "a.heic", "a.avif"):
            with self.subTest(name):
                result = self.run_program("--check", self.path(name))
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_missing_loader_is_named(self):
        photo = self.convert("a.webp")
        loaders = self.path("loaders.cache")
        open(loaders, "w").close()
        message = self.refused(65, "--check", photo, GDK_PIXBUF_MODULE_FILE=loaders)
        self.assertIn("a.webp: a WebP image, which needs the package webp-pixbuf-loader", message)

    def test_a_depth_map_cuts_the_photo(self):
        for bits in (8, 16):
            with self.subTest(bits):
                write_depth(self.path("map.png"), bits)
                self.assertEqual(self.layers(self.photo, "--depth", self.path("map.png")), [0, 1])
        near = self.path("exported/layer-2.png")
        # Twice the size of the photo, and the margins.
        width, height = image_size(near)
        self.assertEqual(pixel(near, width * 65 // 160, height * 47 // 96), (200, 60, 40, 255))
        self.assertEqual(pixel(near, width * 20 // 160, height * 47 // 96)[3], 0)
        # The hidden part of the wall has no red.
        self.assertLess(pixel(self.path("exported/layer-1.png"), width * 45 // 160, height * 47 // 96)[0], 70)

    def test_a_depth_map_beside_the_photo_is_found(self):
        self.assertEqual(self.layers(self.photo), [1])
        write_depth(self.path("photo.depth.png"))
        self.assertEqual(self.layers(self.photo), [0, 1])
        # Also through a link, as in ~/.config/parallax/wallpaper.
        os.symlink(self.photo, self.path("chosen"))
        self.assertEqual(self.layers(self.path("chosen")), [0, 1])

    def test_a_wallpaper_names_a_photo(self):
        write_depth(self.path("map.png"))
        with open(self.path("wallpaper.toml"), "w") as file:
            file.write('[wallpaper]\nphoto = "photo.png"\ndepth-map = "map.png"\n')
        self.assertEqual(self.layers(self.folder), [0, 1])
        # What is exported is a picture, too.
        self.assertEqual(self.run_program("--check", self.path("exported")).returncode, 0)

    def test_a_photo_that_is_stored_turned_fits_its_map(self):
        write_depth(self.path("turned.depth.png"))
        turned = self.convert("turned.jpg", "-rotate", "90", "-quality", "97")
        mark_orientation(turned, 8)
        self.assertEqual(self.layers(turned), [0, 1])
        near = self.path("exported/layer-2.png")
        width, height = image_size(near)
        self.assertGreater(width, height)
        self.assertGreater(pixel(near, width * 65 // 160, height * 47 // 96)[0], 190)

    def test_a_portrait_photo_has_its_own_depth(self):
        depth = self.path("map.png")
        write_depth(depth, 8)
        for turns in (0, 1):
            with self.subTest(turns):
                photo = self.path("portrait%d.heic" % turns)
                heif_depth.write(self.photo, depth, photo, turns)
                self.assertEqual(self.layers(photo), [0, 1])
                near = self.path("exported/layer-2.png")
                width, height = image_size(near)
                # Turned anticlockwise by a quarter, the right edge is the upper one.
                x, y = (65 / 160, 47 / 96) if turns == 0 else (47 / 96, 1 - 65 / 160)
                color = pixel(near, int(width * x), int(height * y))
                self.assertGreater(color[0], 180)
                self.assertEqual(color[3], 255)

    def test_a_map_of_another_shape_is_refused(self):
        self.convert("map.png", "-resize", "96x160!", "-colorspace", "gray")
        message = self.refused(65, "--check", self.photo, "--depth", self.path("map.png"))
        self.assertIn("map.png: the depth map has 96 x 160 pixels, another shape than the photo's 160 x 96; turn", message)

    def test_a_damaged_map_is_refused(self):
        write_depth(self.path("map.png"))
        with open(self.path("map.png"), "r+b") as file:
            file.truncate(120)
        self.assertIn("map.png: the image is damaged", self.refused(65, "--check", self.photo, "--depth", self.path("map.png")))
        self.assertIn("No such file", self.refused(66, "--check", self.photo, "--depth", self.path("none.png")))

    def test_export_refuses_a_folder_with_files(self):
        message = self.refused(65, "export", self.photo, self.folder)
        self.assertIn("the folder is not empty; name a new one", message)

    def test_preview_writes_a_full_turn(self):
        write_depth(self.path("photo.depth.png"))
        frames = self.path("frames")
        result = self.run_program("preview", self.photo, "--frames", frames, "--size", "320x192", "--count", "4")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(frames)), ["frame-000%d.png" % n for n in (1, 2, 3, 4)])
        for name in os.listdir(frames):
            self.assertEqual(image_size(os.path.join(frames, name)), (320, 192))
        # The box moves by 2.5 % of the width to each side: its left edge is there in one frame only.
        edges = []
        for number in (1, 3):
            row = subprocess.run(["convert", "%s/frame-000%d.png" % (frames, number), "-crop", "320x1+0+96", "-depth", "8", "rgb:-"],
                                 check=True, stdout=subprocess.PIPE).stdout
            edges.append(next(x for x in range(320) if row[3 * x] > 130))
        self.assertAlmostEqual(edges[0] - edges[1], 2 * 0.025 * 320, delta=1.5)


class Shown(unittest.TestCase):
    """On a headless sway, whose first output has 1280 x 720 pixels."""

    def setUp(self):
        self.compositor = Sway()
        self.addCleanup(self.compositor.close)
        self.folder = os.path.join(self.compositor.folder, "pictures")
        os.mkdir(self.folder)
        os.chmod(self.compositor.folder, 0o755)

    def start(self, *arguments):
        program = self.compositor.start([PROGRAM, *arguments], self.compositor.log)
        self.addCleanup(program.wait, 10)
        self.addCleanup(program.terminate)
        return program

    def edge(self):
        """Where the box begins in the middle row; None without a box."""
        width, height, pixels = self.compositor.picture("HEADLESS-1")
        row = pixels[(height // 2) * width * 3:][:width * 3]
        return next((x for x in range(width) if row[3 * x] > 130 > row[3 * x + 1]), None)

    def test_a_window_shows_the_picture_as_it_moves(self):
        photo = os.path.join(self.folder, "photo.png")
        write_photo(photo)
        write_depth(os.path.join(self.folder, "photo.depth.png"))
        os.mkdir(os.path.join(self.compositor.folder, "parallax"))
        daemon = Daemon(os.path.join(self.compositor.folder, "parallax"))
        window = self.start("preview", photo, "--socket", daemon.path)

        def fill_output():
            try:
                self.compositor.message('[app_id="org.parallax_motion.parallax-wallpaper"]', "fullscreen", "enable")
                return True
            except subprocess.CalledProcessError:
                return False

        # A debug build cuts slowly.
        wait("the window", fill_output, 200)
        wait("the picture on the whole output", lambda: self.edge() is not None, 200)
        rest = self.edge()
        daemon.say(20, 0)
        wait("2.5 % of 1280 px to the right", lambda: abs(self.edge() - rest - 32) <= 1)
        daemon.say(-20, 0)
        wait("2.5 % of 1280 px to the left", lambda: abs(self.edge() - rest + 32) <= 1)
        self.compositor.message('[app_id="org.parallax_motion.parallax-wallpaper"]', "kill")
        self.assertEqual(window.wait(10), 0)

    def test_a_folder_of_photos_is_a_slide_show(self):
        for name, color in (("b.png", (0, 200, 0)), ("a.png", (200, 0, 0)), ("c.png", (0, 0, 200))):
            write_png(os.path.join(self.folder, name), 2, 8, [bytes(color) * SIZE[0]] * SIZE[1])
        shown = []

        def watch():
            width, height, pixels = self.compositor.picture("HEADLESS-1")
            color = tuple(pixels[(height // 2 * width + width // 2) * 3:][:3])
            if max(color) == 200 and shown[-1:] != ["rgb"[color.index(200)]]:
                shown.append("rgb"[color.index(200)])
            return len(shown) >= 4

        self.start("--output", "HEADLESS-1", "--interval", "2s", self.folder)
        wait("four photos, one after another", watch)
        self.assertIn("".join(shown[:4]), ("rgbr", "gbrg", "brgb"))


def mark_orientation(path, orientation):
    """Adds EXIF with an orientation to a JPEG."""
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01" + struct.pack(">HH", orientation, 0) + bytes(4)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(data[:2] + b"\xff\xe1" + struct.pack(">H", 2 + len(exif)) + exif + data[2:])


if __name__ == "__main__":
    unittest.main()
