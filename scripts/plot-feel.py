#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/plot-feel.py [--table]

Measures the smoothings on the five recordings with `parallax feel`, prints the tables of docs/feel.md and
draws its pictures, docs/feel-frontier.svg and docs/feel-second.svg (with --table only the tables). Needs
matplotlib and the release build. $PARALLAX_PROGRAMS is the folder of the programs (.build/release),
$OUTPUT that of the pictures (docs).
"""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/release")
OUTPUT = os.environ.get("OUTPUT") or os.path.join(ROOT, "docs")

RECORDINGS = [
    ("sensorlogger-iphone12/Gyroscope.csv", "phone in the hand"),
    ("phyphox-walk/Gyroscope.csv", "phone, walking"),
    ("sensorlogger-uncal/GyroscopeUncalibrated.csv", "phone, uncalibrated"),
    ("xio-fusion/sensor_data.csv", "sensor turned by hand"),
    ("xio-gait/short_walk.csv", "sensor on a foot"),
]
OLD = "one-euro:1,0.2,1"
# The default of release 0.1: no velocities in its frames, so its client continues along the last two.
BEFORE = "release 0.1"
# Its client.
FIRST = ["--client", "positions", "--on-change", "off"]
TABLE = ["auto", "auto:calm", OLD, "none", "ema:0.1", "spring:0.4"]
FAMILIES = [
    ("auto", ["auto"], "tab:red", "D"),
    ("auto:calm", ["auto:calm"], "tab:orange", "D"),
    ("none", ["none"], "0.35", "s"),
    ("ema:TAU", ["ema:%g" % t for t in (0.02, 0.05, 0.1, 0.2)], "tab:blue", "o"),
    ("spring:RESPONSE", ["spring:%g" % t for t in (0.1, 0.2, 0.4)], "tab:green", "o"),
    ("one-euro:MINCUTOFF,0.2", ["one-euro:%g,0.2" % c for c in (0.3, 1, 2, 4)], "tab:purple", "o"),
    ("one-euro:1,BETA", ["one-euro:1,%g" % b for b in (0.02, 0.07, 0.7, 2, 7)], "tab:pink", "o"),
]


def feel(recording, *options):
    """The figures of a recording, one dictionary per smoothing."""
    command = [os.path.join(PROGRAMS, "parallax"), "feel", os.path.join(ROOT, "Tests/Recordings", recording),
               "--format", "json", *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def quadratic_mean(values):
    known = [value * value for value in values if value is not None]
    return math.sqrt(sum(known) / len(known)) if known else None


def text(value, digits):
    return "-" if value is None else "%.*f" % (digits, value)


def table(mode):
    """A Markdown table: means over the recordings, with the scale fitted; jitter with the default scale."""
    options = ["--mode", mode]
    fitted = [feel(name, *options, "--fit", "--compare", *TABLE) for name, _ in RECORDINGS]
    plain = [feel(name, *options, "--unrounded", "--compare", *TABLE) for name, _ in RECORDINGS]
    before = [feel(name, *options, "--fit", *FIRST, "--compare", OLD)[0] for name, _ in RECORDINGS]
    print("\n%s mode:\n" % mode.capitalize())
    print("| smoothing | lag, ms (each recording) | slow | err | judder | tremor | rest | over | settle | onset |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = [(name, [rows[i] for rows in fitted], [rows[i] for rows in plain]) for i, name in enumerate(TABLE)]
    rows.insert(3, (BEFORE, before, [rows[TABLE.index(OLD)] for rows in plain]))
    for name, here, quiet in rows:
        lags = [row["lag"] for row in here]
        print("| %s | %s (%s) | %s | %s | %s | %s | %s | %s | %s | %s |" % (
            name if name == BEFORE else "`%s`" % name,
            text(mean(lags), 1), " ".join(text(lag, 0) for lag in lags),
            text(mean([row["slow"] for row in here]), 1), text(mean([row["err"] for row in here]), 3),
            text(mean([row["judder"] for row in here]), 1), text(mean([row["tremor"] for row in here]), 2),
            text(quadratic_mean([row["rest"] for row in quiet]), 1),
            text(mean([row["over"] for row in here]), 0), text(mean([row["settle"] for row in here]), 0),
            text(mean([row["onset"] for row in here]), 0)))


def clients():
    """A Markdown table of `auto` with and without a tolerance, drawn at once and ahead."""
    print("\n| mode | frames | ahead, ms | scale | lag, ms (each recording) | err | judder | frames/s |")
    print("|---|---|---|---|---|---|---|---|")
    for mode in ("rate", "tilt"):
        for frames, tolerance in (("30", "off"), ("within 0.01 px", "0.01")):
            for ahead in ("0", "16.7"):
                for scale, more in (("default", []), ("`--fit`", ["--fit"])):
                    rows = [feel(name, "--mode", mode, "--on-change", tolerance, "--ahead", ahead, *more)[0]
                            for name, _ in RECORDINGS]
                    lags = [row["lag"] for row in rows]
                    print("| %s | %s | %s | %s | %s (%s) | %s | %s | %s |" % (
                        mode, frames, ahead, scale, text(mean(lags), 1), " ".join(text(lag, 1) for lag in lags),
                        text(mean([row["err"] for row in rows]), 3), text(mean([row["judder"] for row in rows]), 2),
                        text(mean([row["frames"] for row in rows]), 0)))


def frontier(plt):
    figure, axes = plt.subplots(1, 2, figsize=(11, 5))
    for axis, mode in zip(axes, ("rate", "tilt")):
        names = [name for _, names, _, _ in FAMILIES for name in names]
        fitted = [feel(r, "--mode", mode, "--fit", "--unrounded", "--compare", *names) for r, _ in RECORDINGS]
        plain = [feel(r, "--mode", mode, "--unrounded", "--compare", *names) for r, _ in RECORDINGS]
        points = {name: (quadratic_mean([rows[i]["rest"] for rows in plain]),
                         mean([rows[i]["lag"] for rows in fitted])) for i, name in enumerate(names)}
        for family, members, color, marker in FAMILIES:
            if mode == "tilt" and family == "auto:calm" and points["auto:calm"] == points["auto"]:
                continue
            axis.plot([points[m][0] for m in members], [points[m][1] for m in members], marker=marker,
                      color=color, linewidth=1.2, markersize=9 if marker == "D" else 5, label=family,
                      zorder=3 if marker == "D" else 2)
            for member in members if len(members) > 1 else []:
                values = member.split(":")[1].split(",")
                axis.annotate(values[1] if family.endswith("BETA") else values[0], points[member],
                              xytext=(4, 4), textcoords="offset points", fontsize=7, color=color)
        before = [feel(r, "--mode", mode, "--fit", "--unrounded", *FIRST, "--compare", OLD)[0]["lag"]
                  for r, _ in RECORDINGS]
        axis.plot([points["one-euro:1,0.2"][0]], [mean(before)], marker="X", color="black", markersize=9,
                  linestyle="none", label=BEFORE, zorder=3)
        axis.set_title("%s mode" % mode, fontsize=11)
        axis.set_xlabel("jitter at rest, 0.001 px RMS")
        axis.set_ylabel("lag, ms")
        axis.set_ylim(bottom=0)
        axis.set_xlim(left=-0.4 if mode == "rate" else 0)
        axis.grid(alpha=0.3, linewidth=0.5)
    axes[1].legend(fontsize=8, loc="upper left", framealpha=1)
    figure.suptitle("Lag against jitter at rest: a 120 Hz display, drawn one picture ahead; lower left is better",
                    fontsize=11)
    figure.tight_layout()
    save(figure, "feel-frontier.svg")


def second(plt):
    """One second of a recording as it is drawn."""
    recording, start = "sensorlogger-uncal/GyroscopeUncalibrated.csv", float(os.environ.get("START", 0))
    figure, axes = plt.subplots(2, 1, figsize=(9, 6.4), sharex=True)
    for axis, mode in zip(axes, ("rate", "tilt")):
        drawn = {}
        for name, options in (("auto", ["--smoothing", "auto"]),
                              (BEFORE, ["--smoothing", OLD, *FIRST])):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "pictures.csv")
                feel(recording, "--mode", mode, "--fit", "--pictures", path, *options)
                with open(path) as file:
                    drawn[name] = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        rows = drawn["auto"]
        if not start:
            start = liveliest(rows)
        inside = [i for i, row in enumerate(rows) if start <= row["t"] <= start + 1]
        times = [rows[i]["t"] - start for i in inside]
        axis.plot(times, [rows[i]["ideal-x"] for i in inside], color="black", linewidth=2.4, alpha=0.35, label="ideal")
        for name, color in (("auto", "tab:red"), (BEFORE, "tab:blue")):
            axis.plot(times, [drawn[name][i]["x"] for i in inside], color=color, linewidth=1.1, marker=".",
                      markersize=3, label=name)
        axis.set_ylabel("x, px (%s mode)" % mode)
        axis.grid(alpha=0.3, linewidth=0.5)
    axes[0].legend(fontsize=9, framealpha=1)
    axes[1].set_xlabel("time, s")
    figure.suptitle("A second of a phone in the hand, picture by picture at 120 Hz", fontsize=11)
    figure.tight_layout()
    save(figure, "feel-second.svg")


def liveliest(rows):
    """The start of a second in which x moves much and turns often."""
    best = (0, rows[0]["t"])
    for first in range(0, len(rows) - 120, 30):
        part = [row["ideal-x"] for row in rows[first:first + 120]]
        path = sum(abs(b - a) for a, b in zip(part, part[1:]))
        if max(map(abs, part)) < 4.8:
            best = max(best, (path, rows[first]["t"]))
    return best[1]


def save(figure, name):
    figure.savefig(os.path.join(OUTPUT, name), metadata={"Date": None})
    figure.savefig(os.path.join(os.environ.get("PREVIEW") or tempfile.gettempdir(), name.replace(".svg", ".png")), dpi=110)


def main():
    for mode in ("rate", "tilt"):
        table(mode)
    clients()
    if "--table" in sys.argv[1:]:
        return
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "parallax", "svg.fonttype": "none", "font.family": "DejaVu Sans",
                                "font.size": 9, "figure.facecolor": "white"})
    import matplotlib.pyplot as plt
    frontier(plt)
    second(plt)


if __name__ == "__main__":
    main()
