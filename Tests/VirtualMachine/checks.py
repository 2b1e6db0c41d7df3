# SPDX-License-Identifier: Apache-2.0
"""Shared by the scenarios' checks: counts, recorded streams, marks, and a sine fitted to offsets."""
import json
import math
import os
import re
import subprocess


class Checks:
    """Counts checks and prints one line for each: the result, the measured and the expected value."""

    def __init__(self):
        self.passed = self.failed = 0

    def that(self, holds, what, measured, expected=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
        line = "%-6s  %-46s  %s" % ("ok" if holds else "FAILED", what, str(measured))
        print(line + ("  (%s)" % (expected,) if expected else ""), flush=True)
        return holds

    def within(self, what, measured, middle, around, unit=""):
        holds = measured is not None and abs(measured - middle) <= around
        self.that(holds, what, shown(measured) + unit, "%g +- %g" % (middle, round(around, 6)))

    def at_most(self, what, measured, bound, unit=""):
        holds = measured is not None and measured <= bound
        self.that(holds, what, shown(measured) + unit, "<= %g" % bound)

    def equal(self, what, measured, expected):
        self.that(measured == expected, what, measured, expected)

    def holds_text(self, what, text, pattern):
        """Checks that a line of the text matches, and prints that line."""
        for line in str(text or "").splitlines():
            if re.search(pattern, line):
                return self.that(True, what, line.strip())
        return self.that(False, what, repr(text), pattern)


def shown(value):
    return "none" if value is None else "%.4g" % value


class Stream:
    """The lines that `client record` wrote, with their times of arrival."""

    def __init__(self, path):
        self.lines, self.begin, self.end = [], None, None
        if not os.path.exists(path):
            return
        with open(path) as file:
            for line in file:
                arrival, text = line.rstrip("\n").split(" ", 1)
                if text.startswith("{"):
                    self.lines.append((float(arrival), json.loads(text)))
                elif text == "CONNECTED":
                    self.begin = float(arrival)
                elif text == "EOF":
                    self.end = float(arrival)

    def of(self, name, begin=-math.inf, end=math.inf):
        """Returns (arrival, line) of each line of one class."""
        return [(at, line) for at, line in self.lines
                if line["class"] == name and begin <= at < end]

    def offsets(self, begin=-math.inf, end=math.inf):
        """Returns the OFFSET lines whose time is in the range."""
        return [line for _, line in self.of("OFFSET") if begin <= line["time"] < end]

    def states(self):
        """Returns (arrival, state, reason) of each change of state."""
        changes = []
        for at, line in self.of("DEVICE"):
            if not changes or changes[-1][1] != line["state"]:
                changes.append((at, line["state"], line.get("reason", "")))
        return changes

    def reason(self, state):
        """Returns the reason in the first DEVICE line with a state, or None."""
        for _, line in self.of("DEVICE"):
            if line["state"] == state:
                return line.get("reason", "")
        return None


class Marks:
    """The marks that a guest script set: times and names."""

    def __init__(self, folder):
        self.all = []
        path = os.path.join(folder, "marks.txt")
        if os.path.exists(path):
            with open(path) as file:
                for line in file:
                    at, name = line.rstrip("\n").split(" ", 1)
                    self.all.append((float(at), name))

    def at(self, name, after=-math.inf):
        """Returns the time of the first mark with a name after a time, or None."""
        return next((at for at, each in self.all if each == name and at > after), None)

    def value(self, name):
        """Returns the rest of a mark after its name, such as the exit code in `recorded 0`, or None."""
        for _, each in self.all:
            if each.startswith(name + " "):
                return each[len(name) + 1:]
        return None

    def missing(self):
        """Returns the texts that the script awaited and that did not come."""
        return [name[len("missing "):] for _, name in self.all if name.startswith("missing ")]


def read(folder, name):
    """Returns the text of a file; "" if there is none."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as file:
        return file.read()


def read_json(folder, name):
    try:
        return json.loads(read(folder, name))
    except ValueError:
        return {}


def plugged_at(folder, number=0):
    """Returns the time at which the sine of a hub's sensor started, from the hubs' log."""
    times = re.findall(r"\[hidgyro ([0-9.]+)\] plugged", read(folder, "hub.txt"))
    return float(times[number])


def projection(times, values, hertz):
    """Fits c + a cos + b sin at one frequency: returns a, b and the sum of squared residuals."""
    rows = [(1.0, math.cos(2 * math.pi * hertz * t), math.sin(2 * math.pi * hertz * t))
            for t in times]
    matrix = [[sum(r[i] * r[j] for r in rows) for j in range(3)]
              + [sum(r[i] * v for r, v in zip(rows, values))] for i in range(3)]
    for i in range(3):
        for j in range(3):
            if i != j:
                factor = matrix[j][i] / matrix[i][i]
                matrix[j] = [q - factor * p for p, q in zip(matrix[i], matrix[j])]
    c, a, b = (matrix[i][3] / matrix[i][i] for i in range(3))
    residual = sum((c * r[0] + a * r[1] + b * r[2] - v) ** 2 for r, v in zip(rows, values))
    return a, b, residual


def fit_sine(times, values, hertz):
    """Fits a sine near a frequency: returns Hz, amplitude and cosine phase at time 0 in degrees."""
    if len(times) < 30:
        return None, None, None
    low, high = hertz * 0.8, hertz * 1.2
    while high - low > hertz * 1e-5:
        third = (high - low) / 3
        if projection(times, values, low + third)[2] < projection(times, values, high - third)[2]:
            high -= third
        else:
            low += third
    found = (low + high) / 2
    a, b, _ = projection(times, values, found)
    a0, b0, _ = projection(times, values, hertz)
    return found, math.hypot(a, b), math.degrees(math.atan2(-b0, a0))


def turned(degrees):
    """Returns an angle in the range -180...180."""
    return None if degrees is None else (degrees + 180) % 360 - 180


def check_losses(checks, what, stream, count, returns=None):
    """Checks the order of states, and (0, 0) after each loss, before or when it streams again.

    `returns` is the number of times that it streams again; default: `count`."""
    expected = ["streaming"] + ["lost", "streaming"] * count
    if returns is not None and returns < count:
        expected.pop()
    states = stream.states()
    names = [name for _, name, _ in states]
    first = names.index("streaming") if "streaming" in names else 0
    names = [name for name in names[first:] if name != "ended"]
    checks.that(
        names == expected, what + ": states",
        ", ".join(names) if len(names) < 8 else "%d, last %s" % (len(names), names[-1]),
        "streaming and lost in turn, lost %d times" % count)
    times, zeros = [], 0
    for index, (at, name, _) in enumerate(states):
        if name != "lost":
            continue
        until = states[index + 1][0] if index + 1 < len(states) else float("inf")
        offsets = stream.of("OFFSET", at, until) + stream.of("OFFSET", until)[:1]
        rest = next((n for n, line in offsets if line["x"] == 0 and line["y"] == 0), None)
        if rest:
            zeros += 1
            times.append(rest - at)
    checks.equal(what + ": (0, 0) after each loss", zeros, count)
    checks.at_most(what + ": loss to (0, 0), worst", max(times, default=None), 0.6, " s")


def check_replay(checks, parallax, what, folder, recording, stream, options):
    """Checks that `parallax replay` of a recording prints what was published during the recording."""
    done = subprocess.run(
        [parallax, "replay", os.path.join(folder, recording)] + options,
        capture_output=True, text=True)
    if done.returncode != 0:
        return checks.that(False, what, done.stderr.strip() or "exit %d" % done.returncode)
    rows = [tuple(map(float, line.split(","))) for line in done.stdout.splitlines()[1:]]
    published = stream.offsets()
    best = (0, math.inf, 0)
    # The recording starts at the published frame whose times continue like those of the rows.
    for start in range(len(published)):
        count, largest = 0, 0.0
        zero = published[start]["time"]
        for (t, x, y), line in zip(rows, published[start:]):
            if abs(line["time"] - zero - t) > 2e-6:
                break
            count += 1
            if t > 0.35:
                largest = max(largest, abs(line["x"] - x), abs(line["y"] - y))
        best = max(best, (count, -largest, start))
    count, largest = best[0], -best[1]
    checks.that(
        count >= len(rows) - 2 and count > 100 and largest <= 0.0050006,
        what, "%d of %d rows, largest difference %.6f px" % (count, len(rows), largest),
        "all, <= 0.005")
