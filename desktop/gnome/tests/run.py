#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""desktop/gnome/tests/run.py [SUITE]

Tests the extension in a headless GNOME Shell of a Debian suite (default: trixie), with screenshots. Needs root: the
shell runs in a root made by scripts/debian-root. Pictures are saved in the folder PICTURES, if it is set. Prints one
line per check and the counts.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from shell import HERE, INSIDE, PACKAGES, ROOT, UUID, Failure, GnomeShell, wait

TRAVEL = 0.025
# The end of the daemon's range, px.
END = 20
BACKGROUND = (255, 255, 0)
passed = failed = 0


def check(holds, what, measured=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print("%-6s  %s%s" % ("ok" if holds else "FAILED", what, "  " + str(measured) if measured != "" else ""), flush=True)


def test_parts():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PARALLAX_TEST_FOLDER=folder, XDG_CONFIG_HOME=folder + "/config",
                           XDG_DATA_HOME=folder + "/data", XDG_DATA_DIRS=folder + "/shared")
        result = subprocess.run(["gjs", "-m", HERE + "/unit.js"], env=environment, text=True, stdout=subprocess.PIPE)
    print(result.stdout, end="")
    check(result.returncode == 0, "parts without a shell")


def svg(*rectangles):
    shapes = "".join('<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>' % rectangle for rectangle in rectangles)
    return '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900">%s</svg>' % shapes


def write_picture(path, fill="#c80000"):
    """The nearest layer covers everything and has a green bar in each direction; half as far, in the other direction,
    moves one with a blue bar. Wherever nothing is, the background is yellow."""
    os.makedirs(path, exist_ok=True)
    for name, text in {
        "wallpaper.toml": '[wallpaper]\nbackground = "#ffff00"\n\n[near]\nimage = "near.svg"\ndepth = 1.6\n\n'
                          '[other]\nimage = "other.svg"\ndepth = -0.8\n',
        "near.svg": svg((0, 0, 1600, 900, fill), (400, 0, 40, 900, "#00c800"), (0, 700, 1600, 40, "#00c800")),
        "other.svg": svg((1200, 0, 40, 900, "#0000c8")),
    }.items():
        with open(os.path.join(path, name), "w") as file:
            file.write(text)


def center(weights):
    total = sum(weights)
    return sum((place + 0.5) * weight for place, weight in enumerate(weights)) / total if total > 1000 else None


class View:
    """The places of the bars on a monitor, and its edges, in pixels of a screenshot."""

    def __init__(self, shot, left=0, width=None, height=None):
        width, height = width or shot.width, height or shot.height
        row, column = height * 6 // 10, left + width * 6 // 10
        pixels = [shot.at(left + x, row) for x in range(width)]
        self.near_x = center([max(0, green - red) for red, green, _ in pixels])
        self.other_x = center([blue for _, _, blue in pixels])
        self.near_y = center([max(0, green - red) if y > height // 2 else 0
                              for y, (red, green, _) in enumerate(shot.at(column, y) for y in range(height))])
        edges = [shot.at(left + x, y) for x in (0, width - 1) for y in range(height // 10, height)]
        edges += [shot.at(left + x, height - 1) for x in range(width)]
        self.shows_edge = any(red > 100 and green > 100 for red, green, _ in edges)


def is_near(found, expected):
    return found is not None and abs(found - expected) <= 0.5


def still(shell):
    """A screenshot after the motion has ended, which takes longer on a busy machine."""
    shots = [shell.picture(), shell.picture()]

    def is_still():
        shots[:] = [shots[1], shell.picture()]
        return shots[0].pixels == shots[1].pixels

    shell.wait("the end of the motion", is_still)
    return shots[1]


def check_ends(shell, name, scale, monitor_width, **part):
    shell.daemon.say(0, 0)
    rest = View(still(shell), **part)
    reach = TRAVEL * monitor_width * scale
    for nx, ny in (1, 1), (-1, -1), (0.5, -0.25):
        shell.daemon.say(nx * END, ny * END)
        shot = still(shell)
        save(shot, "%s-%g" % (name, nx))
        view = View(shot, **part)
        found = [view.near_x - rest.near_x, view.other_x - rest.other_x, view.near_y - rest.near_y]
        expected = [nx * reach, -nx * reach / 2, ny * reach]
        check(all(map(is_near, found, expected)), "%s: layers at (%g, %g)" % (name, nx, ny),
              "%s, expected %s" % (["%.2f" % value for value in found], expected))
        check(not view.shows_edge, "%s: no edge at (%g, %g)" % (name, nx, ny))
    shell.daemon.say(0, 0)


def save(shot, name):
    if os.environ.get("PICTURES"):
        shot.save(os.path.join(os.environ["PICTURES"], "gnome-%s-%s.png" % (SUITE, name)))


def await_picture(shell, monitors=1):
    shell.wait("the picture", lambda: shell.evaluate(
        "[...extension._layers].filter(layers => layers.mapped).length") == monitors, 90)


def frames_while(shell, seconds=2, moving=False):
    """How many frames the shell draws in that time."""
    shell.evaluate("(global.frames = 0, global.counter ??= global.stage.connect('after-paint', () => global.frames++), 0)")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if moving:
            shell.daemon.say(10 * (end - time.monotonic()), 0)
        else:
            time.sleep(0.1)
    return shell.evaluate("global.frames")


def red_of(shell):
    return shell.picture().at(1150, 300)


def choose(shell, path):
    link = os.path.join(shell.config, "wallpaper")
    os.symlink(path, link + ".new")
    os.replace(link + ".new", link)


def test_one_monitor(shell):
    await_picture(shell)
    check_ends(shell, "1280x720", 1, 1280)

    shell.wait("rest", lambda: frames_while(shell, 1) == 0)
    # The clock in the panel draws one at each minute.
    check(min(frames_while(shell), frames_while(shell)) == 0, "no frames at rest")
    check(frames_while(shell, moving=True) > 5, "frames while it moves")

    shell.evaluate("Main.overview.show()")
    shell.wait("the overview", lambda: shell.evaluate("Main.overview._shown && !Main.overview.animationInProgress"))
    save(still(shell), "overview")
    check(shell.evaluate("[...extension._layers].some(layers => layers.mapped && layers.width < 1280)"),
          "the overview shows the picture")
    shell.evaluate("Main.overview.hide()")
    shell.wait("the desktop", lambda: not shell.evaluate("Main.overview.visible"))


def test_files(shell):
    write_picture(os.path.join(shell.config, "second"), "#960000")
    shell.give_to_user()
    choose(shell, INSIDE + "/.config/parallax/second")
    shell.wait("the chosen picture", lambda: red_of(shell)[0] in range(140, 160))
    check(True, "another picture is chosen")
    write_picture(os.path.join(shell.config, "second"), "#640000")
    shell.wait("the changed picture", lambda: red_of(shell)[0] in range(90, 110))
    check(True, "a changed picture")
    path = os.path.join(shell.config, "second/wallpaper.toml")
    with open(path, "a") as file:
        file.write("depth = x\n")
    message = "parallax: %s/.config/parallax/second/wallpaper.toml:11:" % INSIDE
    shell.wait("the message", lambda: message in shell.messages())
    check(red_of(shell)[0] in range(90, 110), "a broken picture is named, and the old one stays")
    write_picture(os.path.join(shell.config, "second"), "#640000")
    with open(os.path.join(shell.config, "second/other.svg"), "w") as file:
        file.write("no image")
    shell.wait("the message", lambda: "second/other.svg: " in shell.messages())
    check(red_of(shell)[0] in range(90, 110), "a broken image is named, and the old picture stays")
    write_picture(os.path.join(shell.config, "second"))
    shell.wait("the repaired picture", lambda: red_of(shell)[0] in range(190, 210))


def test_daemon(shell):
    shell.daemon.say(0, 0)
    rest = View(still(shell))
    shell.daemon.stop()
    shell.daemon.start()
    shell.wait("the next connection", lambda: shell.daemon.clients, 20)
    shell.daemon.say(END, 0)
    found = View(still(shell)).near_x - rest.near_x
    check(is_near(found, TRAVEL * 1280), "it moves after the daemon has come back", "%.2f" % found)

    settings = "new imports.gi.Gio.Settings({ schema_id: 'org.gnome.desktop.interface' })"
    shell.evaluate("%s.set_boolean('enable-animations', false)" % settings)
    shell.wait("the request", lambda: shell.daemon.requests[-1].get("enable") is False)
    shell.daemon.say(-END, 0)
    found = View(still(shell)).near_x - rest.near_x
    check(is_near(found, 0), "without animations it does not move", "%.2f" % found)
    shell.evaluate("%s.set_boolean('enable-animations', true)" % settings)
    shell.wait("the request", lambda: shell.daemon.requests[-1].get("enable") is True)

    shell.evaluate("extension._settings.set_value('travel', new imports.gi.GLib.Variant('md', 0.05))")
    shell.daemon.say(0, 0)
    shell.wait("the travel", lambda: shell.evaluate("extension._pictures.get(0).travel") == 0.05)
    rest = View(still(shell))
    shell.daemon.say(END, 0)
    view = View(still(shell))
    check(is_near(view.near_x - rest.near_x, 64) and not view.shows_edge, "a travel of 0.05", "%.2f" % (view.near_x - rest.near_x))
    shell.evaluate("extension._settings.reset('travel')")
    shell.daemon.say(0, 0)


def test_monitors(shell):
    """A second monitor of scale 2."""
    state = shell.call("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig", "org.gnome.Mutter.DisplayConfig",
                       "GetCurrentState", "()", ())
    modes = {monitor[0][0]: monitor[1][0][0] for monitor in state[1]}
    first, second = sorted(modes)
    shell.call("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig", "org.gnome.Mutter.DisplayConfig",
               "ApplyMonitorsConfig", "(uua(iiduba(ssa{sv}))a{sv})",
               (state[0], 1, [(0, 0, 1.0, 0, True, [(first, modes[first], {})]),
                              (1280, 0, 2.0, 0, False, [(second, modes[second], {})])], {}))
    shell.wait("the scale", lambda: shell.evaluate("Main.layoutManager.monitors[1].width") == 800)
    await_picture(shell, 2)
    shell.wait("the pixels", lambda: shell.evaluate(
        "[0, 1].every(k => extension._pictures.get(k)?.placedOn(Main.layoutManager.monitors[k])[0].content.preferred_width"
        " >= [1280, 1600][k])"))
    # The screenshot has the larger scale.
    check_ends(shell, "scale-1", 2, 1280, width=2560, height=1440)
    check_ends(shell, "scale-2", 2, 800, left=2560, width=1600, height=1200)


def test_life(shell):
    def resources():
        return shell.evaluate("(() => { imports.system.gc(); const dir = imports.gi.GLib.Dir.open('/proc/self/fd', 0); let n = 0;"
                              " while (dir.read_name() !== null) n++; return n; })()")

    def count():
        return shell.evaluate("(() => { const count = actor => (actor.name === 'parallax') + actor.get_children()"
                              ".reduce((sum, child) => sum + count(child), 0); return count(global.stage); })()")

    def switch(is_on):
        shell.evaluate("(Main.extensionManager.%sExtension('%s'), 0)" % ("enable" if is_on else "disable", UUID))
        shell.wait("the change", lambda: shell.evaluate("Main.extensionManager.lookup('%s').state" % UUID) == (1 if is_on else 2))

    actors, before = count(), resources()
    for _ in range(50):
        switch(False)
        switch(True)
    await_picture(shell, 2)
    shell.wait("as many files as before", lambda: abs(resources() - before) <= 2)
    check(True, "enabled 50 times: as many open files", resources())
    check(count() == actors, "enabled 50 times: as many actors", count())
    switch(False)
    check(count() == 0, "disabled: no actor")
    check(shell.picture().at(100, 500)[0] < 100, "disabled: the shell's own background")
    switch(True)
    await_picture(shell, 2)


def main():
    test_parts()
    root = subprocess.run([ROOT + "/scripts/debian-root", SUITE, "gnome"] + PACKAGES, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    for monitors, tests in ((["1280x720"], [test_one_monitor, test_files, test_daemon]),
                            (["1280x720", "1600x1200"], [test_monitors, test_life])):
        def write(path):
            write_picture(path + "-first")
            os.symlink("wallpaper-first", path)

        shell = GnomeShell(root, monitors, {"wallpaper": write})
        try:
            for test in tests:
                try:
                    test(shell)
                except Failure as failure:
                    check(False, "%s: %s" % (test.__name__, failure))
            errors = [line for line in shell.messages().splitlines() if UUID in line]
            check(not errors, "no errors of the extension", "\n".join(errors[:8]))
        finally:
            shell.close()
    print("test-gnome: %d passed, %d failed" % (passed, failed))
    return failed > 0


SUITE = sys.argv[1] if len(sys.argv) > 1 else "trixie"
sys.exit(main())
