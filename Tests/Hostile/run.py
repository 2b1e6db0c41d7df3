#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Hostile/run.py [--runs N] [--list] [--out FILE] [PARALLAXD] [ATTACK...]

Attacks a release parallaxd as other users and prints a Markdown table: what a good subscriber sees, the
daemon's memory, and whether it recovers. PARALLAXD is its path (default: .build/release/parallaxd),
ATTACK a part of an attack's name; without names all attacks run. Each figure is the median of N runs
(default: 3), each with a new daemon. Bounds on what the machine's noise does not change must hold in every
run. Needs root and cc. The exit code is 1 if a figure misses its bound.

The machine's own noise would hide the daemon's share of a delay. So the daemon comes before everything
else (SCHED_DEADLINE, 0.9 ms of each millisecond); the good subscriber and the questions have real-time
priority. The attackers run at normal priority on all processors.
"""
import argparse
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.dont_write_bytecode = True
import floods  # noqa: E402,F401 (each adds its attacks to the table)
import limits  # noqa: E402,F401
import load  # noqa: E402,F401
from table import ATTACKS, markdown, run_attack  # noqa: E402
from victim import Bench  # noqa: E402


def note(text):
    print("test-hostile: " + text, file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    options.parallaxd = os.path.join(ROOT, ".build/release/parallaxd")
    if options.names and "/" in options.names[0]:
        options.parallaxd = options.names.pop(0)
    return options


def main():
    options = parse()
    chosen = [attack for attack in ATTACKS
              if not options.names or any(name in attack.name for name in options.names)]
    if options.list:
        for attack in chosen:
            print("%s: %s" % (attack.name, attack.text))
        return 0
    if os.geteuid() != 0:
        note("needs root: the attackers are other users")
        return 77
    if not chosen or not os.access(options.parallaxd, os.X_OK):
        note("no such attack" if not chosen else "no %s; build it with scripts/release" % options.parallaxd)
        return 64 if not chosen else 69
    rows = []
    bench = Bench(options.parallaxd)
    try:
        for attack in chosen:
            begin = time.monotonic()
            row = run_attack(attack, bench, options.runs)
            rows.append(row)
            note("%-40s %-6s %4.0f s" % (attack.name, "ok" if row.holds else "FAILED", time.monotonic() - begin))
            for line in row.lines():
                note("  " + line)
            if options.out:
                with open(options.out, "w") as file:
                    file.write(markdown(rows))
    finally:
        bench.close()
    print(markdown(rows), end="")
    failed = [row for row in rows if not row.holds]
    missed = [line for row in rows for line in row.lines_missed()]
    if missed:
        print("\nBounds that a run missed:\n\n" + "\n".join(missed))
    print("\ntest-hostile: %d passed, %d failed" % (len(rows) - len(failed), len(failed)))
    return 1 if failed else 0


sys.exit(main())
