#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmarks/run.py [--runs N] [--record] [--list] [NAME...]

Measures the release build beside its baselines and prints one table. NAME is an area, Benchmarks/NAME.py;
without names all areas run. Baselines are C and C++ programs in Benchmarks/baselines, built here with -O2.
Timed runs alternate with those of their baseline, so that a busy machine slows both. Exits with 1 if a row
is above its bound, or an instruction count more than 10 % above the one in Benchmarks/instructions.

  --runs N   timed runs of each program (default: 7)
  --record   writes the instruction counts to Benchmarks/instructions
  --list     lists the areas
"""
import argparse
import glob
import importlib
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
from harness import Bench, Unusable  # noqa: E402

# Modules that the areas share.
NO_AREAS = ["run", "harness", "live", "documents", "audience"]


def areas():
    names = [os.path.basename(path)[:-3] for path in glob.glob(os.path.join(FOLDER, "*.py"))]
    return sorted(name for name in names if name not in NO_AREAS)


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("\n")[0], description=__doc__.split("\n", 2)[2],
                                      formatter_class=argparse.RawDescriptionHelpFormatter, add_help=False)
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--record", action="store_true")
    options.add_argument("--list", action="store_true")
    options.add_argument("--help", "-h", action="store_true")
    options.add_argument("names", nargs="*")
    given = options.parse_args()
    if given.help:
        print(__doc__.rstrip())
        return 0
    if given.list:
        print("\n".join(areas()))
        return 0
    if given.runs < 1:
        sys.exit("bench: --runs %d: a number of at least 1 is expected" % given.runs)
    unknown = [name for name in given.names if name not in areas()]
    if unknown:
        sys.exit("bench: no area \"%s\"; the areas are: %s" % (unknown[0], " ".join(areas())))
    with Bench(given.runs, given.record) as bench:
        for name in given.names or areas():
            bench.begin(name)
            try:
                importlib.import_module(name).measure(bench)
            except Unusable as error:
                bench.fail("%s: %s" % (name, error))
        return bench.finish()


if __name__ == "__main__":
    sys.exit(main())
