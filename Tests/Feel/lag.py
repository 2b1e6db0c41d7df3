#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Feel/lag.py wallpaper|page...: by how much the picture that is seen is late, end to end.

A daemon plays recordings in real time for a view: parallax-wallpaper on a headless sway, or the page of `parallax web` in
headless Chromium. The pictures that the view shows, with the times at which they are seen, are compared with the ideal of
feel.py, which is computed from the samples that the daemon recorded meanwhile (RECORD). All times are CLOCK_MONOTONIC's.
The scale keeps the motion in that part of the range in which a tilt is shown as it is.

The view's program prints a line for each picture: the time at which it is seen (s), x and y (px of the daemon), and if
it is known the time of the frame for which it was drawn. It may be off by a constant, which does not count.

$PARALLAX_PROGRAMS is the folder of the programs (.build/release), $WEB_PROGRAMS (web/.build/release) and $WALLPAPER
(desktop/.build/release/parallax-wallpaper) the views. $SECONDS_LIVE (20) is the length of a run, $RUNS (3) their number.
This is a measurement: nothing fails for being slow."""
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import feel  # noqa: E402 (without a folder of bytecode)
import numpy as np  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.path.abspath(os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/release"))
WEB_PROGRAMS = os.path.abspath(os.environ.get("WEB_PROGRAMS") or os.path.join(ROOT, "web/.build/release"))
WALLPAPER = os.path.abspath(
    os.environ.get("WALLPAPER") or os.path.join(ROOT, "desktop/.build/release/parallax-wallpaper"))
SECONDS, RUNS = float(os.environ.get("SECONDS_LIVE") or 20), int(os.environ.get("RUNS") or 3)
MODES = ("rate", "tilt")
RECORDINGS = ("iphone12", "uncal")
USER = 65534  # The wallpaper does not run as root on the headless sway, nor does its daemon.
# How often a recording is played, so that it lasts until a view has started and is done, and the gap in between,
# which begins a segment in the daemon as in the ideal.
REPEATS, REPEAT_GAP = 6, 1.0
# A view has begun to draw when these have passed.
BEGIN_SECONDS = 2.0


def write_repeated(path, t, w):
    """A recording, several times."""
    length = t[-1] - t[0] + REPEAT_GAP
    feel.write_trace(path, np.concatenate([t - t[0] + n * length for n in range(REPEATS)]), np.tile(w, (REPEATS, 1)))


class Daemon:
    """parallaxd, which plays a recording, and the samples that it has given out so far."""

    def __init__(self, folder, trace, mode, scale):
        self.samples = []
        settings = {
            "source.kind": "trace", "source.trace": trace, "motion.mode": mode,
            "motion.scale": repr(scale), "motion.bias": "off", "socket.path": folder + "/parallax.sock",
            "socket.control": folder + "/control.sock"}
        command = [PROGRAMS + "/parallaxd", "--config", "/dev/null"]
        for key, value in settings.items():
            command += ["--set", "%s=%s" % (key, value)]
        user = {"user": USER, "group": USER, "extra_groups": []} if os.geteuid() == 0 else {}
        self.log = open(folder + "/daemon.log", "wb")
        self.process = subprocess.Popen(command, stderr=self.log, env={**os.environ, "HOME": folder}, **user)
        self.control = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + 20
        while self.control.connect_ex(folder + "/control.sock"):
            if self.process.poll() is not None or time.monotonic() > end:
                with open(folder + "/daemon.log") as file:
                    sys.exit("lag: parallaxd does not listen: " + file.read())
            time.sleep(0.02)
        self.control.sendall(b'{"class":"RECORD"}\n')
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.control.makefile():
            message = json.loads(line)
            if message["class"] == "SAMPLE":
                self.samples.append([message[key] for key in ("time", "x", "y", "z")])

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        self.control.close()
        self.log.close()


def view_command(name, folder):
    if name == "wallpaper":
        return [sys.executable, ROOT + "/desktop/Tests/Compositors/lag.py", folder, str(SECONDS), WALLPAPER]
    python = subprocess.run([ROOT + "/scripts/python-with", "playwright", "", "playwright==1.65.2"], check=True,
                            capture_output=True, text=True).stdout.strip()
    return [python, ROOT + "/web/Tests/page/lag.py", folder, str(SECONDS)]


def run(name, rates, mode, scale):
    """The samples and the pictures of a run, which plays a recording's samples."""
    environment = {**os.environ, "WEB_PROGRAMS": WEB_PROGRAMS, "PARALLAX": PROGRAMS + "/parallax"}
    with tempfile.TemporaryDirectory(prefix="parallax-lag-") as folder:
        if os.geteuid() == 0:
            os.chown(folder, USER, USER)
        trace = os.path.join(folder, "trace.csv")
        write_repeated(trace, *rates)
        daemon = Daemon(folder, trace, mode, scale)
        try:
            view = subprocess.run(view_command(name, folder), stdout=subprocess.PIPE, text=True, env=environment)
        finally:
            daemon.end()
    if view.returncode:
        sys.exit("lag: the view's program has failed")
    return np.array(daemon.samples), np.array([json.loads(line) for line in view.stdout.splitlines()])


def figures(samples, pictures, mode, scale):
    """The lag in ms, the error, both as in docs/feel.md, the pictures per second, and the ms from the frame that a
    picture was drawn for until it was seen (NaN if unknown)."""
    with tempfile.TemporaryDirectory(prefix="parallax-lag-") as folder:
        trace = os.path.join(folder, "trace.csv")
        feel.write_trace(trace, samples[:, 0] - samples[0, 0], samples[:, 1:])
        bench = feel.Bench(PROGRAMS + "/parallax")
        sample_times, truths = bench.truths(trace, mode, scale)
    seen = pictures[:, 0] - samples[0, 0]
    shown = feel.Figures(scale, *feel.RANGE)
    begin = seen[0] + BEGIN_SECONDS
    for truth in truths:
        inside = (seen > max(begin, truth.t[0] + feel.SKIP_SECONDS)) & (seen < truth.t[-1] - feel.TAIL_SECONDS)
        # A view shows a picture until the next one; a display of 120 Hz sees each of them.
        if inside.sum() > feel.SKIP_SECONDS * 60:
            d = seen[inside]
            x = pictures[inside, 1:3]
            shown.add(truth, d, x - x.mean(0) + shown.ideal(truth, d).mean(0))
    late = np.median(pictures[:, 0] - pictures[:, 3]) if pictures.shape[1] > 3 else float("nan")
    return shown.lag(), shown.errors()[0], (len(seen) - 1) / (seen[-1] - seen[0]), 1000 * late


def main():
    views = sys.argv[1:]
    if not views or set(views) - {"wallpaper", "page"}:
        sys.exit("usage: Tests/Feel/lag.py wallpaper|page...")
    traces = dict(feel.recordings(os.path.join(ROOT, "Tests/Recordings")))
    bench = feel.Bench(PROGRAMS + "/parallax")
    print("| view | mode | recording | lag, ms (each run) | err | pictures/s | drawn ahead of seen, ms |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for view in views:
        for mode in MODES:
            for name in RECORDINGS:
                trace = traces[name]
                scale = feel.SOFT * bench.fit_scale(bench.truths(trace, mode)[1])
                rates = bench.rates(trace)[:2]
                rows = [figures(*run(view, rates, mode, scale), mode, scale) for _ in range(RUNS)]
                lag, err, rate, late = (statistics.median(column) for column in zip(*rows))
                print("| %s | %s | %s | %.1f (%s) | %.3f | %.0f | %s |" % (
                    view, mode, name, lag, " ".join("%.1f" % row[0] for row in rows), err, rate,
                    "-" if late != late else "%.1f" % late), flush=True)


if __name__ == "__main__":
    main()
