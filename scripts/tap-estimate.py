#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/tap-estimate.py PARALLAX [RECORDING]

Estimates what offsets reveal about taps on the screen: whether there was one, and on which of ten keys.
Prints the table of SECURITY.md. PARALLAX is the program `parallax`; RECORDING is a gyroscope recording
without taps in rad/s with the columns t, x, y, z (a header line), such as phyphox's; it becomes the
background "walking". Readers of offsets also get the velocities. Needs numpy. The same seed gives the same table.

The taps are modeled. A tap turns the device about its support, and releasing it turns the device back:
two damped oscillations, whose direction depends on the key and whose size varies from tap to tap. Sizes
and durations are those of two public sets of recordings of taps with a gyroscope:
  - github.com/jithu2111/SenseKey (a phone in two hands, 400 Hz): 0.12 to 0.16 rad/s about x and y in the
    tenth of a second after a tap; half a period lasts about 80 ms;
  - github.com/dhruvatara/ECS289M (phones in the hand and on a table): 0.02 rad/s at rest in the hand,
    0.0003 rad/s on a table, 0.0075 rad/s during a tap there; a tap lasts 60 to 150 ms.
The attacker is stronger than a real one: each tap's time is known for the second question, and the
classifier is trained on taps of the same person in the same pose.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

RATE = 200.0  # Hz, of the modeled gyroscope
SPACING = 0.7  # s between two taps, at least
TAPS = 1200  # per background; one half trains, the other half is tested
WINDOW = 0.35  # s from a tap
SENSOR_NOISE = np.radians(0.007 * np.sqrt(RATE / 2))  # 0.007 deg/s per root Hz, as in the BMI160's data sheet

# Name, tap in rad/s at 50 mm from the support, oscillation in Hz, its time constant in s.
BACKGROUNDS = [("on a table", 0.0075, 20.0, 0.02), ("in the hand", 0.15, 6.0, 0.05), ("walking", 0.15, 6.0, 0.05)]

# What a reader gets: name, options of replay, or None for what is computed here.
READERS = [
    ("samples at 200 Hz, three axes (Android's cap)", None),
    ("browser: 60 Hz, three axes, 0.1 deg/s", None),
    ("rate, 60 Hz, no smoothing", "--mode rate --rate 60 --smoothing none"),
    ("rate, 60 Hz", "--mode rate --rate 60"),
    ("rate, 30 Hz (the defaults)", "--mode rate --rate 30"),
    ("rate, 30 Hz, auto:calm", "--mode rate --rate 30 --smoothing auto:calm"),
    ("rate, 30 Hz, one-euro:1,0.2", "--mode rate --rate 30 --smoothing one-euro:1,0.2"),
    ("tilt, 60 Hz", "--mode tilt --rate 60"),
    ("tilt, 30 Hz", "--mode tilt --rate 30"),
    ("any, during INHIBIT", "inhibit"),
]


def keys():
    """Places of the keys 1 to 9 and 0 in mm from the support, a hand at the lower right."""
    return np.array([(18.0 * (key % 3 - 1) - 15, 12.0 * (1 - key // 3) + 45) for key in range(9)]
                    + [(-15.0, 12.0 * -2 + 45)])


def response(times, frequency, decay):
    """The rate of turning after a push at 0; its largest value is 1."""
    wave = np.where(times >= 0, np.exp(-np.maximum(times, 0) / decay) * np.sin(2 * np.pi * frequency * times), 0)
    peak = np.exp(-np.arange(0, 0.2, 1e-4) / decay) * np.sin(2 * np.pi * frequency * np.arange(0, 0.2, 1e-4))
    return wave / peak.max()


def background(name, count, recording, random):
    noise = random.normal(0, SENSOR_NOISE, (count, 3))
    if name == "on a table":
        return noise
    if name == "in the hand":
        # Slow sway and tremor: white noise below 12 Hz, falling with the frequency above 1 Hz.
        frequencies = np.fft.rfftfreq(count, 1 / RATE)
        shape = np.where((frequencies > 0.2) & (frequencies < 12), 1 / np.sqrt(np.maximum(frequencies, 1)), 0)
        sway = np.fft.irfft(np.fft.rfft(random.normal(0, 1, (count, 3)), axis=0) * shape[:, None], count, axis=0)
        return noise + 0.02 * sway / sway.std(axis=0)
    times = recording[:, 0] - recording[0, 0]
    wanted = np.arange(count) / RATE % (times[-1] - 0.1)
    return noise + np.stack([np.interp(wanted, times, recording[:, axis]) for axis in (1, 2, 3)], axis=1)


def simulate(kind, recording, random):
    """Times and rates of a session, the times of its taps and their keys."""
    name, size, frequency, decay = kind
    starts = 5 + np.cumsum(SPACING + random.uniform(0, 0.5, TAPS))
    count = int((starts[-1] + 3) * RATE)
    times = np.arange(count) / RATE
    rates = background(name, count, recording, random)
    pressed = random.integers(0, 10, TAPS)
    levers = keys()[pressed] / 50
    for start, (right, up) in zip(starts, levers):
        first = int(start * RATE)
        part = slice(first, first + int(0.6 * RATE))
        strength = size * np.exp(random.normal(0, 0.25))
        push = response(times[part] - start, frequency, decay)
        lift = response(times[part] - start - random.uniform(0.06, 0.15), frequency, decay)
        move = strength * (push - 0.6 * lift)
        rates[part] += move[:, None] * np.array([-up, right, 0.3 * right])
    return times, rates, starts, pressed


def replay(program, times, rates, options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.csv")
        np.savetxt(path, np.column_stack([times, rates]), delimiter=",", header="t,x,y,z", comments="",
                   fmt="%.9g")
        text = subprocess.run([program, "replay", path, "--velocity", "--columns", "t=t,x=x,y=y,z=z", "--gyro-unit", "rad/s",
                               "--time-unit", "s"] + options.split(), capture_output=True, text=True, check=True)
    table = np.array([line.split(",") for line in text.stdout.split("\n")[1:] if line], dtype=float)
    return table[:, 0], np.concatenate([np.round(table[:, 1:3], 2), np.round(table[:, 3:5], 1)], axis=1)


def read(program, name, options, times, rates):
    """Times and values that the reader gets."""
    if options == "inhibit":
        return times, np.zeros((len(times), 2))
    if options:
        return replay(program, times, rates, options)
    if name.startswith("browser"):
        wanted = np.arange(0, times[-1], 1 / 60)
        newest = rates[np.minimum((wanted * RATE).astype(int), len(rates) - 1)]
        return wanted, np.round(newest / np.radians(0.1)) * np.radians(0.1)
    return times, np.round(rates / 0.001065) * 0.001065  # 16 bits for +/- 2000 deg/s


def windows(times, values, starts):
    """What the reader has of the time after each start, less its mean, one row each."""
    step = np.median(np.diff(times))
    offsets = np.arange(-0.05, WINDOW, step)
    at = starts[:, None] + offsets[None, :]
    columns = [np.interp(at, times, values[:, axis]) for axis in range(values.shape[1])]
    return np.concatenate([column - column[:, :2].mean(axis=1, keepdims=True) for column in columns], axis=1)


def whiten(rows):
    """The inverse covariance of noise, kept away from zero."""
    spread = np.cov(rows.T)
    scale = np.trace(spread) / len(spread)
    return np.linalg.pinv(spread + (0.003 * scale + 1e-12) * np.eye(len(spread)))


def detection(tapped, quiet):
    """d': distance of taps from silence along the best line, in standard deviations; 0 knows nothing."""
    half = len(tapped) // 2
    line = whiten(np.concatenate([tapped[:half] - tapped[:half].mean(axis=0), quiet[:half]])) @ (
        tapped[:half].mean(axis=0) - quiet[:half].mean(axis=0))
    yes, no = tapped[half:] @ line, quiet[half:] @ line
    spread = np.sqrt((yes.var() + no.var()) / 2)
    return (yes.mean() - no.mean()) / spread if spread > 0 else 0.0


def identification(tapped, pressed):
    """The share of keys that the nearest mean of the training half names correctly."""
    half = len(tapped) // 2
    means = np.array([tapped[:half][pressed[:half] == key].mean(axis=0) for key in range(10)])
    inverse = whiten(tapped[:half] - means[pressed[:half]])
    scores = tapped[half:] @ inverse @ means.T - 0.5 * np.einsum("ki,ij,kj->k", means, inverse, means)
    if not tapped.any():
        return 0.1
    return (scores.argmax(axis=1) == pressed[half:]).mean()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    recording = np.genfromtxt(sys.argv[2], delimiter=",", skip_header=1)[:, :4] if len(sys.argv) > 2 else None
    kinds = [kind for kind in BACKGROUNDS if kind[0] != "walking" or recording is not None]
    cells = {}
    for kind in kinds:
        random = np.random.default_rng(1)
        times, rates, starts, pressed = simulate(kind, recording, random)
        pauses = starts - WINDOW - 0.02  # no tap's oscillation reaches the time before the next tap
        for name, options in READERS:
            when, values = read(program, name, options, times, rates)
            tapped, quiet = windows(when, values, starts), windows(when, values, pauses)
            cells[name, kind[0]] = "%.1f, %.0f %%" % (detection(tapped, quiet), 100 * identification(tapped, pressed))
    print("| a reader gets | " + " | ".join(kind[0] for kind in kinds) + " |")
    print("|---|" + "---|" * len(kinds))
    for name, _ in READERS:
        print("| %s | %s |" % (name, " | ".join(cells[name, kind[0]] for kind in kinds)))


main()
