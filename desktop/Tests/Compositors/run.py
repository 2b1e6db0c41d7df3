#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""desktop/Tests/Compositors/run.py [WALLPAPER]: runs parallax-wallpaper on a headless sway with outputs of three scales, on
one whose outputs are unplugged, and on KWin if it is installed, and looks at what they show. WALLPAPER is the program (default:
desktop/.build/debug/parallax-wallpaper).

desktop/Tests/Compositors/run.py --costs: prints what the release build takes, beside parallaxd (.build/release)."""
import os
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.dont_write_bytecode = True
import scene  # noqa: E402
from compositor import Failure, KWin, Skip, Sway, WindowedSway, wait, write_png, write_png_rows  # noqa: E402
from costs import change_costs, motion_costs  # noqa: E402
from scene import LAYERS, RANGE, SIZE, SQUARE, TRAVEL, Run, center, corners, displacements, distance, make_wallpaper, resident  # noqa: E402
from user_manager import UserManager  # noqa: E402

only = os.environ.get("ONLY")  # The beginning of the names of the tests to run, as in unit_test.
wants_costs = sys.argv[1:] == ["--costs"]
PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 and not wants_costs else os.path.join(
    ROOT, "desktop/.build/%s/parallax-wallpaper" % ("release" if wants_costs else "debug"))
scene.PROGRAM = PROGRAM


def test_displacement_is_the_travel(run):
    """Exactly, at offsets that are whole steps (LayerPlacement) for every layer and scale. Elsewhere at the nearest pixel,
    since sway's software renderer does not filter."""
    run.await_picture()
    rest = run.centers()
    largest = 0
    for (x, y), most in (((10.0, 0.0), 0.05), ((-20.0, 10.0), 0.05), ((20.0, -20.0), 0.05), ((8.0, 0.0), 0.65),
                         ((-7.25, 12.5), 0.65), ((0.0, 0.0), 0.05)):
        for output, name, axis, off, _ in displacements(run, rest, x, y):
            largest = max(largest, abs(off))
            if abs(off) > most:
                raise Failure("%s %s at (%g, %g): %s is %.2f px off" % (output, name, x, y, axis, off))
    print("test-desktop: off from the displacement: %.3f px" % largest)


def test_no_edge_shows(run):
    """At the ends of the range, every edge of the outputs still shows the picture."""
    for end in (20.0, -20.0):
        run.say(end, end)
        for output in run.compositor.OUTPUTS:
            for place, pixel in corners(run.compositor.picture(output)):
                if max(abs(value - 40) for value in pixel) > 2:
                    raise Failure("%s shows %s in the corner %s" % (output, pixel, place))


def test_at_rest_nothing_runs(run):
    run.say(3.0, 3.0)
    before = run.turns()
    time.sleep(3)
    after = run.turns()
    print("test-desktop: at rest %d switches and %.0f ms of CPU in 3 s, %.1f MB resident" % (
        after[0] - before[0], after[1] - before[1], run.resident()))
    if after[0] != before[0]:
        raise Failure("the program ran %d times at rest" % (after[0] - before[0]))


def test_moving_costs_little(run):
    before, end, n = run.turns(), time.monotonic() + 5, 0
    while time.monotonic() < end:
        n += 1
        run.daemon.offset = (n % 40 - 20.0, 0.0)
        run.daemon.send_frame()
        time.sleep(1 / 30)
    after = run.turns()
    print("test-desktop: moving on 3 outputs %.0f switches/s, %.1f ms of CPU/s" % (
        (after[0] - before[0]) / 5, (after[1] - before[1]) / 5))


def test_the_range_changes_nothing(run):
    """A picture moves by its travel, in whatever range the daemon has; beyond an end, it stays."""
    run.say(0.0, 0.0)
    rest = run.centers()
    try:
        for low, high in ((-60, 60), (-10, 40)):
            run.daemon.set_range(low, high)
            run.say(0.0, 0.0)
            if run.centers() != rest:
                raise Failure("at rest, the picture is not where it was in the former range")
            for x, y, fraction in ((high / 2, low / 2, 0.5), (low, high, -1.0), (low - 30.0, 3.0 * high, -1.0)):
                run.say(x, y)
                at = run.center("HEADLESS-1", "near")
                sideways = distance("near", fraction * RANGE, 1280, 1)
                off = max(abs(at[0] - rest["HEADLESS-1", "near"][0] - sideways),
                          abs(at[1] - rest["HEADLESS-1", "near"][1] + sideways))
                if off > 0.05:
                    raise Failure("range %s at (%g, %g): %.2f px off" % ((low, high), x, y, off))
    finally:
        run.daemon.set_range(-20, 20)


def test_a_turned_screen_tells_its_orientation(run):
    """sway's transforms are clockwise, wl_output's are not. The first request of a new connection repeats it."""
    run.start("--panel", "HEADLESS-1", run.folder)
    run.await_picture()
    for transform, orientation in (("270", "left-up"), ("90", "right-up"), ("180", "bottom-up"), ("normal", "normal")):
        run.daemon.requests.clear()
        run.compositor.message("output", "HEADLESS-1", "transform", transform)
        wait("WATCH has %s" % orientation, lambda: any(
            request.get("orientation") == orientation for request in run.daemon.requests))
        run.say(0.0, 0.0)
        width, height, _ = run.compositor.picture("HEADLESS-1")
        if (width < height) != (transform in ("90", "270")):
            raise Failure("transform %s: the output has %d x %d pixels" % (transform, width, height))
        rest = run.center("HEADLESS-1")
        run.say(20.0, 10.0)
        moved = run.center("HEADLESS-1")
        off = max(abs(moved[0] - rest[0] - distance("middle", 20, width, 1)),
                  abs(moved[1] - rest[1] - distance("middle", 10, width, 1)))
        if off > 0.05:
            raise Failure("transform %s: it moved from %s to %s" % (transform, rest, moved))
    run.daemon.requests.clear()
    run.start(run.folder)
    run.await_picture()
    if any("orientation" in request for request in run.daemon.requests):
        raise Failure("without a screen of its own it sends %s" % run.daemon.requests)


def test_an_output_changes_its_scale(run):
    for scale, near in ((1.25, 48), (2, 32), (1.5, 32), (1, 64)):
        run.compositor.message("output", "HEADLESS-1", "scale", str(scale))
        width = int(1280 / scale)
        # The displacement of the nearest layer, in logical px, which is whole steps for all.
        x = near / (TRAVEL * width) * RANGE
        time.sleep(0.2)
        run.say(0.0, 0.0)
        rest = {name: run.center("HEADLESS-1", name) for name in ("far", "middle", "near")}
        run.say(x, -x)
        for name in rest:
            moved, by = run.center("HEADLESS-1", name), distance(name, x, width, scale)
            off = max(abs(moved[0] - rest[name][0] - by), abs(moved[1] - rest[name][1] + by))
            if off > 0.05:
                raise Failure("scale %g: %s is %.2f px off" % (scale, name, off))


def test_until_it_is_drawn_the_old_picture_is_stretched(run):
    """An image that has gone is never drawn again."""
    run.start("--output", "HEADLESS-1", run.folder)
    wait("the picture is shown", run.is_shown)
    run.say(0.0, 0.0)
    names = ("far", "middle", "near")
    image = os.path.join(run.folder, "back.png")
    os.rename(image, image + ".away")
    try:
        wait("the missing image is named", run.said)
        for mode, scale in (("1920x1080", 1), ("1920x1080", 1.5), ("640x360", 1), ("640x480", 1), ("1280x720", 1)):
            run.compositor.message("output", "HEADLESS-1", "resolution", mode, "scale", str(scale))
            width, height = map(int, mode.split("x"))
            wait("the output has its size", lambda: run.compositor.picture("HEADLESS-1")[:2] == (width, height))
            run.settle()
            # What it was drawn with, as in Fit, by what then covers the output.
            factor = (1 + 2 * TRAVEL) * 1280 / SIZE[0] * max(width / 1280, height / 720)
            picture = run.compositor.picture("HEADLESS-1")
            for name in names:
                _, left, top, _ = LAYERS[name]
                at = center(picture, LAYERS[name][0])
                off = max(abs(at[0] - width / 2 - (left + SQUARE / 2 - SIZE[0] / 2) * factor),
                          abs(at[1] - height / 2 - (top + SQUARE / 2 - SIZE[1] / 2) * factor))
                if off > 2 * scale:
                    raise Failure("%s at %g: %s is %.2f px off" % (mode, scale, name, off))
            for x, y in ((20.0, 20.0), (-20.0, -20.0), (0.0, 0.0)):
                run.say(x, y)
                for place, pixel in corners(run.compositor.picture("HEADLESS-1")):
                    if max(abs(value - 40) for value in pixel) > 2:
                        raise Failure("%s at %g: %s in the corner %s" % (mode, scale, pixel, place))
    finally:
        os.rename(image + ".away", image)
        run.compositor.message("output", "HEADLESS-1", "resolution", "1280x720", "scale", "1")
    run.start(run.folder)
    run.await_picture()


def test_what_is_obsolete_is_not_shown(run):
    """Several sizes, each before the picture for the last one is drawn."""
    run.start("--output", "HEADLESS-1", run.folder)
    wait("the picture is shown", run.is_shown)
    run.say(0.0, 0.0)
    at, buffers = run.center("HEADLESS-1"), run.compositor.memory()
    for mode in ("1920x1080", "640x480", "3840x2160", "1280x720", "1600x900", "1280x720"):
        run.compositor.message("output", "HEADLESS-1", "resolution", mode)
    wait("the picture is as it was", lambda: run.compositor.memory() == buffers and run.center("HEADLESS-1") == at)
    run.settle()
    if run.compositor.memory() != buffers or run.center("HEADLESS-1") != at:
        raise Failure("an obsolete picture was shown after it")
    run.start(run.folder)
    run.await_picture()


def test_a_hidden_picture_asks_for_no_offsets(run):
    """Under a fullscreen window, sway sends no frame callbacks."""
    run.start("--output", "HEADLESS-1", run.folder)
    wait("the picture is shown", run.is_shown)
    run.say(0.0, 0.0)
    rest = run.center("HEADLESS-1")
    run.compositor.message("focus", "output", "HEADLESS-1")
    window = run.compositor.start(["foot", "--fullscreen", "sleep", "1000"])
    try:
        wait("the window covers the picture", lambda: not run.is_shown())
        run.daemon.requests.clear()
        end = time.monotonic() + 20
        while not any(request.get("enable") is False for request in run.daemon.requests):
            if time.monotonic() > end:
                raise Failure("it does not disable the offsets")
            run.daemon.say(-5.0, 5.0)
        before, end = run.turns(), time.monotonic() + 3
        while time.monotonic() < end:
            run.daemon.say(20.0, 10.0)
        after = run.turns()
        print("test-desktop: hidden, %d switches and %.0f ms of CPU in 3 s" % (after[0] - before[0], after[1] - before[1]))
        if after[0] != before[0]:
            raise Failure("the program ran %d times while no one saw it" % (after[0] - before[0]))
    finally:
        window.terminate()
        window.wait(10)
    wait("it enables the offsets", lambda: run.daemon.requests[-1].get("enable"))
    run.say(20.0, 10.0)
    moved = run.center("HEADLESS-1")
    off = max(abs(moved[0] - rest[0] - distance("middle", 20, 1280, 1)), abs(moved[1] - rest[1] - distance("middle", 10, 1280, 1)))
    if off > 0.05:
        raise Failure("after the window it moved from %s to %s" % (rest, moved))
    run.start(run.folder)
    run.await_picture()


def test_the_daemon_may_come_and_go(run):
    run.say(0.0, 0.0)
    before = run.center("HEADLESS-1")
    run.daemon.stop()
    run.settle()
    if run.wallpaper.poll() is not None or not run.is_shown():
        raise Failure("the wallpaper has gone with the daemon")
    run.daemon.start()
    wait("the wallpaper connects again", lambda: run.daemon.clients, seconds=60)
    run.say(10.0, 0.0)
    moved = run.center("HEADLESS-1")[0] - before[0]
    if abs(moved - distance("middle", 10, 1280, 1)) > 0.05:
        raise Failure("after a restart it moved %.2f px" % moved)


def replace(path, content):
    """As editors do it."""
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.rename(path + ".new", path)


def test_a_changed_picture_is_shown(run):
    """Broken or missing files leave the last picture, and are named once."""
    run.start(run.folder)
    run.await_picture()
    run.say(0.0, 0.0)
    at = run.center("HEADLESS-1", "far")
    path, image = os.path.join(run.folder, "wallpaper.toml"), os.path.join(run.folder, "far.png")
    with open(path, "rb") as file:
        good = file.read()
    with open(image, "rb") as file:
        pixels = file.read()

    def stays(what, part):
        wait("%s is named" % what, lambda: any(part in line for line in run.said()))
        run.settle()
        if run.center("HEADLESS-1", "far") != at:
            raise Failure("%s: the picture has changed" % what)

    replace(path, good + b"[far\n")
    stays("a broken list", "wallpaper.toml:")
    replace(path, good + b"[far\n")
    replace(image, b"")
    stays("a broken list and image", "wallpaper.toml:")
    replace(path, good)
    stays("an empty image", "far.png: the file is empty")
    os.unlink(image)
    stays("a missing image", "far.png: No such file")
    replace(image, pixels[:len(pixels) // 2])
    stays("half an image", "far.png: the image is damaged: its end is missing")
    replace(image, pixels)
    time.sleep(0.5)
    run.settle()
    if len(run.said()) != 4:
        raise Failure("messages: %s" % run.said())
    # Another picture: without the layer, and with another image.
    replace(path, good.replace(b"far.png", b"near.png"))
    wait("the changed list is shown", lambda: not run.is_shown("HEADLESS-1", "far"))
    replace(path, good)
    wait("the list is shown as before", lambda: run.is_shown("HEADLESS-1", "far"))
    run.settle()
    if run.center("HEADLESS-1", "far") != at:
        raise Failure("the picture is not where it was")
    write_png(image, *SIZE, lambda x, y: (0, 0, 0, 0))
    wait("the changed image is shown", lambda: not run.is_shown("HEADLESS-1", "far"))
    make_wallpaper(run.folder)
    wait("the image is shown as before", lambda: run.is_shown("HEADLESS-1", "far"))


def test_the_choice_is_a_link(run):
    """Without an argument, ~/.config/parallax/wallpaper is shown, and a new link at once."""
    config = os.path.join(run.compositor.folder, ".config/parallax")
    data = os.path.join(run.compositor.folder, ".local/share/parallax/wallpapers")
    os.makedirs(config)
    os.makedirs(data)
    shutil.copytree(run.folder, os.path.join(data, "valley"))
    run.start()
    wait("the standard picture is shown", lambda: run.is_shown("HEADLESS-1", "far"))
    single = os.path.join(data, "one.png")
    shutil.copy(os.path.join(run.folder, "middle.png"), single)
    link = os.path.join(config, "wallpaper")
    os.symlink(single, link)
    wait("the chosen image is shown", lambda: run.is_shown() and not run.is_shown("HEADLESS-1", "far"))
    os.symlink(os.path.join(data, "valley"), link + ".new")
    os.rename(link + ".new", link)
    wait("the folder is shown", lambda: run.is_shown("HEADLESS-1", "far"))
    listed = run.compositor.output_of(PROGRAM, "--list").decode()
    if listed != "one.png\t%s\nvalley\t%s/valley\n" % (single, data):
        raise Failure("--list: %s" % listed)
    run.compositor.output_of(PROGRAM, "--check", "valley")
    run.start("--output", "HEADLESS-1", "one.png")
    wait("the picture of that name is shown", lambda: run.is_shown() and not run.is_shown("HEADLESS-1", "far"))
    shutil.rmtree(config)


def broken_cases(folder):
    """What is broken, the exit code, a part of the message, and what breaks it in a copy of the folder."""
    far, listed = os.path.join(folder, "far.png"), os.path.join(folder, "wallpaper.toml")

    def write(path, content):
        with open(path, "wb") as file:
            file.write(content)

    def mkdir():
        os.unlink(far)
        os.mkdir(far)

    yield "an image that is none", 65, "far.png: not an image, or a damaged one", lambda: write(far, b"no picture")
    yield "an empty image", 65, "far.png: the file is empty", lambda: write(far, b"")
    yield "a missing image", 66, "far.png: No such file", lambda: os.unlink(far)
    yield "a folder as an image", 65, "far.png: expected an image, got a folder", mkdir
    yield "a huge image", 65, "far.png: 30000 x 30000 pixels are too many", lambda: write_png_rows(
        far, 30000, 30000, b"\0")
    yield "an image of another size", 65, "far.png: 10 x 10 pixels, but ", lambda: write_png(
        far, 10, 10, lambda x, y: (255, 0, 0, 255))
    yield "an error in wallpaper.toml", 65, "wallpaper.toml:2:", lambda: write(listed, b"[far]\ndepth = \n")
    yield "an empty wallpaper.toml", 65, "wallpaper.toml: no layers", lambda: write(listed, b"")

    def empty():
        shutil.rmtree(folder)
        os.mkdir(folder)

    yield "neither a wallpaper.toml nor photos", 66, "wallpaper.toml: No such file", empty


def test_broken_pictures_are_named(run):
    other = os.path.join(run.compositor.folder, "broken")
    for what, code, part, breaks in broken_cases(other):
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(run.folder, other)
        breaks()
        result = subprocess.run(
            [PROGRAM, "--check", other], env=run.compositor.environment, stderr=subprocess.PIPE, text=True)
        if result.returncode != code or part not in result.stderr or len(result.stderr.splitlines()) != 1:
            raise Failure("%s: exit %d: %s" % (what, result.returncode, result.stderr))
        if "far.png" not in part:
            continue
        # Shown nevertheless, without that layer.
        run.start(other)
        wait("%s: the other layers are shown" % what, run.is_shown)
        if run.is_shown("HEADLESS-1", "far") or len(run.said()) != 1 or part not in run.said()[0]:
            raise Failure("%s: it says %s" % (what, run.said()))
    for arguments, code, part in (([other + "/nothing"], 66, "No such file"), (["nosuch"], 66, "--list prints the names"),
                                  ([], 66, "no picture: ")):
        missing = subprocess.run([PROGRAM] + arguments, env=dict(run.compositor.environment, HOME="/nonexistent",
                                                                 XDG_DATA_DIRS="/nonexistent"),
                                 stderr=subprocess.PIPE, text=True)
        if missing.returncode != code or part not in missing.stderr:
            raise Failure("%s: exit %d: %s" % (arguments, missing.returncode, missing.stderr))


def test_a_single_image_moves_as_a_whole(run):
    """By the travel of the command line, or 2.5 %."""
    image = os.path.join(run.folder, "middle.png")
    for arguments, travel in (((), 0.025), (("--travel", "0.1"), 0.1)):
        run.daemon.say(0.0, 0.0)
        run.start("--output", "HEADLESS-1", *arguments, image)
        wait("the image is shown", run.is_shown)
        run.settle()
        before = run.center("HEADLESS-1")
        run.say(-10.0, 5.0)
        after, by = run.center("HEADLESS-1"), travel * 1280
        if abs(after[0] - before[0] + by / 2) > 0.05 or abs(after[1] - before[1] - by / 4) > 0.05:
            raise Failure("it moved from %s to %s" % (before, after))
        if run.is_shown("HEADLESS-2"):
            raise Failure("it is on an output that was not asked for")


def test_outputs_have_pictures_of_their_own(run):
    """From the command line, or from links that may change."""
    def shows(*outputs):
        return lambda: all(run.is_shown("HEADLESS-%d" % number, name) for number, name in enumerate(outputs, 1)) and not any(
            run.is_shown("HEADLESS-%d" % number, other) for number, name in enumerate(outputs, 1)
            for other in ("far", "middle", "near") if other != name)

    far, middle, near = (os.path.join(run.folder, name + ".png") for name in ("far", "middle", "near"))
    run.start("--output", "HEADLESS-1=" + far, "--output", "HEADLESS-2", "--output", "HEADLESS-3=" + near, middle)
    wait("each output has the picture of the command line", shows("far", "middle", "near"))
    config = os.path.join(run.compositor.folder, ".config/parallax")
    os.makedirs(config)
    link = os.path.join(config, "wallpaper")
    try:
        os.symlink(middle, link)
        os.symlink(near, link + "-HEADLESS-2")
        run.start()
        wait("the link for one output counts there", shows("middle", "near", "middle"))
        os.symlink(far, link + "-HEADLESS-1")
        wait("a new link is followed", shows("far", "near", "middle"))
        os.unlink(link + "-HEADLESS-2")
        wait("without its link an output has the general picture", shows("far", "middle", "middle"))
        replace(link + "-HEADLESS-3", b"no picture")
        wait("a broken one is named", lambda: any("wallpaper-HEADLESS-3: not an image" in line for line in run.said()))
        run.settle()
        if not shows("far", "middle", "middle")():
            raise Failure("a broken picture of one output has changed something")
        run.start()
        wait("at the start, the general picture replaces a broken one", shows("far", "middle", "middle"))
    finally:
        shutil.rmtree(config)
    run.start(run.folder)
    run.await_picture()


def test_outputs_of_one_size_share_their_pixels(run):
    """Two outputs need no more buffers than one."""
    def is_covered(output):
        return all(run.is_shown(output, name) for name in ("far", "middle", "near")) and all(
            max(abs(value - 40) for value in pixel) <= 2 for _, pixel in corners(run.compositor.picture(output)))

    run.start("--output", "HEADLESS-1", run.folder)
    wait("the picture is shown", lambda: is_covered("HEADLESS-1"))
    run.settle()
    one = run.compositor.memory()
    run.compositor.message("output", "HEADLESS-2", "resolution", "1280x720", "scale", "1")
    run.start("--output", "HEADLESS-1", "--output", "HEADLESS-2", run.folder)
    try:
        wait("both show it", lambda: is_covered("HEADLESS-1") and is_covered("HEADLESS-2"))
        run.settle()
        # Each has a background of a page.
        if run.compositor.memory() - one != 4096:
            raise Failure("the buffers have %d bytes, and %d for one output" % (run.compositor.memory(), one))
    finally:
        run.compositor.message("output", "HEADLESS-2", "resolution", "1600x1200", "scale", "2")
    run.start(run.folder)
    run.await_picture()


def test_the_compositor_ends(run):
    run.compositor.process.send_signal(signal.SIGTERM)
    run.wallpaper.wait(10)
    errors = run.said()
    if run.wallpaper.returncode != 69 or "compositor" not in errors[-1]:
        raise Failure("exit %d: %s" % (run.wallpaper.returncode, errors))


def windows_test_outputs_come_and_go(run):
    """Memory grows with the outputs that are there, and with nothing else."""
    run.await_picture()
    run.say(0.0, 0.0)
    before, resident = run.compositor.memory(), run.resident()
    for number in range(2, 7):
        run.compositor.unplug("WL-%d" % number)
        # The remaining window, and so the output, becomes wider.
        wait("the other output is wider", lambda: run.compositor.picture("WL-1")[0] > 1000)
        run.settle()
        without = run.compositor.memory()
        for place, pixel in corners(run.compositor.picture("WL-1")):
            if max(abs(value - 40) for value in pixel) > 2:
                raise Failure("the wider output shows %s in the corner %s" % (pixel, place))
        run.compositor.message("create_output")
        wait("a new output is covered", lambda: run.is_shown("WL-%d" % (number + 1)))
        run.settle()
        if run.compositor.memory() != before:
            raise Failure("the buffers have %d bytes, and %d before" % (run.compositor.memory(), before))
    for number in (1, 7):
        run.compositor.unplug("WL-%d" % number)
    time.sleep(0.5)
    run.settle()
    print("test-desktop: buffers of 2 outputs %.1f MB, of a wide one %.1f MB, of none %.1f MB; the program %.1f MB, "
          "after 5 times %.1f MB" % (before / 2**20, without / 2**20, run.compositor.memory() / 2**20, resident,
                                     run.resident()))
    if run.compositor.memory():
        raise Failure("the buffers of unplugged outputs stay")
    run.compositor.message("create_output")
    wait("an output is covered after a time without one", lambda: run.is_shown("WL-8"))


def kwin_test_fractions_are_drawn(run):
    """At a scale of 1.5, every offset is drawn at the nearest physical pixel: KWin does not filter what it only
    moves."""
    run.await_picture()
    rest = run.centers()
    largest = 0
    for x, y in ((8.0, 0.0), (0.25, -0.25), (0.5, 1.0), (-7.25, 12.5), (10.1, -3.3), (19.9, 19.9), (0.0, 0.0)):
        for output, name, axis, off, _ in displacements(run, rest, x, y):
            largest = max(largest, abs(off))
            if abs(off) > 0.65:
                raise Failure("%s %s at (%g, %g): %s is %.2f px off" % (output, name, x, y, axis, off))
    print("test-desktop: on KWin at 1.5, off from the displacement: %.3f px" % largest)


SESSION = """[Unit]
BindsTo=graphical-session.target
Before=graphical-session.target
"""
UNIT = "parallax-wallpaper.service"


def unit_test_it_belongs_to_the_session(run):
    """The user's unit starts with the graphical session, is started again after a crash, not with a broken picture,
    and ends with the session."""
    run.await_picture()
    run.stop()
    manager = UserManager(run.compositor)
    try:
        with open(os.path.join(ROOT, "systemd/user", UNIT)) as file:
            text = file.read()
        manager.write(UNIT, text.replace("@BINDIR@/parallax-wallpaper", "%s %s" % (PROGRAM, run.folder)))
        manager.write("test-session.target", SESSION)
        manager.control("daemon-reload")
        manager.control("enable", UNIT)
        manager.control("start", "test-session.target")
        if manager.show(UNIT, "ConditionResult") != "no":
            raise Failure("it starts without a compositor: " + manager.control("status", UNIT))
        manager.control("stop", "test-session.target")
        wait("the session ends", lambda: manager.show("graphical-session.target", "ActiveState") == "inactive")
        if run.is_shown():
            raise Failure("the picture of the ended program stays")
        manager.control("set-environment", "WAYLAND_DISPLAY=" + run.compositor.environment["WAYLAND_DISPLAY"])
        manager.control("start", "test-session.target")
        wait("the unit shows the picture", run.is_shown)
        process = manager.show(UNIT, "MainPID")
        manager.control("kill", "--signal=KILL", UNIT)
        wait("the unit is started again", lambda: manager.show(UNIT, "MainPID") not in ("0", process))
        wait("it shows the picture again", run.is_shown)
        os.rename(run.folder, run.folder + ".away")
        manager.control("kill", "--signal=KILL", UNIT)
        wait("the unit gives up", lambda: manager.show(UNIT, "ActiveState") == "failed")
        if manager.show(UNIT, "ExecMainStatus") != "66":
            raise Failure("status: " + manager.control("status", UNIT))
        os.rename(run.folder + ".away", run.folder)
        manager.control("restart", UNIT)
        wait("a restart shows the picture", run.is_shown)
        manager.control("stop", "test-session.target")
        wait("it ends with the session", lambda: manager.show(UNIT, "ActiveState") == "inactive")
        if manager.show(UNIT, "Result") != "success":
            raise Failure("result: " + manager.control("status", UNIT))
    finally:
        manager.close()
        run.start(run.folder)


def run_tests(kind, prefix):
    run = Run(kind())
    passed = failed = skipped = 0
    try:
        for name, test in [(name, test) for name, test in globals().items() if name.startswith(prefix)]:
            started = time.monotonic()
            try:
                test(run)
                passed += 1
                print("test-desktop: %s: ok (%.0f s)" % (name, time.monotonic() - started), flush=True)
            except Skip as reason:
                skipped += 1
                print("test-desktop: %s: SKIPPED: %s" % (name, reason), flush=True)
            except (Failure, AssertionError, OSError, subprocess.SubprocessError) as error:
                failed += 1
                print("test-desktop: %s: FAILED: %s" % (name, error), flush=True)
    finally:
        run.close()
    return passed, failed, skipped


def main():
    if wants_costs:
        change_costs()
        return motion_costs()
    for program in ("sway", "grim", "swaymsg"):
        if not shutil.which(program):
            sys.exit("test-desktop: no %s; run 'scripts/setup desktop-test'" % program)
    passed = failed = skipped = 0
    has_systemd = os.geteuid() == 0 and os.path.exists("/lib/systemd/systemd")
    for kind, prefix, reason in (
            (Sway, "test_", None), (WindowedSway, "windows_test_", None),
            (Sway, "unit_test_", None if has_systemd else "the unit needs root and systemd"),
            (KWin, "kwin_test_", None if shutil.which("kwin_wayland") else "no KWin; run 'scripts/setup desktop-kwin'")):
        if only and not prefix.startswith(only):
            continue
        if reason:
            names = [name for name in globals() if name.startswith(prefix)]
            skipped += len(names)
            print("".join("test-desktop: %s: SKIPPED: %s\n" % (name, reason) for name in names), end="")
            continue
        counts = run_tests(kind, prefix)
        passed, failed, skipped = passed + counts[0], failed + counts[1], skipped + counts[2]
    print("test-desktop: %d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed or not passed or (skipped and os.environ.get("CI") == "true") else 0


if __name__ == "__main__":
    sys.exit(main())
