#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Hostile/soak.py [--hours H] [--seed N] [--out FOLDER] [PARALLAXD]

Runs a release parallaxd (default: .build/release/parallaxd) for H hours (default: 1) with subscribers,
reconnects, slow readers, floods, reloads, animations, recordings and INHIBITs at random times. Every 10 s
it samples memory, descriptors, threads, processor time, lateness and drops into FOLDER/soak.csv (default:
.build/soak); at the end it draws FOLDER/soak.png. Needs root, cc and matplotlib. The exit code is 1 if the
daemon grows, leaks descriptors, ends, or does not end when asked to.

Processors and priorities are those of Tests/Hostile/run.py.
"""
import argparse
import csv
import os
import random
import signal
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.dont_write_bytecode = True
from mixture import Mixture  # noqa: E402
from victim import GOOD_USER, Bench, median  # noqa: E402

SAMPLE_SECONDS = 10
# Memory may grow by as much in the whole run, from its first tenth after the warm-up to its last.
MAX_GROWTH_MB = 1.0
FIELDS = ["seconds", "rss_mb", "descriptors", "threads", "cpu_percent", "offsets", "p50_ms", "p99_ms",
          "max_ms", "gap_ms", "subscribers", "frames", "behind", "stale", "clients", "attacks"]


def note(text):
    print("soak: " + text, file=sys.stderr, flush=True)


class Windows:
    """What the measuring subscriber prints, window by window."""

    def __init__(self, client):
        self.client, self.last = client, []
        client.is_read = True
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.client.process.stdout:
            if not line.startswith("{"):
                self.last = line.split()[1:]

    def take(self):
        values, self.last = self.last, []
        return dict(zip(["offsets", "p50_ms", "p99_ms", "max_ms", "gap_ms"], values))


def sample(daemon, windows, mixture, begin, cpu, interval):
    status = daemon.status()
    drops = status.get("drops", {})
    row = {
        "seconds": round(time.monotonic() - begin, 1), "rss_mb": round(daemon.megabytes(), 3),
        "descriptors": daemon.descriptors_open(), "threads": daemon.threads(),
        "cpu_percent": round(100 * (daemon.cpu_seconds() - cpu) / interval, 2),
        "subscribers": status.get("subscribers", ""), "frames": status.get("frames", ""),
        "behind": drops.get("behind", ""), "stale": drops.get("stale", ""),
        "clients": mixture.running(), "attacks": mixture.take_attacks()}
    row.update(windows.take())
    return row


def run(daemon, options, rows, write):
    windows = Windows(daemon.client(
        daemon.stream, "-e", SAMPLE_SECONDS, "-r", "-w", '{"class":"WATCH","rate":60,"on_change":false}',
        uid=GOOD_USER, realtime=True))
    time.sleep(3)
    at_rest = daemon.descriptors_open()
    mixture = Mixture(daemon, random.Random(options.seed))
    begin = sampled = time.monotonic()
    cpu = daemon.cpu_seconds()
    while time.monotonic() < begin + options.hours * 3600:
        if daemon.process.poll() is not None:
            return ["the daemon ended with %s" % daemon.process.returncode]
        mixture.step()
        now = time.monotonic()
        if now < sampled + SAMPLE_SECONDS:
            continue
        rows.append(sample(daemon, windows, mixture, begin, cpu, now - sampled))
        write(rows[-1])
        sampled, cpu = now, daemon.cpu_seconds()
    mixture.end()
    time.sleep(12)
    left = daemon.descriptors_open()
    failures = []
    if left > at_rest:
        failures.append("%d descriptors are open at rest, %d at the start" % (left, at_rest))
    rows.append(sample(daemon, windows, mixture, begin, cpu, time.monotonic() - sampled))
    write(rows[-1])
    return failures


def judge(rows):
    """Returns what grew."""
    settled = rows[max(3, len(rows) // 20):-1]
    tenth = max(3, len(settled) // 10)
    if len(settled) < 2 * tenth:
        return ["too few samples: %d" % len(settled)]
    first = median([row["rss_mb"] for row in settled[:tenth]])
    last = median([row["rss_mb"] for row in settled[-tenth:]])
    slope = (last - first) / (settled[-1]["seconds"] - settled[0]["seconds"]) * 3600
    late = sorted(float(row["p99_ms"]) for row in rows if row.get("p99_ms"))
    print("memory: %.2f MB in the first tenth, %.2f in the last: %+.2f MB, %+.2f MB an hour"
          % (first, last, last - first, slope))
    print("descriptors: at most %d; threads: at most %d; CPU: median %.1f %%" % (
        max(row["descriptors"] for row in rows), max(row["threads"] for row in rows),
        median([row["cpu_percent"] for row in rows])))
    if late:
        print("p99 of lateness in %d s: median %.2f ms, worst %.1f ms" % (
            SAMPLE_SECONDS, median(late), late[-1]))
    failures = []
    if last - first > MAX_GROWTH_MB:
        failures.append("memory grew by %.2f MB; the limit is %g" % (last - first, MAX_GROWTH_MB))
    if max(row["threads"] for row in settled[-tenth:]) > max(row["threads"] for row in settled[:tenth]) + 1:
        failures.append("threads were left over")
    if sum(1 for row in settled if not row.get("p99_ms")) > len(settled) / 20:
        failures.append("the good subscriber was silent for 10 s more than now and then")
    return failures


def draw(rows, path, title):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    def series(name):
        return [float(row[name]) if str(row.get(name, "")) != "" else float("nan") for row in rows]

    minutes = [row["seconds"] / 60 for row in rows]
    figure, axes = plt.subplots(5, 1, figsize=(11, 12), sharex=True)
    panels = [
        ("memory, MB", [("rss_mb", "resident")]), ("lateness, ms", [("p50_ms", "p50"), ("p99_ms", "p99"),
                                                                     ("max_ms", "max")]),
        ("CPU, %", [("cpu_percent", "of one processor")]),
        ("open", [("descriptors", "descriptors"), ("threads", "threads"), ("subscribers", "subscribers")]),
        ("drops", [("behind", "not sent to slow readers"), ("stale", "stale")])]
    for axis, (label, names) in zip(axes, panels):
        for name, text in names:
            axis.plot(minutes, series(name), linewidth=1, label=text)
        axis.set_ylabel(label)
        axis.grid(alpha=0.3)
        axis.legend(loc="upper left", fontsize=8)
    axes[0].set_ylim(bottom=0)
    axes[1].set_yscale("log")
    axes[-1].set_xlabel("minutes")
    axes[0].set_title(title)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--hours", type=float, default=float(os.environ.get("HOURS") or 1))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("PARALLAX_SEED") or int.from_bytes(os.urandom(4), "little")))
    parser.add_argument("--out", default=os.path.join(ROOT, ".build/soak"))
    parser.add_argument("parallaxd", nargs="?", default=os.path.join(ROOT, ".build/release/parallaxd"))
    options = parser.parse_args()
    if os.geteuid() != 0:
        note("needs root: the clients are other users")
        return 77
    if not os.access(options.parallaxd, os.X_OK):
        note("no %s; build it with scripts/release" % options.parallaxd)
        return 69
    os.makedirs(options.out, exist_ok=True)
    note("%g h, seed %d" % (options.hours, options.seed))
    rows = []
    bench = Bench(options.parallaxd)
    with open(os.path.join(options.out, "soak.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()

        def write(row):
            writer.writerow(row)
            file.flush()

        try:
            with bench.daemon({"socket.control-users": str(GOOD_USER)}) as daemon:
                failures = run(daemon, options, rows, write)
                for client in daemon.processes:
                    client.end()
                took = daemon.terminate()
                if took > 1:
                    failures.append("SIGTERM took %.1f s" % took)
                if not failures and daemon.process.returncode != 0:
                    failures.append("exit code %d" % daemon.process.returncode)
        finally:
            bench.close()
    failures += judge(rows)
    draw(rows, os.path.join(options.out, "soak.png"),
         "parallaxd, %g h of subscribers, slow readers and attacks" % options.hours)
    for failure in failures:
        print("soak: FAILED: " + failure)
    print("soak: %d samples in %s; %s" % (
        len(rows), options.out, "%d failed" % len(failures) if failures else "passed"))
    return 1 if failures else 0


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
sys.exit(main())
