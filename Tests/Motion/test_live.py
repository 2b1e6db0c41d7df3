#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what a display draws through the daemon and ParallaxClient against replay and the rule of
docs/protocol.md.

$PARALLAX_PROGRAMS is the folder of the programs (.build/debug), $SECONDS_LIVE (60) how long a display draws.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug")
PARALLAX, PARALLAXD, LIVEDRAW = (os.path.join(PROGRAMS, name) for name in ("parallax", "parallaxd", "LiveDraw"))
WALK = os.path.join(ROOT, "Tests/Recordings/phyphox-walk/Gyroscope.csv")
SECONDS = float(os.environ.get("SECONDS_LIVE") or 60)
RANGE, PERIOD = 5.0, 1 / 30
# Other programs on the machine must not delay the two: the lag would be theirs.
FIRST = ["chrt", "--rr", "1"]
try:
    if subprocess.run([*FIRST, "true"], capture_output=True, check=False).returncode:
        FIRST = []
except FileNotFoundError:
    FIRST = []


def drawn(frames, t):
    """The offset at t (s) after these frames (time, x, y, vx, vy)."""
    now, old = frames[-1], frames[-2]
    reach = 0.05
    u = t - now[0]
    line = now[1:3] + now[3:5] * min(u, reach)
    miss = old[1:3] + old[3:5] * min(now[0] - old[0], reach) - now[1:3]
    return np.clip(line + miss * max(0.0, 1 - u / (0.75 * PERIOD)), -RANGE, RANGE)


def lag(t, x, ideal_t, ideal):
    """The delay (s) at which the drawn offsets fit another course best: both axes, steps of 0.1 ms."""
    def score(late):
        other = np.stack([np.interp(t - late, ideal_t, ideal[:, n]) for n in (0, 1)], 1)
        a, b = x - x.mean(0), other - other.mean(0)
        return (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())
    late = np.arange(-0.05, 0.1, 0.001)
    best = late[np.argmax([score(value) for value in late])]
    fine = np.arange(best - 0.002, best + 0.002, 0.0001)
    return fine[np.argmax([score(value) for value in fine])]


class Live(unittest.TestCase):
    def run_daemon(self, folder, trace, mode):
        config = os.path.join(folder, "parallax.toml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f'[source]\nkind = "trace"\ntrace = {json.dumps(trace)}\n[motion]\nmode = "{mode}"\n')
        socket = os.path.join(folder, "stream.sock")
        daemon = subprocess.Popen(
            [*FIRST, PARALLAXD, "--config", config, "--set", f"socket.path={socket}", "--set",
             f"socket.control={folder}/control.sock"], stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.exists(socket):
                return daemon, socket
            time.sleep(0.02)
        daemon.kill()
        daemon.wait()
        raise AssertionError("parallaxd does not listen")

    def live(self, mode):
        trace = os.path.abspath(WALK)
        with tempfile.TemporaryDirectory() as folder:
            daemon, socket = self.run_daemon(folder, trace, mode)
            try:
                text = subprocess.run([*FIRST, LIVEDRAW, socket, str(SECONDS)], capture_output=True, text=True, check=True).stdout
            finally:
                daemon.terminate()
                daemon.wait()
        frames, draws = [], []
        for line in text.splitlines():
            kind, *cells = line.split()
            (frames if kind == "frame" else draws).append([float(cell) for cell in cells])
        return trace, np.array(frames), np.array(draws)

    def check(self, mode):
        trace, frames, draws = self.live(mode)
        self.assertGreater(len(draws), SECONDS * 100)
        replayed = subprocess.run([PARALLAX, "replay", trace, "--mode", mode, "--velocity"], capture_output=True,
                                  text=True, check=True).stdout.splitlines()[1:]
        replayed = np.array([[float(cell) for cell in line.split(",")] for line in replayed])
        # The daemon's frames are those of replay, on its own clock: the greatest difference is rounding.
        first = int(np.argmin([np.abs(replayed[n:n + 30, 1:3] - frames[:30, 3:5]).max() for n in range(0, 60)]))
        origin = frames[0, 2] / 1e9 - replayed[first, 0]
        same = np.rint((frames[:, 2] / 1e9 - origin - replayed[0, 0]) / PERIOD).astype(int)
        frames, same = frames[same < len(replayed)], same[same < len(replayed)]
        self.assertLess(np.abs(replayed[same, 0] + origin - frames[:, 2] / 1e9).max(), 1e-6)
        self.assertLess(np.abs(np.round(replayed[same, 1:3], 2) - frames[:, 3:5]).max(), 0.0101)

        table = np.c_[frames[:, 2] / 1e9, frames[:, 3:7]]
        arrival = frames[:, 1] / 1e9
        worst, shown, instants = 0.0, [], []
        for at, x, y in draws:
            at /= 1e9
            # The client's thread takes a line before the reader, which wrote `arrival`, sees it: on a busy machine
            # up to two frames before.
            k = int(np.searchsorted(arrival, at))
            misses = [np.abs(drawn(table[:n + 1], at) - (x, y)).max()
                      for n in range(k - 1, k + 3) if 1 <= n < len(table) and table[n, 0] <= at]
            if misses:
                worst = max(worst, min(misses))
            shown.append((x, y))
            instants.append(at - origin)
        self.assertLess(worst, 0.02)

        # What the same client would have drawn from replay's frames, 1 ms after the samples that complete them.
        samples = sample_times(trace)
        done = samples[np.minimum(np.searchsorted(samples, replayed[:, 0] - 1e-7), len(samples) - 1)] + 0.001
        wire = np.c_[replayed[:, 0], np.round(replayed[:, 1:3], 2), np.round(replayed[:, 3:5], 1)]
        instants, shown = np.array(instants), np.array(shown)
        keep = (instants > 1) & (instants < replayed[-1, 0] - 0.3)
        instants, shown = instants[keep], shown[keep]
        expected = np.array([drawn(wire[:max(2, int(np.searchsorted(done, at, side="right")))], at) for at in instants])
        fine = np.arange(instants[0], instants[-1], 0.001)
        course = np.array([drawn(wire[:max(2, int(np.searchsorted(done, at, side="right")))], at) for at in fine])
        late = lag(instants, shown, fine, course) - lag(instants, expected, fine, course)
        print(f"test-live: {mode}: {len(frames)} frames, {len(draws)} pictures; off the rule {worst:.4f} px; "
              f"lag against replay {1000 * late:+.2f} ms", file=sys.stderr)
        self.assertLess(abs(late), 0.001)

    def test_rate(self):
        self.check("rate")

    def test_tilt(self):
        self.check("tilt")


def sample_times(trace):
    text = subprocess.run([PARALLAX, "replay", trace, "--rate", "native", "--smoothing", "none"],
                          capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    return np.array([float(line.split(",")[0]) for line in text])
