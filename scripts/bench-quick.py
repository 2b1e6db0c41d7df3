#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/bench-quick.py [--runs N] [--only replay|daemon|animations|allocations]

Measures the speed and memory of the release build and prints one table.

The table compares replay with the C++ yardstick in ../shared/bench (or $PARALLAX_SHARED) and lists the
daemon's memory, wake-ups and start time, the cost of a frame with 1,000 animations and the heap
allocations per frame. All data is in /dev/shm. Nothing is asserted.
"""
import argparse
import json
import os
import re
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("PARALLAX_SHARED") or os.path.join(ROOT, "..", "shared")
PARALLAX = os.path.join(ROOT, ".build/release/parallax")
PARALLAXD = os.path.join(ROOT, ".build/release/parallaxd")
CHAIN = ["--rate", "native", "--scale", "12", "--range=-20:20", "--smoothing", "ema:0.12"]
TILE_BYTES = 300_000_000
LONG_BYTES = 3_000_000_000
rows = []


def note(text):
    print("bench: " + text, file=sys.stderr, flush=True)


def row(what, value, limit=""):
    rows.append((what, value, limit))


def cpu_seconds(command, **options):
    """Returns the user and system time of one run, which must succeed."""
    process = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("bench: exit %d: %s" % (process.returncode, " ".join(command)))
    return usage.ru_utime + usage.ru_stime


def peak_megabytes(command, folder, **options):
    """Returns the largest resident set of one run.

    time(1) measures it, since a child of this process would start with this process's own.
    """
    report = os.path.join(folder, "peak")
    cpu_seconds(["/usr/bin/time", "-f", "%M", "-o", report] + command, **options)
    with open(report) as file:
        return int(file.read().split()[-1]) / 1024


def compare(first, second):
    """Returns the largest difference between two tables and the number of rows."""
    largest, count = 0.0, 0
    with open(first) as a, open(second) as b:
        if next(a) != next(b):
            sys.exit("bench: headers differ")
        for count, (left, right) in enumerate(zip(a, b), 1):
            if left != right:
                pairs = zip(left.split(","), right.split(","))
                largest = max([largest] + [abs(float(l) - float(r)) for l, r in pairs])
        if a.readline() or b.readline():
            sys.exit("bench: the tables differ in length after %d rows" % count)
    return largest, count


def bench_replay(folder, runs):
    note("making A and B, 300 MB each")
    subprocess.run(
        [sys.executable, os.path.join(SHARED, "bench/mk_tile.py"), folder, str(TILE_BYTES)],
        check=True)
    yardstick = os.path.join(folder, "limit")
    subprocess.run(
        ["g++", "-O2", "-std=c++20", "-o", yardstick, os.path.join(SHARED, "bench/limit_stream.cpp")],
        check=True)
    for name, columns in ("A", ["0", "2", "1", "1"]), ("B", ["0", "3", "4", "1e-9"]):
        trace = os.path.join(folder, name + ".csv")
        ours, theirs = os.path.join(folder, "ours.csv"), os.path.join(folder, "theirs.csv")
        replay = [PARALLAX, "replay", trace, "-o", ours] + CHAIN
        limit = [yardstick, trace, theirs, "f"] + columns
        seconds = ([], [])
        for turn in range(runs):
            note("%s, run %d of %d" % (name, turn + 1, runs))
            seconds[0].append(cpu_seconds(limit, stderr=subprocess.DEVNULL))
            seconds[1].append(cpu_seconds(replay, stderr=subprocess.DEVNULL))
        medians = [statistics.median(each) for each in seconds]
        row("%s: yardstick, CPU s" % name, "%.3f" % medians[0])
        row("%s: replay, CPU s" % name, "%.3f" % medians[1])
        row("%s: replay / yardstick" % name, "%.2f" % (medians[1] / medians[0]), "<= 2.0")
        difference, count = compare(ours, theirs)
        row("%s: largest difference of %d rows" % (name, count), "%.1e" % difference, "<= 2e-6")
        peak = peak_megabytes(replay, folder, stderr=subprocess.DEVNULL)
        row("%s: replay RSS, 300 MB file" % name, "%.1f MB" % peak, "<= 12 MB")
        os.unlink(ours)
        os.unlink(theirs)
    note("3 GB through standard input")
    reading, writing = os.pipe()
    feeder = subprocess.Popen(
        ["sh", "-c", 'i=0; while [ $i -lt "$2" ]; do tail -n +2 "$1"; i=$((i + 1)); done'
         ' | { head -n 1 "$1"; cat; }', "feed", os.path.join(folder, "A.csv"),
         str(LONG_BYTES // TILE_BYTES)], stdout=writing)
    os.close(writing)
    peak = peak_megabytes(
        [PARALLAX, "replay", "-", "-o", "/dev/null"] + CHAIN, folder, stdin=reading,
        stderr=subprocess.DEVNULL)
    os.close(reading)
    feeder.wait()
    row("replay RSS, 3 GB from standard input", "%.1f MB" % peak, "<= 12 MB")


class Daemon:
    """A parallaxd with its sockets in a folder, for the duration of a with block."""

    def __init__(self, folder, settings=(), environment=None):
        self.path = os.path.join(folder, "s")
        self.command = [
            PARALLAXD, "--set", "source.kind=synthetic", "--set", "socket.path=" + self.path,
            "--set", "socket.control=" + os.path.join(folder, "c")]
        for setting in settings:
            self.command += ["--set", setting]
        self.environment = environment

    def __enter__(self):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command, env=self.environment, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def connect(self):
        """Connects a subscriber as soon as the daemon listens."""
        deadline = self.started + 10
        while True:
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                client.connect(self.path)
                return client
            except OSError:
                client.close()
                if self.process.poll() is not None or time.monotonic() > deadline:
                    sys.exit("bench: the daemon does not start: " + " ".join(self.command))
                time.sleep(0.0002)

    def status(self):
        with open("/proc/%d/status" % self.process.pid) as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file)

    def megabytes(self, key):
        return int(self.status()[key].split()[0]) / 1024

    def switches(self):
        """Returns the number of context switches of all its threads so far."""
        total = 0
        for task in os.listdir("/proc/%d/task" % self.process.pid):
            with open("/proc/%d/task/%s/status" % (self.process.pid, task)) as file:
                total += sum(int(n) for n in re.findall(r"ctxt_switches:\s+(\d+)", file.read()))
        return total


def receive_offsets(client, number):
    """Reads `number` OFFSET lines."""
    seen, rest = 0, b""
    while seen < number:
        data = client.recv(65536)
        if not data:
            sys.exit("bench: the daemon closed the connection after %d offsets" % seen)
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        seen += sum(line.startswith(b'{"class":"OFFSET"') for line in lines)


def bench_daemon(folder, runs):
    note("start to first OFFSET, %d times" % runs)
    first = []
    for _ in range(runs):
        with Daemon(folder) as daemon:
            with daemon.connect() as client:
                receive_offsets(client, 1)
                first.append((time.monotonic() - daemon.started) * 1000)
    row("exec to first OFFSET, median of %d" % runs, "%.1f ms" % statistics.median(first), "<= 100 ms")
    with Daemon(folder) as daemon:
        daemon.connect().close()
        note("without subscribers: 8 s until the source is off, then 10 s of measurement")
        time.sleep(8)
        before = daemon.switches()
        time.sleep(10)
        row("context switches in 10 s, no subscriber", str(daemon.switches() - before), "0")
        row("parallaxd RSS", "%.1f MB" % daemon.megabytes("VmRSS"), "<= 9 MB")
        row("parallaxd RssAnon", "%.2f MB" % daemon.megabytes("RssAnon"), "<= 2 MB")
        row("parallaxd threads", daemon.status()["Threads"].strip(), "1")


def document(folder, count):
    """Writes a document with `count` endless animations on one layer, of every kind and curve."""
    curves = [
        "ease", "linear", "cubic-bezier(.3, -.5, .7, 1.5)", "steps(6)", "linear(0, 1.2 60%, 1)",
        {"spring": {"response": 0.4, "damping": 0.6}}]
    changes = [
        {"move": {"by": [3, -2]}}, {"rotate": {"by": 5}}, {"scale": {"to": 1.1}}, {"fade": {"to": 0.8}}]

    def animation(number):
        step = dict(changes[number % len(changes)], curve=curves[number % len(curves)])
        step.update(duration=0.2 + number % 97 / 100, autoreverse=True)
        parts = [step, {"delay": 0.1}] if number % 2 else [step]
        return {"repeat": "forever", "of": {"sequence": parts}}

    path = os.path.join(folder, "%d.json" % count)
    with open(path, "w") as file:
        json.dump(
            {"parallax": 1, "layer": "card",
             "animation": {"parallel": [animation(number) for number in range(count)]}}, file)
    return path


def bench_animations(folder, runs):
    note("1,000 simultaneous animations, %d times" % runs)
    one, thousand = document(folder, 1), document(folder, 1000)

    def previewed(path, seconds):
        """Returns the CPU seconds for printing `seconds` at 60 Hz."""
        return cpu_seconds(
            [PARALLAX, "preview", path, "--rate", "60", "--duration", str(seconds)],
            stdout=subprocess.DEVNULL)

    def frame(path):
        """Returns the microseconds per frame; reading and starting cost the same for 10 s and 60 s."""
        costs = [previewed(path, 60) - previewed(path, 10) for _ in range(runs)]
        return statistics.median(costs) / (50 * 60) * 1e6

    alone, together = frame(one), frame(thousand)
    row("1 animation, per printed frame", "%.1f us" % alone)
    row("1,000 animations, per printed frame", "%.1f us" % together)
    row("1,000 animations, share of a frame at 60 Hz", "%.2f %%" % (together * 60 / 1e4))

    def published(path):
        """Returns the CPU seconds of a daemon that sends 600 frames, with a document or without."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with Daemon(folder, ["sampling.rate=60", "layers.card=1"]) as daemon:
            with daemon.connect() as client:
                receive_offsets(client, 1)
                control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                control.connect(os.path.join(folder, "c"))
                if path:
                    with open(path) as file:
                        request = {"class": "PLAY", "document": json.load(file), "detached": True}
                    control.sendall(json.dumps(request).encode() + b"\n")
                    answer = control.makefile().readline()
                    if '"ACK"' not in answer:
                        sys.exit("bench: the answer to PLAY is " + answer)
                receive_offsets(client, 600)
                control.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    note("in the daemon, 600 frames at 60 Hz, with the animations and without")
    costs = [published(thousand) - published(None) for _ in range(min(runs, 3))]
    row("1,000 animations in parallaxd, per frame", "%.0f us" % (statistics.median(costs) / 600 * 1e6))


def bench_allocations(folder, _):
    note("heap allocations per frame")
    counter = os.path.join(folder, "count_malloc.so")
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-o", counter,
         os.path.join(ROOT, "scripts/bench/count_malloc.c")], check=True)
    result = os.path.join(folder, "count")
    environment = dict(os.environ, LD_PRELOAD=counter, COUNT_MALLOC=result)

    def counted():
        with open(result) as file:
            return int(file.read())

    def replayed(count):
        trace = os.path.join(folder, "t.csv")
        with open(trace, "w") as file:
            file.write("t,x,y,z\n")
            file.writelines("%.2f,%.3f,%.3f,0\n" % (i / 100, i % 7 / 9, i % 5 / 8) for i in range(count))
        subprocess.run(
            [PARALLAX, "replay", trace, "-o", "/dev/null"] + CHAIN, env=environment, check=True)
        return counted()

    def published(count, settings=()):
        with Daemon(folder, settings, environment) as daemon, daemon.connect() as client:
            receive_offsets(client, count)
        return counted()

    with open(os.path.join(folder, "turn.json"), "w") as file:
        file.write('{"parallax":1,"animation":{"rotate":{"by":360},"duration":1000}}')
    playing = ["animations.directory=" + folder, "animations.on-connect=turn"]

    def previewed(count):
        subprocess.run(
            [PARALLAX, "preview", document(folder, 1000), "--rate", "60", "--duration", str(count / 60)],
            env=environment, check=True, stdout=subprocess.DEVNULL)
        return counted()

    for what, run, number in (
            ("replay", replayed, 100_000), ("live, one subscriber", published, 150),
            ("live, with an animation", lambda count: published(count, playing), 150),
            ("animation without a source",
             lambda count: published(count, playing + ["source.kind=iio"]), 150),
            ("1,000 animations, printed", previewed, 600)):
        once, twice = run(number), run(2 * number)
        row("allocations per frame, " + what, "%.4f" % ((twice - once) / number), "0")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[2])
    options.add_argument("--runs", type=int, default=7, help="number of runs of each timing (default: 7)")
    options.add_argument("--only", choices=["replay", "daemon", "animations", "allocations"])
    given = options.parse_args()
    parts = {
        "replay": bench_replay, "daemon": bench_daemon, "animations": bench_animations,
        "allocations": bench_allocations}
    if given.only in (None, "replay") and not os.path.isdir(os.path.join(SHARED, "bench")):
        sys.exit("bench: no %s/bench; set PARALLAX_SHARED to the folder that contains bench" % SHARED)
    for program in PARALLAX, PARALLAXD:
        if not os.access(program, os.X_OK):
            sys.exit("bench: no %s; run make release" % program)
    with tempfile.TemporaryDirectory(prefix="parallax.", dir="/dev/shm") as folder:
        for name, part in parts.items():
            if given.only in (None, name):
                part(folder, given.runs)
    widths = [max(len(each[i]) for each in rows) for i in range(3)]
    for what, value, limit in rows:
        print("%-*s  %*s  %s" % (widths[0], what, widths[1], value, limit))


main()
