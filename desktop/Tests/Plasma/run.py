#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""desktop/Tests/Plasma/run.py [SUITE]

Tests the wallpaper for Plasma 6 in the plasmashell of a Debian suite (default: trixie), with screenshots. Needs root:
the shell runs in a root made by scripts/debian-root. Pictures are saved in the folder PICTURES, if it is set. Prints
one line per check and the counts.
"""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from session import PLUGIN, Failure, Plasma, make_root, wait

TRAVEL = 0.05
BACKGROUND, FAR, NEAR = (255, 255, 0), (255, 0, 0), (0, 0, 255)
SETTINGS = """
import QtQuick
import QtQuick.Window
import org.kde.kirigami as Kirigami
import org.kde.kcmutils as KCM

Window {
    visible: true
    width: 720
    height: 360
    color: Kirigami.Theme.backgroundColor

    Loader {
        anchors { fill: parent; margins: 16 }
        Component.onCompleted: setSource("file:%s", {
            cfg_Picture: "%s", cfg_Travel: -1, configDialog: null, wallpaperConfiguration: {}
        })
        onLoaded: console.info("the page is loaded")
    }
}
"""
passed = failed = 0


def check(holds, what, measured=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print("%-6s  %s%s" % ("ok" if holds else "FAILED", what, "  " + str(measured) if measured != "" else ""), flush=True)


def write_picture(path, fill="#205020"):
    """The far layer covers everything and has a red square; twice as far moves one with a blue square."""
    os.makedirs(path, exist_ok=True)
    write_document(path)
    for name, shapes in (("far", '<rect width="1280" height="720" fill="%s"/><rect x="300" y="150" width="40" height="40" '
                          'fill="#ff0000"/>' % fill),
                         ("near", '<rect x="700" y="500" width="40" height="40" fill="#0000ff"/>')):
        with open(os.path.join(path, name + ".svg"), "w") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720">%s</svg>' % shapes)


def write_document(path, depth="1"):
    with open(os.path.join(path, "wallpaper.toml"), "w") as file:
        file.write('[wallpaper]\nbackground = "#ffff00"\ntravel = %g\n\n[far]\nimage = "far.svg"\ndepth = %s\n\n'
                   '[near]\nimage = "near.svg"\ndepth = 2\n' % (TRAVEL, depth))


def center(picture, color):
    """The center of the square of that color in px, with the pixels that it covers in part; None if it is not there."""
    width, height, pixels = picture
    channel = color.index(255)
    total = x_sum = y_sum = 0
    for y in range(height):
        row = pixels[y * width * 3:(y + 1) * width * 3]
        others = [row[k::3] for k in range(3) if k != channel]
        for x, value in enumerate(row[channel::3]):
            if value < 64 or max(others[0][x], others[1][x]) > value / 2 + 40:
                continue
            weight = value / 255
            total, x_sum, y_sum = total + weight, x_sum + weight * x, y_sum + weight * y
    return (x_sum / total, y_sum / total) if total > 100 else None


def corners(picture):
    width, height, pixels = picture
    return {tuple(pixels[3 * (y * width + x):][:3]) for x in (0, width - 1) for y in (0, height - 1)}


def above_and_below(picture):
    """The rows that the message does not cover."""
    width, height, pixels = picture
    row = 3 * width
    return pixels[:height * 2 // 5 * row], pixels[height * 3 // 5 * row:]


def still(session):
    """A picture that is the same as the one before."""
    last = [None]

    def same():
        before, last[0] = last[0], session.picture()
        return before == last[0]

    wait("a picture at rest", same)
    return last[0]


def await_fill(session, color, what):
    wait(what, lambda: corners(session.picture()) == {color}, 60)


def shift(session, rest, x, y):
    session.daemon.say(x, y)
    picture = still(session)
    return picture, [(now[0] - then[0], now[1] - then[1]) for color in (FAR, NEAR)
                     for now, then in [(center(picture, color), center(rest, color))]]


def is_near(found, expected):
    return all(abs(one - other) <= 0.5 for pair in zip(found, expected) for one, other in zip(*pair))


def shown(values):
    return " ".join("(%.2f, %.2f)" % value for value in values)


def test_install(session):
    session.output_of("kpackagetool6", "--type", "Plasma/Wallpaper", "--install", "/srv/plugin")
    check(os.path.exists(os.path.join(session.folder, ".local/share/plasma/wallpapers", PLUGIN, "metadata.json")),
          "kpackagetool6 installs it for the user")
    session.start_shell()
    session.configure(Picture=session.home + "/picture")
    await_fill(session, (0x20, 0x50, 0x20), "the picture")
    check(True, "the picture is shown")


def test_ends(session):
    session.daemon.say(0, 0)
    rest = still(session)
    whole = TRAVEL * session.SIZE[0]
    for x, y in ((20, -20), (-20, 20)):
        expected = [(x / 20 * whole / 2, y / 20 * whole / 2), (x / 20 * whole, y / 20 * whole)]
        picture, found = shift(session, rest, x, y)
        check(is_near(found, expected), "displacement at (%+d, %+d) px" % (x, y), "%s, expected %s" % (shown(found), shown(expected)))
        check(corners(picture) == {(0x20, 0x50, 0x20)}, "no edge at (%+d, %+d) px" % (x, y), corners(picture))
        session.save("end%+d" % x)
    session.daemon.say(0, 0)


def test_rest(session):
    still(session)
    before = session.frames()
    for k in range(10):
        session.daemon.say(k, 0)
    check(session.frames() > before, "frames are drawn while it moves", session.frames() - before)
    session.daemon.say(0, 0)
    # A clock may draw once.
    window = [time.monotonic(), session.frames()]

    def nothing_drawn():
        if session.frames() != window[1]:
            window[:] = [time.monotonic(), session.frames()]
        return time.monotonic() - window[0] > 3

    wait("3 s without a frame", nothing_drawn, 20)
    check(True, "at rest nothing is drawn for 3 s")


def test_daemon(session):
    rest = still(session)
    session.daemon.stop()
    check(center(still(session), NEAR) is not None, "without the daemon the picture stays")
    session.daemon.start()
    wait("the connection", lambda: session.daemon.clients)
    _, found = shift(session, rest, 20, 0)
    check(is_near(found, [(32, 0), (64, 0)]), "it moves after the daemon has returned", shown(found))
    session.daemon.say(0, 0)


def test_broken(session):
    path = session.home + "/picture"
    rest = still(session)
    write_document(session.folder + "/picture", '"far"')
    expected = path + "/wallpaper.toml:7:1: depth: expected a number"
    wait("the message", lambda: expected in session.messages())
    check(True, "a broken file is reported with the file and the line", expected)
    wait("the message on the picture", lambda: session.picture() != rest)
    picture = still(session)
    session.save("broken")
    check(above_and_below(picture) == above_and_below(rest), "the picture stays as it was")
    write_document(session.folder + "/picture")
    wait("the repaired picture", lambda: session.picture() == rest)
    check(True, "a repaired file takes the message away")


def test_settings(session):
    session.configure(Picture=session.home + "/other")
    await_fill(session, (0x10, 0x80, 0x30), "the other picture")
    check(True, "a picture replaced in the configuration is shown")
    rest = still(session)
    session.configure(Travel="0.1")
    _, found = shift(session, rest, 20, 0)
    # The margin, and with it the zoom, is larger too.
    zoom = (720 + 2 * 128) / (720 + 2 * 64)
    middle = [center(rest, color)[0] + 0.5 - 640 for color in (FAR, NEAR)]
    expected = [middle[0] * (zoom - 1) + 64, middle[1] * (zoom - 1) + 128]
    check(all(abs(one[0] - other) <= 0.5 for one, other in zip(found, expected)), "the travel of the configuration wins",
          "x %.2f and %.2f, expected %.2f and %.2f" % (found[0][0], found[1][0], *expected))
    session.configure(Travel="-1", Picture="valley")
    session.daemon.say(0, 0)
    wait("the valley", lambda: not corners(session.picture()) & {(0x10, 0x80, 0x30), BACKGROUND})
    still(session)
    session.save("valley")
    check(not errors_of(session), "no errors of QML", errors_of(session))


def errors_of(session):
    """Lines about the plugin that are no message of a test."""
    return "\n".join(line for line in session.messages().splitlines()
                     if (PLUGIN in line or "/srv/plugin" in line) and "wallpaper.toml" not in line)


def test_page(session):
    page = "/.local/share/plasma/wallpapers/%s/contents/ui/config.qml" % PLUGIN
    with open(session.folder + "/Settings.qml", "w") as file:
        file.write(SETTINGS % (session.home + page, "harbor"))
    os.chmod(session.folder + "/Settings.qml", 0o644)
    path = session.folder + "/page.log"
    # Over the wallpaper: there is no window manager.
    with open(path, "wb") as log:
        window = session.start(["/usr/lib/qt6/bin/qml", session.home + "/Settings.qml"], log)
    try:
        before = session.picture()
        wait("the settings page", lambda: "the page is loaded" in open(path).read())
        wait("the window", lambda: session.picture() != before)
        still(session)
        session.save("settings")
    finally:
        window.terminate()
        window.wait(10)
    problems = [line for line in open(path).read().splitlines() if "config.qml" in line or "Settings.qml:" in line]
    problems = [line for line in problems if "the page is loaded" not in line]
    check(not problems, "the settings page loads without an error", "\n".join(problems))


def main():
    session = Plasma(make_root(sys.argv[1] if len(sys.argv) > 1 else "trixie"))
    try:
        write_picture(session.folder + "/picture")
        write_picture(session.folder + "/other", "#108030")
        for test in (test_install, test_ends, test_rest, test_daemon, test_broken, test_settings, test_page):
            try:
                test(session)
            except Failure as failure:
                check(False, "%s: %s" % (test.__name__, failure))
        if failed:
            print("\n".join(line for line in session.messages().splitlines() if "renderloop" not in line)[-3000:])
    finally:
        session.close()
    print("test-plasma: %d passed, %d failed" % (passed, failed))
    return failed > 0


sys.exit(main())
