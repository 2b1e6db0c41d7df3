#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each example in examples/ and looks at what it shows, at known offsets: waybar and GTK 4 in a headless sway,
the pages in headless Chromium with parallax-web, and what eww reads.

    Tests/Examples/run.py [--pictures FOLDER] [CASE]...

--pictures also writes the pictures of docs/examples.md. $PARALLAX_PROGRAMS is the folder of parallax (.build/debug),
$WEB_PROGRAMS that of parallax-web (web/.build/debug). Prints the counts; exit code 1 if a case fails."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "desktop/Tests/Compositors"))
from compositor import Daemon as Speaker, Sway, as_user, wait  # noqa: E402 pylint: disable=wrong-import-position
from chromium import Browser  # noqa: E402 pylint: disable=wrong-import-position
from yuck import check_yuck  # noqa: E402 pylint: disable=wrong-import-position

PROGRAMS = os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug")
WEB_PROGRAMS = os.environ.get("WEB_PROGRAMS") or os.path.join(ROOT, "web/.build/debug")
CASES = []


def case(function):
    CASES.append(function)
    return function


class Daemon(Speaker):
    """Sends the offsets that `say` is given, and answers WATCH."""

    def __init__(self, folder):
        super().__init__(folder, reach=5)

    def receive(self, client, request):
        # Who waits for the request finds it answered.
        if request["class"] == "WATCH":
            self.send(client, {"class": "WATCH", "version": 1, "enable": True, "rate": 30, "layers": {}, "on_change": False,
                               "orientation": "normal", **request})
        super().receive(client, request)


class Screen(Sway):
    """One output, and a folder that its user may read, with the examples and parallax."""
    OUTPUTS = {"HEADLESS-1": (800, 500, 1)}

    def __init__(self, folder, width, height):
        self.OUTPUTS = {"HEADLESS-1": (width, height, 1)}
        super().__init__()
        self.environment.update(
            PATH=folder + ":" + os.environ["PATH"], PARALLAX_SOCKET=os.path.join(folder, "parallax.sock"),
            PYTHONPATH=os.path.join(folder, "clients/python/src"), PYTHONDONTWRITEBYTECODE="1", GSK_RENDERER="cairo",
            GDK_BACKEND="wayland", GTK_A11Y="none", NO_AT_BRIDGE="1", GSETTINGS_BACKEND="memory",
            DBUS_SESSION_BUS_ADDRESS="unix:path=" + os.path.join(folder, "none"),
            DBUS_SYSTEM_BUS_ADDRESS="unix:path=" + os.path.join(folder, "none"))
        self.programs = []
        self.errors = open(os.path.join(folder, "errors"), "ab+")
        self.message("output * background #203040 solid_color")

    def launch(self, *command):
        self.programs.append(self.start(list(command), self.errors))
        return self.programs[-1]

    def still(self, what="a picture that stands"):
        """The picture, once two in a row are the same."""
        found = [None]

        def stands():
            before, found[0] = found[0], self.picture("HEADLESS-1")
            time.sleep(0.15)
            return before == found[0]
        wait(what, stands)
        return found[0]

    def save(self, path, region):
        data = subprocess.run(["grim", "-l", "9", "-g", region, "-"], env=self.environment, preexec_fn=as_user, check=True,
                              stdout=subprocess.PIPE).stdout
        with open(path, "wb") as file:
            file.write(data)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for program in self.programs:
            program.kill()
            program.wait()
        if kind is not None:
            self.errors.seek(0)
            print(self.errors.read().decode(errors="replace")[-1500:])
        self.errors.close()
        self.close()


def stage(folder):
    """What another user may read and run: the examples, the clients, parallax."""
    os.chmod(folder, 0o755)
    shutil.copy(os.path.join(PROGRAMS, "parallax"), folder)
    os.chmod(os.path.join(folder, "parallax"), 0o755)
    shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(folder, "examples"))
    shutil.copytree(os.path.join(ROOT, "clients/python/src"), os.path.join(folder, "clients/python/src"))
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)


# MARK: Wayland

@case
def waybar(folder, pictures):
    stage(folder)
    daemon = Daemon(folder)
    daemon.say(4.2, -2.4)
    with Screen(folder, 800, 60) as screen:
        screen.launch("waybar", "-c", folder + "/examples/waybar/config.jsonc", "-s", folder + "/examples/waybar/style.css")
        wait("the bar's offset", lambda: daemon.clients)
        time.sleep(1)
        moved = screen.still()
        if pictures:
            screen.save(os.path.join(pictures, "example-waybar.png"), "0,0 800x34")
        for x, y in ((-4.9, 3.1), (0.0, 0.0)):
            daemon.say(x, y)
            wait("another text at %g" % x, lambda: screen.still() != moved)
            moved = screen.still()
        daemon.stop()
        wait("the text without a daemon", lambda: screen.still() != moved)


# How far the nearest layer of an example moves at the ends of the range, as a share of the picture's width.
TRAVEL = 0.025
LAYER = """<svg xmlns="http://www.w3.org/2000/svg" width="720" height="450" viewBox="0 0 720 450"><rect width="720"
height="450" fill="%s"/><rect x="%d" y="200" width="50" height="50" fill="%s"/></svg>"""


def center(picture, strongest):
    """Where the square of pure red, green or blue is; None if it is not shown."""
    width, height, pixels = picture
    total = sum_x = sum_y = 0
    for y in range(height):
        row = pixels[y * width * 3:(y + 1) * width * 3]
        channel, one, other = row[strongest::3], row[(strongest + 1) % 3::3], row[(strongest + 2) % 3::3]
        for x in range(width):
            weight = channel[x] - max(one[x], other[x])
            if weight > 8:
                total, sum_x, sum_y = total + weight, sum_x + weight * x, sum_y + weight * y
    return (sum_x / total, sum_y / total) if total else None


def centers(screen):
    picture = screen.picture("HEADLESS-1")
    return [center(picture, color) for color in range(3)]


@case
def gtk4(folder, pictures):
    stage(folder)
    layers = os.path.join(folder, "layers")
    os.mkdir(layers)
    for name, back, left, color in (("far", "#303030", 100, "#f00"), ("middle", "none", 340, "#0f0"),
                                    ("near", "none", 560, "#00f")):
        with open(os.path.join(layers, name + ".svg"), "w") as file:
            file.write(LAYER % (back, left, color))
    daemon = Daemon(folder)
    window = ["/usr/bin/python3", folder + "/examples/gtk4/window.py"]
    with Screen(folder, 720, 450) as screen:
        screen.message("default_border", "none")
        program = screen.launch(*window, layers)
        wait("the window", lambda: daemon.clients)
        daemon.say(0, 0)
        wait("the layers", lambda: None not in centers(screen))
        screen.still()
        before = centers(screen)

        def has_moved(x, y):
            """Whether each layer is at its share of the travel. Antialiased edges: within a quarter of a px."""
            unit = TRAVEL * 720 / 5 / 5
            return all(
                found and abs(found[0] - start[0] - unit * depth * x) < 0.25
                and abs(found[1] - start[1] - unit * depth * y) < 0.25
                for depth, start, found in zip((0.5, 2, 5), before, centers(screen)))
        for x, y in ((4.0, -2.0), (-5.0, 3.0), (0.0, 0.0)):
            daemon.say(x, y)
            wait("the layers at %g, %g" % (x, y), lambda: has_moved(x, y))
        assert program.poll() is None, "the window has closed"
        # The daemon ends and another one begins.
        daemon.stop()
        time.sleep(0.2)
        daemon = Daemon(folder)
        wait("the next daemon", lambda: daemon.clients)
        daemon.say(2, 0)
        wait("the layers of the next daemon", lambda: has_moved(2, 0))
        assert program.poll() is None, "the window has closed"
        program.kill()
        program.wait()
        daemon.clients.clear()
        program = screen.launch(*window)
        wait("the window", lambda: daemon.clients)
        daemon.say(-4, 1.5)
        time.sleep(1)
        first = screen.still()
        if pictures:
            screen.save(os.path.join(pictures, "example-gtk4.png"), "0,0 720x450")
        daemon.say(4, 1.5)
        wait("its own pictures at another offset", lambda: screen.picture("HEADLESS-1") != first)


# MARK: Pages

class Page:
    """A page that parallax-web serves, in a browser."""

    def __init__(self, folder, name):
        self.daemon = Daemon(folder)
        self.server = subprocess.Popen(
            [os.path.join(WEB_PROGRAMS, "parallax-web"), "page", "--port", "0", "--socket", self.daemon.path, "--files",
             os.path.join(ROOT, "examples", name)], stdout=subprocess.PIPE, universal_newlines=True)
        line = self.server.stdout.readline()
        self.address = re.search(r"http://[0-9.:]+/", line).group(0)
        self.browser = Browser()

    def __enter__(self):
        self.browser.open(self.address)
        wait("the page's stream", lambda: self.daemon.clients)
        return self

    def __exit__(self, kind, error, trace):
        self.browser.__exit__(kind, error, trace)
        self.server.terminate()
        self.server.wait(20)
        self.server.stdout.close()

    def expect(self, expression, expected):
        """Waits until numbers are these, within 0.01."""
        end = time.monotonic() + 20
        while True:
            found = self.browser.value(expression)
            if len(found) == len(expected) and all(abs(a - b) < 0.01 for a, b in zip(found, expected)):
                return
            assert time.monotonic() < end, "%s: %s, expected %s" % (expression, found, expected)
            time.sleep(0.05)

    def quiet(self):
        # Browsers ask for an icon.
        found = [text for text in self.browser.problems if "/favicon.ico" not in text]
        assert not found, found

    def fits(self, width, height):
        self.browser.size(width, height)
        found = self.browser.value("[document.documentElement.scrollWidth, innerWidth]")
        assert found[0] <= found[1] == width, "%d px wide: %s" % (width, found)


TRANSLATION = "(() => { const m = new DOMMatrix(getComputedStyle(%s).transform); return [m.e, m.f]; })()"


@case
def css_variables(folder, pictures):
    with Page(folder, "css-variables") as page:
        browser = page.browser
        variables = "['x', 'y', 'nx', 'ny'].map(name => parseFloat(document.documentElement.style.getPropertyValue(" \
                    "'--parallax-' + name)))"
        # A `translate` of its own, in px.
        front = "getComputedStyle(document.querySelector('.front')).translate.split(' ').map(parseFloat)"
        for x, y in ((4.0, -2.0), (-2.5, 1.25)):
            page.daemon.say(x, y)
            page.expect(variables, [x, y, x / 5, y / 5])
            page.expect(front, [0.65 * TRAVEL * 560 * x / 5, 0.65 * TRAVEL * 560 * y / 5])
        browser.size(720, 560)
        page.daemon.say(3.5, -2.5)
        page.expect(front, [0.65 * TRAVEL * 560 * 0.7, 0.65 * TRAVEL * 560 * -0.5])
        if pictures:
            browser.picture(os.path.join(pictures, "example-css-variables.webp"))
        for size in ((390, 844), (2560, 1440)):
            page.fits(*size)
        browser.reduce_motion(True)
        page.expect(variables, [0, 0, 0, 0])
        browser.reduce_motion(False)
        page.daemon.say(1, 1)
        page.expect(variables, [1, 1, 0.2, 0.2])
        page.quiet()


@case
def kiosk(folder, pictures):
    with Page(folder, "kiosk") as page:
        browser = page.browser
        layers = "[...document.querySelectorAll('[data-depth]')].flatMap(layer => { const m = new DOMMatrix(" \
                 "getComputedStyle(layer).transform); return [m.e, m.f]; })"
        depths = browser.value("[...document.querySelectorAll('[data-depth]')].map(layer => Number(layer.dataset.depth))")
        assert len(depths) == 6, depths

        def places(nx, ny):
            unit = TRAVEL * browser.value("innerWidth") / max(depths)
            return [part for depth in depths for part in (unit * depth * nx, unit * depth * ny)]
        browser.wait("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
        for x, y in ((4.0, -2.0), (-5.0, 5.0)):
            page.daemon.say(x, y)
            page.expect(layers, places(x / 5, y / 5))
        # At the end of the range, no layer uncovers the screen.
        edges = "[...document.images].map(image => image.getBoundingClientRect()).filter(edge => edge.left > 0 " \
                "|| edge.top > 0 || edge.right < innerWidth || edge.bottom < innerHeight).length"
        for size in ((1280, 720), (1080, 1920), (390, 844)):
            page.fits(*size)
            assert browser.value(edges) == 0, "a gap at %dx%d" % size
        page.daemon.set_range(-12, 12)
        page.daemon.say(12, -12)
        page.expect(layers, places(1, -1))
        assert browser.value(edges) == 0, "a gap in a larger range"
        assert re.match(r"\d?\d.\d\d", browser.value("document.getElementById('clock').textContent"))
        page.daemon.say(-4, 1.5)
        browser.size(960, 540)
        page.expect(layers, places(-4 / 12, 1.5 / 12))
        if pictures:
            browser.picture(os.path.join(pictures, "example-kiosk.webp"))
        page.daemon.stop()
        page.quiet()
        page.expect(layers, places(-4 / 12, 1.5 / 12))
        browser.reduce_motion(True)
        page.expect(layers, [0] * 12)


# MARK: eww

@case
def eww(folder, pictures):
    """Without eww: its file is well-formed, and its command prints what its expressions read."""
    with open(os.path.join(ROOT, "examples/eww/eww.yuck")) as file:
        command, initial, fields = check_yuck(file.read())
    assert fields == {"nx", "ny", "gate"}, fields
    assert set(json.loads(initial)) == fields, initial
    daemon = Daemon(folder)
    environment = {**os.environ, "PATH": PROGRAMS + ":" + os.environ["PATH"], "PARALLAX_SOCKET": daemon.path}
    program = subprocess.Popen(["sh", "-c", "exec " + command], env=environment, stdout=subprocess.PIPE)
    try:
        wait("a subscription", lambda: daemon.requests)
        daemon.say(4.25, -2.5)
        value = None
        while value != {"nx": 0.85, "ny": -0.5, "gate": "open"}:
            line = program.stdout.readline()
            assert line, "the command has ended"
            value = json.loads(line)
            assert set(value) == fields, value
    finally:
        program.kill()
        program.wait()
        program.stdout.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", metavar="FOLDER", help="write the pictures of docs/examples.md")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    given = parser.parse_args()
    passed = failed = 0
    for function in CASES:
        name = function.__name__
        if given.cases and name not in given.cases:
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="plx") as folder:
            try:
                function(folder, given.pictures)
                passed += 1
                print("test-examples: %s: ok, %.0f s" % (name, time.monotonic() - start), flush=True)
            except Exception as error:  # pylint: disable=broad-except
                failed += 1
                line = traceback.extract_tb(error.__traceback__)[1].lineno
                print("test-examples: %s: FAIL: run.py:%d: %s" % (name, line, str(error) or type(error).__name__), flush=True)
    print("test-examples: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
