#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Bars/run.py [FOLDER]

Shows the presets of `parallax subscribe` in the real bars: waybar and swaybar in a headless sway, polybar in
Xvfb. Checks by screenshots that the text moves with the offset, stops while the daemon is paused and without
a daemon, differs between these, and moves again. The screenshots go to FOLDER, if it is given.
$PARALLAX_PROGRAMS is the folder of the programs (.build/debug). Root runs the bars as the user 65534, because
sway refuses root.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug")
OTHER_USER = 65534
DISPLAY = ":%d" % (500 + os.getpid() % 1000)
SECONDS = 30


def snippet(language, heading):
    """Returns the first block below a heading of docs/bars.md: what users copy is what is tested."""
    with open(os.path.join(ROOT, "docs/bars.md")) as page:
        text = page.read().split("### %s\n" % heading, 1)[1]
    return re.search("```%s\n(.*?)```" % language, text, re.S).group(1)


class Desk:
    """A folder, the programs that run in it and what they need."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = []
        os.mkdir(self.path("run"), 0o700)
        for name in ("parallax", "parallaxd"):
            shutil.copy(os.path.join(PROGRAMS, name), self.path(name))
            os.chmod(self.path(name), 0o755)
        self.environment = {
            "PATH": folder + ":" + os.environ["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": self.path("run"),
            "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + self.path("none"),
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + self.path("none"), "LANG": "C.UTF-8",
        }

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def give(self):
        if os.geteuid() == 0:
            for place, folders, files in os.walk(self.folder):
                for name in [place] + [os.path.join(place, name) for name in folders + files]:
                    os.chown(name, OTHER_USER, OTHER_USER)

    def user(self):
        return {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []} if os.geteuid() == 0 else {}

    def start(self, *command, **more):
        log = open(self.path(os.path.basename(command[0]) + ".log"), "ab")
        program = subprocess.Popen(
            command, env={**self.environment, **more}, stdout=log, stderr=log, cwd=self.folder,
            start_new_session=True, **self.user())
        self.programs.append(program)
        return program

    def run(self, *command, **more):
        return subprocess.run(
            command, env={**self.environment, **more}, check=True, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, **self.user()).stdout

    def end(self, program):
        try:
            os.killpg(program.pid, signal.SIGTERM)
            program.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
        self.programs.remove(program)

    def wait(self, what, condition):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.1)
        raise TimeoutError(what)


class Bar:
    """A bar by its screenshots."""

    def __init__(self, name, shoot):
        self.name = name
        self.shoot = shoot

    def moves(self):
        return self.shoot() != self.shoot()

    def rest(self):
        """Returns the picture of a bar that does not change for a second; None if it does."""
        first = self.shoot()
        for _ in range(4):
            time.sleep(0.25)
            if self.shoot() != first:
                return None
        return first


def bars(desk):
    """Starts the bars and returns them."""
    sway = desk.write("sway.conf", "output HEADLESS-1 resolution 800x80\noutput * background #203040 solid_color\n"
                      + snippet("conf", "i3bar and swaybar").replace("bar {", "bar {\n  position bottom"))
    waybar = desk.write("waybar.json", "{\n" + '"modules-right": ["custom/parallax"],\n'
                        + snippet("conf", "waybar") + "}\n")
    style = desk.write("style.css", '* { font-family: "DejaVu Sans Mono"; font-size: 16px; }\n'
                       "#custom-parallax.closed, #custom-parallax.offline { color: #999999; }\n")
    polybar = desk.write(
        "polybar.ini", "[bar/top]\nwidth = 100%\nheight = 28\nbackground = #203040\nforeground = #ffffff\n"
        "font-0 = DejaVu Sans Mono:size=12\nmodules-right = parallax\npadding-right = 2\n\n"
        + snippet("conf", "polybar"))
    desk.give()
    desk.start("Xvfb", DISPLAY, "-screen", "0", "800x40x24", "-nolisten", "tcp")
    desk.start("sway", "-c", sway)
    folder = desk.path("run")
    desk.wait("sway's socket", lambda: os.path.exists(os.path.join(folder, "wayland-1")))
    wayland = {"WAYLAND_DISPLAY": "wayland-1"}
    desk.wait("the X server", lambda: os.path.exists("/tmp/.X11-unix/X" + DISPLAY[1:]))
    desk.start("waybar", "-c", waybar, "-s", style, **wayland)
    desk.start("polybar", "-c", polybar, "top", DISPLAY=DISPLAY)

    def region(place):
        return lambda: desk.run("grim", "-t", "ppm", "-g", place, "-", **wayland)

    return [
        Bar("waybar", region("0,0 800x30")), Bar("swaybar", region("0,55 800x25")),
        Bar("polybar", lambda: desk.run("import", "-window", "root", "ppm:-", DISPLAY=DISPLAY)),
    ]


def daemon(desk):
    program = desk.start(desk.path("parallax"), "run", "--source", "synthetic")
    desk.wait("the daemon", lambda: os.path.exists(desk.path("run/parallax/control.sock")))
    return program


def main():
    pictures = sys.argv[1] if len(sys.argv) > 1 else None
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="parallax-bars-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        desk = Desk(folder)

        def check(bar, state, holds):
            nonlocal passed, failed
            try:
                found = desk.wait(state, holds)
                passed += 1
            except TimeoutError:
                found = None
                failed += 1
                print("test-bars: %s: not %s within %d s" % (bar.name, state, SECONDS))
            if pictures:
                with open(os.path.join(pictures, "%s-%s.ppm" % (bar.name, state)), "wb") as file:
                    file.write(bar.shoot())
            return found

        try:
            running = None
            every = bars(desk)
            offline = {bar: check(bar, "offline", bar.rest) for bar in every}
            running = daemon(desk)
            for bar in every:
                check(bar, "moving", bar.moves)
            desk.run(desk.path("parallax"), "set", "paused", "on")
            for bar in every:
                check(bar, "paused", lambda: (bar.rest() or offline[bar]) != offline[bar])
            desk.run(desk.path("parallax"), "set", "paused", "off")
            for bar in every:
                check(bar, "moving again", bar.moves)
            desk.end(running)
            for bar in every:
                check(bar, "offline again", lambda: bar.rest() == offline[bar])
            daemon(desk)
            for bar in every:
                check(bar, "moving with the next daemon", bar.moves)
        finally:
            for program in reversed(list(desk.programs)):
                desk.end(program)
    print("test-bars: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
