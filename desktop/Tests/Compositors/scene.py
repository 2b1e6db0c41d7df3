# SPDX-License-Identifier: Apache-2.0
"""A picture whose layers differ in color, and parallax-wallpaper that shows it on a compositor."""
import os
import subprocess
import tempfile
import time

from compositor import Daemon, Failure, wait, write_png

# The program; run.py sets it.
PROGRAM = ""
# Each layer has a square of its own color: R G B, left edge, upper edge, depth.
LAYERS = {"far": ((255, 0, 0), 60, 60, 0.5), "middle": ((0, 255, 0), 120, 100, 1.0),
          "near": ((0, 0, 255), 180, 60, -2.0), "back": ((40, 40, 40), 0, 0, 0.0)}
SIZE = (320, 240)
SQUARE = 24
# At the ends of the range, in which offsets are said here, all layers are displaced by whole steps on the outputs of Sway.
RANGE = 20.0
TRAVEL = 0.05


def make_wallpaper(folder):
    text = "[wallpaper]\nbackground = \"#404040\"\ntravel = %g\n" % TRAVEL
    for name in ("back", "far", "middle", "near"):
        color, left, top, depth = LAYERS[name]

        def pixel(x, y, name=name, color=color, left=left, top=top):
            inside = name == "back" or left <= x < left + SQUARE and top <= y < top + SQUARE
            return color + (255,) if inside else (0, 0, 0, 0)

        write_png(os.path.join(folder, name + ".png"), *SIZE, pixel)
        text += "[%s]\nimage = \"%s.png\"\ndepth = %g\n" % (name, name, depth)
    with open(os.path.join(folder, "wallpaper.toml"), "w") as file:
        file.write(text)


def center(picture, color):
    """Where the square of a color is: the mean of its pixels, weighted by how much of it they have."""
    width, height, pixels = picture
    strongest = color.index(255)
    total = sum_x = sum_y = 0.0
    for y in range(height):
        row = pixels[y * width * 3:(y + 1) * width * 3]
        channel = row[strongest::3]
        if max(channel) <= 50:
            continue
        other = row[(strongest + 1) % 3::3]
        for x in range(width):
            weight = channel[x] - other[x]
            if weight > 20:
                total, sum_x, sum_y = total + weight, sum_x + weight * x, sum_y + weight * y
    if not total:
        raise Failure("no square of color %s" % (color,))
    return sum_x / total, sum_y / total


class Run:
    def __init__(self, compositor):
        self.compositor = compositor
        self.folder = os.path.join(compositor.folder, "picture")
        os.mkdir(self.folder)
        make_wallpaper(self.folder)
        os.mkdir(os.path.join(compositor.folder, "parallax"))
        self.daemon = Daemon(os.path.join(compositor.folder, "parallax"))
        self.wallpaper = None
        self.start(self.folder)

    def start(self, *arguments):
        """Starts the program, or starts it again."""
        if self.wallpaper:
            self.stop()
        self.messages = tempfile.TemporaryFile()
        self.wallpaper = self.compositor.start([PROGRAM] + list(arguments), self.messages)

    def stop(self):
        self.wallpaper.terminate()
        if self.wallpaper.wait(10) != 0:
            raise Failure("SIGTERM: exit %d" % self.wallpaper.returncode)

    def said(self):
        """The lines of the program so far."""
        self.messages.seek(0)
        return self.messages.read().decode().splitlines()

    def say(self, x, y):
        self.daemon.say(x, y)
        self.settle()

    def settle(self):
        """Waits until the program rests and the picture stays."""
        end, before = time.monotonic() + 30, None
        while True:
            if self.wallpaper.poll() is not None:
                raise Failure("the program has ended: exit %d: %s" % (self.wallpaper.returncode, self.said()))
            now = self.turns()[0]
            if now == before:
                return
            if time.monotonic() > end:
                raise Failure("the program does not rest")
            before = now
            time.sleep(0.35)

    def center(self, output, name="middle"):
        return center(self.compositor.picture(output), LAYERS[name][0])

    def centers(self):
        pictures = {output: self.compositor.picture(output) for output in self.compositor.OUTPUTS}
        return {(output, name): center(picture, LAYERS[name][0])
                for output, picture in pictures.items() for name in ("far", "middle", "near")}

    def is_shown(self, output="HEADLESS-1", name="middle"):
        try:
            self.center(output, name)
            return True
        except (Failure, subprocess.CalledProcessError):
            return False

    def await_picture(self):
        for output in self.compositor.OUTPUTS:
            wait("the picture is shown on %s" % output, lambda: self.is_shown(output))
        self.settle()

    def turns(self):
        return turns(self.wallpaper.pid)

    def resident(self):
        return resident(self.wallpaper.pid)

    def close(self):
        if self.wallpaper.poll() is None:
            self.wallpaper.terminate()
            self.wallpaper.wait(10)
        self.compositor.close()


def turns(pid):
    """How often a program was put aside so far, and its CPU time in ms."""
    switches = 0
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, task)) as file:
            switches += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return switches, 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid, field="VmRSS"):
    """The resident memory of a program, in MB; with VmHWM the most so far."""
    with open("/proc/%d/status" % pid) as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) / 1024


def distance(name, offset, width, scale):
    """By how many physical pixels a layer is displaced at an offset, on an output of some logical width."""
    return offset / RANGE * TRAVEL * width * scale * LAYERS[name][3] / 2


def displacements(run, rest, x, y):
    """By how many physical pixels each square is off from its displacement."""
    run.say(x, y)
    for (output, name), now in run.centers().items():
        width, _, scale = run.compositor.OUTPUTS[output]
        for axis, offset in enumerate((x, y)):
            off = now[axis] - rest[output, name][axis] - distance(name, offset, width / scale, scale)
            yield output, name, "xy"[axis], off, scale


def corners(picture):
    """The pixels in the corners."""
    width, height, pixels = picture
    for x, y in ((0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)):
        yield (x, y), tuple(pixels[(y * width + x) * 3:(y * width + x) * 3 + 3])
