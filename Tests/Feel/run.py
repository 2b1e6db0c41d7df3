#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Feel/run.py

Compares every figure of `parallax feel` with a measure of its own in Python, Tests/Feel/feel.py, on the five
recordings: both modes, with the scale as it is and fitted, several smoothings. Prints the greatest
difference of each figure and the counts. $PARALLAX_PROGRAMS is the folder of the programs (.build/debug).
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import feel  # noqa: E402 (without a folder of bytecode)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug"), "parallax")

SMOOTHINGS = ["auto", "none", "one-euro:1,0.2,1", "spring:0.4"]
# The name in Python and in Swift, and the greatest difference: half of the last printed digit, and what
# reading the offsets as text with 6 decimals adds.
FIGURES = [
    ("frames", "frames", 0.1), ("lag", "lag", 0.1), ("slow", "slow", 0.1), ("err", "err", 0.001), ("p99", "p99", 0.01),
    ("judder", "judder", 0.01), ("trem", "tremor", 0.005), ("rest", "rest", 0.05), ("step", "step", 0.05),
    ("over", "over", 0.1), ("settle", "settle", 0.5),
    ("onset", "onset", 0.1), ("windup", "windup", 0.1), ("reversal", "reversal", 0.5), ("false", "false", 0.005),
]


def main():
    passed = failed = 0
    worst = {name: (0.0, "") for _, name, _ in FIGURES}
    for error in feel.self_test():
        print("test-feel: the measure itself: " + error)
        failed += 1
    bench = feel.Bench(PROGRAM)
    stops = {(mode, s): bench.stops(mode, 30, ["--smoothing", s], 120)
             for mode in ("rate", "tilt") for s in SMOOTHINGS}
    for trace, path in feel.recordings(os.path.join(ROOT, "Tests/Recordings")):
        for mode in ("rate", "tilt"):
            for setting in ("default", "fit"):
                command = [PROGRAM, "feel", path, "--format", "json", "--mode", mode,
                           *(["--fit"] if setting == "fit" else []), "--compare", *SMOOTHINGS]
                lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
                for smoothing, line in zip(SMOOTHINGS, lines, strict=True):
                    here = json.loads(line)
                    there = bench.row(path, mode, 30, ["--smoothing", smoothing], setting, 120)
                    there.update(stops[mode, smoothing])
                    place = "%s, %s mode, %s scale, %s" % (trace, mode, setting, smoothing)
                    # Swift gives no lag outside the search, and then no judder.
                    if not -100 < there["lag"] < 400:
                        there["lag"] = there["judder"] = float("nan")
                    if not -100 < there["slow"] < 400:
                        there["slow"] = float("nan")
                    errors = 0
                    for theirs, ours, most in FIGURES:
                        expected = None if there[theirs] != there[theirs] else float(there[theirs])
                        if (expected is None) != (here[ours] is None):
                            print("test-feel: %s: %s is %s, expected %s" % (place, ours, here[ours], expected))
                            errors += 1
                        elif expected is not None:
                            difference = abs(here[ours] - expected)
                            worst[ours] = max(worst[ours], (difference, place))
                            if not difference <= most:
                                print("test-feel: %s: %s is %.4f, expected %.4f" % (place, ours, here[ours], expected))
                                errors += 1
                    passed, failed = passed + (errors == 0), failed + (errors > 0)
    print("greatest differences:")
    for _, name, most in FIGURES:
        print("  %-7s %8.4f of %-6g %s" % (name, worst[name][0], most, worst[name][1]))
    print("test-feel: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
