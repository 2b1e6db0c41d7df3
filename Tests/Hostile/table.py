# SPDX-License-Identifier: Apache-2.0
"""The attacks, their bounds, and the tables of what was measured."""
import math
import traceback

from victim import median

ATTACKS = []


class Attack:
    """A function that attacks a new daemon and returns figures by name."""

    def __init__(self, function, name, bounds, short):
        self.function, self.name, self.bounds, self.short = function, name, bounds, short
        self.text = " ".join(function.__doc__.split())


class Bound:
    """The limit of one figure: at most, or at least if `least`; None: the figure is for information."""

    def __init__(self, figure, unit, limit=None, least=False):
        self.figure, self.unit, self.limit, self.least = figure, unit, limit, least

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


def attack(name, *bounds, short=False):
    """Adds a function to the table. With `short` it is part of the short form, too."""

    def add(function):
        ATTACKS.append(Attack(function, name, bounds, short))
        return function

    return add


class Row:
    """The figures of an attack: medians of its runs."""

    def __init__(self, attack, runs, errors):
        self.attack, self.errors = attack, errors
        names = {name for run in runs for name in run}
        self.figures = {
            name: median([run[name] for run in runs if name in run]) for name in names
            if not name.startswith("text:")}
        self.texts = {name[5:]: runs[-1][name] for name in names if name.startswith("text:")} if runs else {}

    @property
    def holds(self):
        return not self.errors and all(
            bound.holds(self.figures.get(bound.figure)) for bound in self.attack.bounds)

    def lines(self):
        lines = []
        for bound in self.attack.bounds:
            value = self.figures.get(bound.figure)
            result = "" if bound.limit is None else "ok" if bound.holds(value) else "**FAILED**"
            lines.append("| %s | %s | %s | %s | %s |" % (
                self.attack.name, bound.figure, bound.text(), shown(value, bound.unit), result))
        for error in self.errors:
            lines.append("| %s | %s | | | **FAILED** |" % (self.attack.name, error.replace("|", "/")))
        return lines


def run_attack(attack, bench, times):
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
            " connections and the MB they sent.", "",
            "| attack | quiet | attack | after | memory | CPU | attackers |", "|---|---|---|---|---|---|---|"]
        for row in with_victim:
            lines.append("| %s | %s |" % (row.attack.name, " | ".join(
                str(row.texts.get(name, "")) for name in ("quiet", "attack", "after", "memory", "cpu", "load"))))
    lines += ["", "What the attackers do:", ""]
    lines += ["- %s: %s" % (row.attack.name, row.attack.text) for row in rows]
    return "\n".join(lines) + "\n"
