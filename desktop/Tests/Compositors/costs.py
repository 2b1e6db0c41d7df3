# SPDX-License-Identifier: Apache-2.0
"""What parallax-wallpaper takes: time, memory, wakeups."""
import os
import subprocess
import sys
import time

import scene
from compositor import Sway, wait
from scene import resident, turns

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def draw_pictures(compositor):
    subprocess.run([sys.executable, os.path.join(ROOT, "desktop/pictures/draw.py"), compositor.folder + "/pictures"],
                   check=True)
    return compositor.folder + "/pictures/valley"


def change_costs():
    """How long the first picture takes, and the one for a larger mode."""
    compositor = Sway()
    try:
        valley = draw_pictures(compositor)
        buffers = compositor.memory()
        started = time.monotonic()
        wallpaper = compositor.start([scene.PROGRAM, "--output", "HEADLESS-1", valley], compositor.log)

        def report(what):
            wait(what, lambda: compositor.memory() != buffers)
            seconds = time.monotonic() - started
            time.sleep(1)
            print("%-26s %6.2f s, %6.2f s of CPU, %6.1f MB, at most %6.1f MB, buffers %6.1f MB" % (
                what, seconds, turns(wallpaper.pid)[1] / 1000, resident(wallpaper.pid),
                resident(wallpaper.pid, "VmHWM"), compositor.memory() / 2**20))

        report("first picture, 1280x720")
        buffers = compositor.memory()
        started = time.monotonic()
        compositor.message("output", "HEADLESS-1", "resolution", "3840x2160")
        report("picture for 3840x2160")
        wallpaper.terminate()
    finally:
        compositor.close()


def motion_costs():
    """CPU time, context switches and memory, moving and at rest."""
    compositor = Sway()
    try:
        valley = draw_pictures(compositor)
        daemon = compositor.start([os.path.join(ROOT, ".build/release/parallaxd"), "--set", "source.kind=synthetic"],
                                  compositor.log)
        time.sleep(1)
        wallpaper = compositor.start([scene.PROGRAM, valley], compositor.log)
        time.sleep(10)
        seconds = 20
        for what in "moving", "at rest":
            before = [turns(process.pid) for process in (wallpaper, daemon)]
            time.sleep(seconds)
            for name, process, first in zip(("parallax-wallpaper", "parallaxd"), (wallpaper, daemon), before):
                last = turns(process.pid)
                print("%-8s %-18s %6.1f ms of CPU/s %6.1f switches/s %6.1f MB" % (
                    what, name, (last[1] - first[1]) / seconds, (last[0] - first[0]) / seconds, resident(process.pid)))
            compositor.output_of(os.path.join(ROOT, ".build/release/parallax"), "set", "paused", "on")
            time.sleep(3)
        print("buffers of %d outputs: %.1f MB" % (len(compositor.OUTPUTS), compositor.memory() / 2**20))
        wallpaper.terminate()
        daemon.terminate()
    finally:
        compositor.close()
