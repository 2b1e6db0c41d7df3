#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/plot-fanout.py [--runs N]

Measures the CPU of a message at 60 Hz for 1 to 4,000 subscribers, of parallaxd, of the plain broadcaster in C and of
a bare send(2), prints the figures and draws them as docs/fanout.svg. Needs matplotlib, a C compiler and the release
build. $PARALLAX_PROGRAMS is the folder of the programs (.build/release), $OUTPUT that of the picture (docs).
"""
import argparse
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "Benchmarks"))
from audience import Audience  # noqa: E402
from harness import Bench  # noqa: E402

OUTPUT = os.environ.get("OUTPUT") or os.path.join(ROOT, "docs")
COUNTS = [1, 10, 100, 1000, 4000]
SECONDS = 3
LINE_BYTES = 112


def measure(bench):
    """The us of a message for each count: parallaxd, the C program, a bare send(2)."""
    audience = Audience(bench)
    bare = bench.baseline("send.c")
    found = {"parallaxd": [], "broadcaster in C": [], "send(2) alone": []}
    for count in COUNTS:
        def run(command, count=count):
            report = audience.measure(command, count, SECONDS)
            return report["cpu"] / report["messages"] * 1e6

        def send(count=count):
            rounds = max(20, 200_000 // count)
            return float(subprocess.run([bare, str(count), str(LINE_BYTES), str(rounds)], check=True,
                                        capture_output=True, text=True).stdout)

        values = bench.interleaved(bench.runs, {
            "parallaxd": lambda: run(audience.daemon(60)), "broadcaster in C": lambda: run(audience.plain(60)),
            "send(2) alone": send})
        for name, each in values.items():
            found[name].append(statistics.median(each))
    return found


def draw(found):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "parallax", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6.4, 3.2), layout="constrained")
    for (name, values), (color, marker) in zip(
            found.items(), [("tab:red", "D"), ("tab:blue", "o"), ("0.45", "s")]):
        axes.loglog(COUNTS, values, color=color, marker=marker, markersize=4, label=name)
    axes.set_xlabel("subscribers at 60 Hz")
    axes.set_ylabel("CPU of a message, us")
    axes.set_xticks(COUNTS, [format(count, ",") for count in COUNTS])
    axes.set_yticks([1, 2, 5, 10, 20, 50, 100, 200], ["1", "2", "5", "10", "20", "50", "100", "200"])
    axes.minorticks_off()
    axes.grid(color="0.9")
    axes.legend(frameon=False)
    figure.savefig(os.path.join(OUTPUT, "fanout.svg"), metadata={"Date": None})


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[2])
    options.add_argument("--runs", type=int, default=3)
    with Bench(options.parse_args().runs) as bench:
        found = measure(bench)
    print("| subscribers | %s |" % " | ".join(found))
    for index, count in enumerate(COUNTS):
        print("| %s | %s |" % (format(count, ","), " | ".join("%.2f" % each[index] for each in found.values())))
    draw(found)


if __name__ == "__main__":
    main()
