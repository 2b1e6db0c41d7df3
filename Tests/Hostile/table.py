# SPDX-License-Identifier: Apache-2.0
"""The attacks, their bounds, and the tables of what was measured."""
import math
import traceback

from victim import median

ATTACKS = []


class Attack:
    """A function that attacks a new daemon and returns figures by name."""

    def __init__(self, function, name, bounds):
        self.function, self.name, self.bounds = function, name, bounds
        self.text = " ".join(function.__doc__.split())


class Bound:
    """The limit of one figure: at most, or at least if `least`; None: the figure is for information.

    always: every run must meet it, not only the median. Such a figure counts what the daemon does; the
    machine's noise does not change it."""

    def __init__(self, figure, unit, limit=None, least=False, always=False):
        self.figure, self.unit, self.limit, self.least = figure, unit, limit, least
        self.always = always

    def holds(self, value):
        if self.limit is None:
            return True
        if value is None or math.isnan(value):
            return False
        return value >= self.limit if self.least else value <= self.limit

    def text(self):
        if self.limit is None:
            return ""
        return "%s %s" % (">=" if self.least else "<=", shown(self.limit, self.unit))


def shown(value, unit):
    if value is None or math.isnan(value):
        return "none"
    text = "%d" % value if value == int(value) or abs(value) >= 1000 else "%.3g" % value
    return text + (" " + unit if unit else "")


def attack(name, *bounds):
    """Adds a function to the table."""

    def add(function):
        ATTACKS.append(Attack(function, name, bounds))
        return function

    return add


class Row:
    """The figures of an attack: medians of its runs."""

    def __init__(self, attack, runs, errors):
        self.attack, self.runs, self.errors = attack, runs, errors
        names = {name for run in runs for name in run}
        self.figures = {
            name: median([run[name] for run in runs if name in run]) for name in names
            if not name.startswith("text:")}
        self.texts = {name[5:]: runs[-1][name] for name in names if name.startswith("text:")} if runs else {}

    def missed(self, bound):
        """Returns the number of runs that miss a bound."""
        return sum(not bound.holds(run.get(bound.figure)) for run in self.runs)

    def bound_holds(self, bound):
        if bound.always and self.missed(bound):
            return False
        return bound.holds(self.figures.get(bound.figure))

    @property
    def holds(self):
        return not self.errors and all(map(self.bound_holds, self.attack.bounds))

    def lines(self):
        return [self.line(bound) for bound in self.attack.bounds] + [
            "| %s | %s | | | **FAILED** |" % (self.attack.name, error.replace("|", "/"))
            for error in self.errors]

    def line(self, bound):
        measured = shown(self.figures.get(bound.figure), bound.unit)
        result = "" if bound.limit is None else "ok" if self.bound_holds(bound) else "**FAILED**"
        if self.missed(bound):
            measured += " (%s)" % ", ".join(shown(run.get(bound.figure), "") for run in self.runs)
            result += ", %d of %d missed" % (self.missed(bound), len(self.runs))
        return "| %s | %s | %s | %s | %s |" % (
            self.attack.name, bound.figure, bound.text(), measured, result)

    def lines_missed(self):
        """Returns the lines of the bounds that a run missed, and of the errors."""
        return [line for line in self.lines() if "FAILED" in line or "missed" in line]


def run_attack(attack, bench, times):
    """Runs an attack some times, each with a new daemon."""
    runs, errors = [], []
    for _ in range(times):
        try:
            runs.append(attack.function(bench))
        except Exception as error:  # A daemon that is gone or dumb ends the row, not the table.
            errors.append("%s: %s" % (type(error).__name__, str(error).strip() or "no text"))
            traceback.print_exc()
            break
    return Row(attack, runs, errors)


def markdown(rows):
    """Returns the tables of all rows."""
    lines = ["| attack | figure | bound | measured | |", "|---|---|---|---|---|"]
    for row in rows:
        lines += row.lines()
    with_victim = [row for row in rows if "quiet" in row.texts]
    if with_victim:
        lines += [
            "", "The good subscriber: lateness p50 / p99 / max and longest gap, ms; the daemon's memory"
            " before, at most and after, MB; its share of a processor during the attack; the attackers'"
            " connections and the MB they sent; the stalls of a processor, when not even a program that"
            " comes first runs, and their ms, which do not count as lateness.", "",
            "| attack | quiet | attack | after | memory | CPU | attackers | stalls |",
            "|---|---|---|---|---|---|---|---|"]
        for row in with_victim:
            lines.append("| %s | %s |" % (row.attack.name, " | ".join(
                str(row.texts.get(name, "")) for name in ("quiet", "attack", "after", "memory", "cpu", "load", "stalls"))))
    lines += ["", "What the attackers do:", ""]
    lines += ["- %s: %s" % (row.attack.name, row.attack.text) for row in rows]
    return "\n".join(lines) + "\n"
