#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""lag.py FOLDER SECONDS WALLPAPER: what parallax-wallpaper shows on a headless sway, from the daemon whose stream socket is in
the folder. Tests/Feel/lag.py runs it and describes the output.

A picture is where a layer is in a copy of the output, to the pixel, and has the time at which sway committed it: the end
of a frame of its 60 Hz, for which the wallpaper drew after the end of the one before."""
import json
import os
import sys
import time

import numpy as np
from compositor import Sway
from scene import RANGE, TRAVEL, distance, make_wallpaper
from screencopy import Screen

OUTPUT = "HEADLESS-1"
NAME = "near"  # the layer that travels furthest
REGION = (640, 0, 300, 300)  # where its square is, at any offset
DAEMON_RANGE = 5  # px; the daemon's default


class OneOutput(Sway):
    OUTPUTS = {OUTPUT: Sway.OUTPUTS[OUTPUT]}


def center(pixels, size):
    """Where the blue square is; None while there is none."""
    width, height, stride = size
    rows = np.frombuffer(pixels, np.uint8).reshape(height, stride)[:, :4 * width].reshape(height, width, 4)
    weight = np.clip(rows[:, :, 0].astype(int) - rows[:, :, 2] - 20, 0, None)
    total = weight.sum()
    if not total:
        return None
    return weight.sum(0) @ np.arange(width) / total, weight.sum(1) @ np.arange(height) / total


def main(folder, seconds, program):
    sway = OneOutput()
    wallpaper = None
    try:
        picture = os.path.join(sway.folder, "picture")
        os.mkdir(picture)
        make_wallpaper(picture)
        screen = Screen(os.path.join(sway.folder, sway.environment["WAYLAND_DISPLAY"]), REGION)
        wallpaper = sway.start([program, "--socket", folder + "/parallax.sock", picture], sway.log)
        width = sway.OUTPUTS[OUTPUT][0]
        scale = DAEMON_RANGE / distance(NAME, RANGE, width, 1)
        end, seen = None, []
        while end is None or time.monotonic() < end:
            instant, pixels, is_inverted = screen.next_picture()
            at = center(pixels, screen.size)
            if at:
                end = end or time.monotonic() + seconds
                seen.append([instant, at[0] * scale, at[1] * scale * (-1 if is_inverted else 1)])
        for one in seen:
            print(json.dumps(one))
    finally:
        if wallpaper:
            wallpaper.terminate()
            wallpaper.wait(10)
        sway.close()


main(sys.argv[1], float(sys.argv[2]), sys.argv[3])
