#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds `parallax replay --velocity` against reference.py and against exact answers.

$PARALLAX_PROGRAMS is the folder of parallax (.build/debug).
"""
import math
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import reference

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARALLAX = os.path.join(os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug"), "parallax")
FOLDER = os.path.join(ROOT, "Tests/Recordings")
RECORDINGS = {
    "iphone12": "sensorlogger-iphone12/Gyroscope.csv",
    "walk": "phyphox-walk/Gyroscope.csv",
    "uncal": "sensorlogger-uncal/GyroscopeUncalibrated.csv",
    "xio": "xio-fusion/sensor_data.csv",
    "gait": "xio-gait/short_walk.csv",
}


def replay(path, *options):
    done = subprocess.run([PARALLAX, "replay", path, "--velocity", "--bias", "off", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"replay {options}: {done.stderr}")
    lines = done.stdout.splitlines()
    assert lines[0] == "t,x,y,vx,vy", lines[0]
    return np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])


def samples(path):
    """The rates of a recording as parallax reads them: it is converted by replay itself, at its own rate."""
    wide = ["--rate", "native", "--smoothing", "none", "--range=-1000000:1000000", "--scale", "1"]
    here = replay(path, *wide)
    turned = replay(path, *wide, "--mount-matrix", "0,1,0;0,0,1;1,0,0")
    return here[:, 0], np.stack([here[:, 2], here[:, 1], turned[:, 1]], 1)


def write(folder, name, t, w):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write("t,x,y,z\n")
        for time, rate in zip(t, w):
            file.write(f"{time:.9f}," + ",".join(f"{value:.9g}" for value in rate) + "\n")
    return path


def synthetic(seed, seconds=20.0, hertz=100.0):
    """Turns, pauses and a gap, with the intervals of a real sensor."""
    random = np.random.default_rng(seed)
    t = np.cumsum(random.normal(1 / hertz, 0.0005, int(seconds * hertz)))
    t = np.round(t - t[0], 9)
    t[len(t) // 2:] += 0.8
    shape = np.clip(np.sin(2 * math.pi * np.outer(t, (0.17, 0.23, 0.11))) * 1.6, -1, 1) ** 3
    return t, shape * (1.5, 1.2, 0.8) + random.normal(0, 0.003, (len(t), 3))


class Reference(unittest.TestCase):
    """Every frame against the independent computation."""

    # A trace states 6 decimals of a rate; replay prints 6 of an offset. The slope over 5 ms multiplies that.
    PX, PX_PER_S = 3e-5, 3e-3

    def compare(self, path, t, w, mode, rate, smoothing):
        rows = replay(path, "--mode", mode, "--rate", str(rate), "--smoothing", smoothing)
        expected = reference.frames(t, w, mode, rate, smoothing)
        self.assertEqual(len(rows), len(expected))
        self.assertLess(np.abs(rows[:, 0] - expected[:, 0]).max(), 2e-9)
        worst, fastest = np.abs(rows - expected)[:, 1:3].max(), np.abs(rows - expected)[:, 3:].max()
        self.assertLess(worst, self.PX, f"{mode} {rate} {smoothing} at {rows[np.abs(rows - expected)[:, 1:3].max(1).argmax()]}")
        self.assertLess(fastest, self.PX_PER_S, f"{mode} {rate} {smoothing}")

    def test_synthetic_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in (1, 2):
                t, w = synthetic(seed)
                w = np.array([[float(f"{value:.9g}") for value in row] for row in w])
                path = write(folder, f"{seed}.csv", t, w)
                for mode in ("rate", "tilt"):
                    for rate in (25, 30, 60):
                        for smoothing in ("auto", "auto:calm") if rate == 30 else ("auto",):
                            with self.subTest(seed=seed, mode=mode, rate=rate, smoothing=smoothing):
                                self.compare(path, t, w, mode, rate, smoothing)

    def test_recordings(self):
        for name, file in RECORDINGS.items():
            path = os.path.join(FOLDER, file)
            with self.subTest(recording=name):
                t, w = samples(path)
                with tempfile.TemporaryDirectory() as folder:
                    copy = write(folder, "copy.csv", t, w)
                    for mode in ("rate", "tilt"):
                        self.compare(copy, t, w, mode, 30, "auto")


class Truth(unittest.TestCase):
    def test_tilt_is_the_direction_to_the_viewer(self):
        """Turns about all axes for 60 s at known orientations: the offset is within 0.02 px of the exact
        answer, which is integrated at 100 times the rate of the samples."""
        fine, coarse = 20_000.0, 200.0
        n = int(60 * fine)
        time = np.arange(n + 1) / fine
        rates = np.stack([
            0.9 * np.sin(2 * math.pi * 0.31 * time) + 0.3 * np.sin(2 * math.pi * 1.7 * time),
            0.8 * np.cos(2 * math.pi * 0.23 * time) + 0.2 * np.sin(2 * math.pi * 2.3 * time + 1),
            0.7 * np.sin(2 * math.pi * 0.13 * time + 2),
        ], 1)
        exact = exact_tilt(time, rates, 4.0) * 14.3
        step = int(fine / coarse)
        with tempfile.TemporaryDirectory() as folder:
            path = write(folder, "turns.csv", time[::step], rates[::step])
            rows = replay(path, "--mode", "tilt", "--range=-1000:1000")
            worst = 0.0
            for row in rows:
                worst = max(worst, np.abs(row[1:3] - exact[int(round(row[0] * fine))]).max())
        print(f"test-motion: tilt against truth: {worst:.4f} px", file=sys.stderr)
        self.assertLess(worst, 0.02)
        self.assertGreater(np.abs(exact).max(), 5)

    def test_at_rest_nothing_moves(self):
        """In every rest of the recordings that have some, the offset on the wire makes no step, and the
        first motion afterwards shows in its first frame."""
        found = 0
        for name in ("xio", "gait"):
            path = os.path.join(FOLDER, RECORDINGS[name])
            t, w = samples(path)
            rows = replay(path)
            wire = np.round(rows[:, 1:3], 2)
            for begin, end in rests(t, w):
                inside = (rows[:, 0] >= begin + 0.3) & (rows[:, 0] <= end)
                found += 1
                with self.subTest(recording=name, begin=begin):
                    self.assertEqual(np.abs(np.diff(wire[inside], axis=0)).max(), 0)
                    self.assertEqual(np.abs(rows[inside][:, 3:]).max(), 0)
                self.check_first_motion(t, w, rows, wire, end)
        self.assertGreaterEqual(found, 8)

    def check_first_motion(self, t, w, rows, wire, end):
        mean = w[0, [1, 0]].copy()
        means = [mean]
        for k in range(1, len(t)):
            dt = t[k] - t[k - 1]
            mean = mean + dt / (0.4 + dt) * (w[k, [1, 0]] - mean)
            means.append(mean)
        for n in range(len(rows)):
            if rows[n, 0] <= end:
                continue
            k = min(int(np.searchsorted(t, rows[n, 0] - 1e-7)), len(t) - 1)
            if np.abs(w[k, [1, 0]] - means[k]).max() > 0.02:
                self.assertTrue((wire[n] != wire[n - 1]).any(), f"no motion in the frame at {rows[n, 0]}")
                return


def exact_tilt(time, rates, recenter):
    """The direction to the viewer at every instant: dv/dt = v x w, with the angle from the normal shrinking."""
    v = np.array([0.0, 0.0, 1.0])
    out = np.zeros((len(time), 2))
    dt = time[1] - time[0]
    shrink = math.exp(-dt / recenter)
    for k in range(1, len(time)):
        w = (rates[k - 1] + rates[k]) / 2 * dt
        x, y, z = v
        # One step of the midpoint method; the steps are 50 us.
        mx, my, mz = x + (y * w[2] - z * w[1]) / 2, y + (z * w[0] - x * w[2]) / 2, z + (x * w[1] - y * w[0]) / 2
        x, y, z = x + my * w[2] - mz * w[1], y + mz * w[0] - mx * w[2], z + mx * w[1] - my * w[0]
        across = math.hypot(x, y)
        theta = math.atan2(across, z) * shrink
        if across > 0:
            x, y = x / across, y / across
        s = math.sin(theta)
        v = (s * x, s * y, math.cos(theta))
        out[k] = -theta * x, theta * y
    return out


def rests(t, w, limit=0.02, window=1.0, shortest=1.5):
    """Intervals in which every axis stays within the limit of its mean over the window."""
    still = np.zeros(len(t), bool)
    low = 0
    for k in range(len(t)):
        while t[low] < t[k] - window:
            low += 1
        if t[k] - t[0] < window:
            continue
        part = w[low:k + 1]
        if np.abs(part - part.mean(0)).max() <= limit:
            still[low:k + 1] = True
    edges = np.flatnonzero(np.diff(np.r_[0, still.astype(int), 0]))
    return [(t[a], t[b - 1]) for a, b in zip(edges[::2], edges[1::2]) if t[b - 1] - t[a] >= shortest]
