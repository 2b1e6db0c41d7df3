# SPDX-License-Identifier: Apache-2.0
"""Runs programs side by side, measures them and prints the table of Benchmarks/run.py."""
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(FOLDER)
RECORDINGS = os.path.join(ROOT, "Tests/Recordings")
PROGRAMS = os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/release")
PARALLAX = os.path.join(PROGRAMS, "parallax")
PARALLAXD = os.path.join(PROGRAMS, "parallaxd")
INSTRUCTIONS = os.path.join(FOLDER, "instructions")
# How far an instruction count may grow.
MAX_GROWTH = 1.10
HEADER = "what", "median", "spread", "baseline", "ratio", "bound"


class Unusable(Exception):
    """An area cannot be measured; the message says why."""


def note(text):
    print("bench: " + text, file=sys.stderr, flush=True)


def number(value):
    """Three significant digits or all digits before the point, without an exponent."""
    if abs(value) >= 100:
        return "%.0f" % value
    return "%.*f" % (1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3, value)


def spread(values):
    """The middle half of the values."""
    if len(values) < 4:
        return "%s..%s" % (number(min(values)), number(max(values)))
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return "%s..%s" % (number(low), number(high))


def memory(pid):
    """A process's memory in MiB, by kind. `Anonymous` is what it takes itself; how many pages of files are resident
    depends on how the kernel's cache was filled."""
    with open("/proc/%d/smaps_rollup" % pid) as file:
        rows = (line.split() for line in file)
        return {row[0].rstrip(":"): int(row[1]) / 1024 for row in rows if row[-1] == "kB"}


class Bench:
    """The rows of the table, a folder in memory, and the baselines that were built."""

    def __init__(self, runs, is_recording=False):
        self.runs, self.is_recording = runs, is_recording
        self.rows, self.failures = [], []
        self.counts = self.read_counts()
        # Data is in memory: a disk would be measured otherwise.
        self.folder = tempfile.mkdtemp(prefix="parallax-bench-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)

    def __enter__(self):
        for program in PARALLAX, PARALLAXD:
            if not os.access(program, os.X_OK):
                shutil.rmtree(self.folder)
                sys.exit("bench: no %s; run scripts/release" % program)
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        """A path in the folder in memory."""
        return os.path.join(self.folder, name)

    # MARK: Programs

    def baseline(self, name, *options):
        """Builds Benchmarks/baselines/NAME.c or NAME.cpp and returns the program's path."""
        source = os.path.join(FOLDER, "baselines", name)
        program = self.path(name.replace(".", "-"))
        compiler = ["g++", "-std=c++20"] if name.endswith(".cpp") else ["gcc", "-std=gnu11"]
        if not os.path.exists(program):
            build = subprocess.run(
                compiler + ["-O2", "-Wall", "-Wextra", "-o", program, source, *options, "-pthread", "-lm"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if build.returncode:
                raise Unusable(build.stdout)
        return program

    def usage(self, command, **options):
        """Runs a program, which must succeed. Returns its CPU seconds, user and system, its wall seconds."""
        begin = time.monotonic()
        process = subprocess.Popen(command, **options)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise Unusable("exit %d: %s" % (process.returncode, " ".join(command)))
        return usage.ru_utime + usage.ru_stime, wall

    def cpu(self, command, **options):
        """The CPU seconds of one run, user and system."""
        return self.usage(command, **options)[0]

    def wall(self, command, **options):
        """The seconds from the start of one run to its end."""
        return self.usage(command, **options)[1]

    def peak_megabytes(self, command, **options):
        """The most anonymous memory of one run, in MiB, sampled 500 times a second."""
        process, peak = subprocess.Popen(command, **options), 0
        while process.poll() is None:
            try:
                peak = max(peak, memory(process.pid)["Anonymous"])
            except (OSError, KeyError):
                continue
            time.sleep(0.002)
        if process.returncode or peak == 0:
            raise Unusable("exit %d: %s" % (process.returncode, " ".join(command)))
        return peak

    def touch_memory(self, size):
        """Uses as many bytes of memory once. A virtual machine gets its memory from its host at the first use, which costs
        a program that happens to be the first up to a second of CPU a GB."""
        path = self.path("touched")
        with open(path, "wb") as file:
            for _ in range(size // (1 << 20)):
                file.write(bytes(1 << 20))
        os.remove(path)

    def interleaved(self, runs, functions):
        """Calls the functions in turn. Returns what each has returned, by name; each turn begins with another one."""
        values = {name: [] for name in functions}
        names = list(functions)
        for turn in range(runs):
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                values[name].append(functions[name]())
        return values

    # MARK: Rows

    def begin(self, area):
        note(area)
        self.area = area

    def add(self, what, median, spread="", baseline="", ratio="", bound="", failed=False):
        self.rows.append((what, median, spread, baseline, ratio, bound + (" MISSED" if failed else "")))
        if failed:
            self.failures.append("%s: %s %s, bound %s" % (what, median, ratio and "ratio " + ratio, bound))
        note("  ".join(filter(None, self.rows[-1])))

    def ratio(self, what, ours, baseline, unit, bound=None):
        """A row of paired runs: the ratio is the median of the pairs' ratios."""
        pairs = [a / b for a, b in zip(ours, baseline) if b > 0]
        if not pairs:
            raise Unusable("%s: the baseline measured nothing" % what)
        ratio = statistics.median(pairs)
        self.add(what, "%s %s" % (number(statistics.median(ours)), unit), spread(ours),
                 "%s %s" % (number(statistics.median(baseline)), unit), "%.2f" % ratio,
                 "<= %g" % bound if bound is not None else "", bound is not None and ratio > bound)
        return ratio

    def value(self, what, values, unit, bound=None):
        """A row without a baseline: the median must not be above the bound."""
        median = statistics.median(values)
        self.add(what, ("%s %s" % (number(median), unit)).rstrip(), spread(values) if len(values) > 1 else "",
                 bound="<= %g" % bound if bound is not None else "", failed=bound is not None and median > bound)
        return median

    def peer(self, what, name, values, unit):
        """A row of what a user would take instead; None for a peer that is not installed here."""
        if values is None:
            self.add("%s, %s" % (what, name), "not installed")
        else:
            self.add("%s, %s" % (what, name), "%s %s" % (number(statistics.median(values)), unit),
                     spread(values) if len(values) > 1 else "")

    def fail(self, text):
        self.rows.append((text.splitlines()[0], "", "", "", "", "FAILED"))
        self.failures.append(text)
        note(text)

    # MARK: Instruction counts

    def read_counts(self):
        """Benchmarks/instructions: a machine, a count and a name each line."""
        counts = {}
        if os.path.exists(INSTRUCTIONS):
            with open(INSTRUCTIONS) as file:
                for line in file:
                    if line.strip() and not line.startswith("#"):
                        machine, count, name = line.rstrip("\n").split(None, 2)
                        counts[machine, name] = int(count)
        return counts

    def write_counts(self):
        with open(INSTRUCTIONS, "w") as file:
            file.write("# Instructions that callgrind has counted in the release build, by processor; written by\n"
                       "# \"Benchmarks/run.py --record\". A count that grows by more than 10 % fails \"make bench\".\n")
            for (machine, name), count in sorted(self.counts.items()):
                file.write("%s %d %s\n" % (machine, count, name))

    def without_debugging(self, program):
        """A copy without debug information, which valgrind 3.19 cannot read from Swift's programs."""
        copy = self.path(os.path.basename(program))
        if not os.path.exists(copy):
            subprocess.run(["objcopy", "--strip-debug", program, copy], check=True)
        return copy

    def instructions(self, what, command, **options):
        """A row of the instructions of one run; they do not depend on how busy the machine is."""
        report = self.path("callgrind")
        command = [self.without_debugging(command[0])] + command[1:]
        options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **options}
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + report] + command, text=True, **options)
        found = re.search(r"Collected : (\d+)", run.stderr or "")
        if run.returncode or not found:
            raise Unusable("callgrind: exit %d: %s\n%s" % (run.returncode, " ".join(command), run.stderr))
        self.count(what, int(found[1]))

    def count(self, what, count):
        """A row of an instruction count that an area has taken itself."""
        key = platform.machine(), what
        recorded = self.counts.get(key)
        if self.is_recording:
            self.counts[key] = count
        text = "%s M instr." % number(count / 1e6)
        if recorded is None:
            self.add(what, text, bound="" if self.is_recording else "not recorded")
            return
        ratio = count / recorded
        self.add(what, text, baseline="%s M" % number(recorded / 1e6), ratio="%.2f" % ratio,
                 bound="<= %g" % MAX_GROWTH, failed=ratio > MAX_GROWTH and not self.is_recording)

    # MARK: The table

    def finish(self):
        """Prints the table and returns the exit code."""
        if self.is_recording:
            self.write_counts()
        widths = [max(len(row[column]) for row in self.rows + [HEADER]) for column in range(len(HEADER))]
        for row in [HEADER, tuple("-" * width for width in widths)] + self.rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print()
        for failure in self.failures:
            print("bench: FAILED: " + failure)
        print("bench: %d rows, %d failed" % (len(self.rows), len(self.failures)))
        return 1 if self.failures else 0
