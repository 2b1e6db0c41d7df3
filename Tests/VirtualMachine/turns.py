# SPDX-License-Identifier: Apache-2.0
"""turns.sh: numbers, signs, recording, latency, context switches."""
import json

from checks import Marks, Stream, check_losses, check_replay, fit_sine, plugged_at, read, read_json, turned

PLAIN = ["--scale", "5", "--smoothing", "none"]
# An orientation's (x, y) from those of the normal one.
TABLE = {
    "left-up": lambda x, y: (-y, x),
    "bottom-up": lambda x, y: (-x, -y),
    "right-up": lambda x, y: (y, -x),
}


def fitted(checks, what, offsets, key, begin, phase):
    """Checks amplitude, frequency and sign of one axis against the hub's motion."""
    times = [line["time"] - begin for line in offsets]
    hertz, amplitude, found = fit_sine(times, [line[key] for line in offsets], 0.5)
    checks.within("%s: amplitude" % what, amplitude, 2.5, 0.1, " px")
    checks.within("%s: frequency" % what, hertz, 0.5, 0.01, " Hz")
    # The hub reports its start some ms late; a wrong sign or axis is 90 degrees off or more.
    checks.within(
        "%s: phase" % what, turned(None if found is None else found - phase), 0, 15, " degrees")


def per_frame(counts, times):
    """Returns voluntary and involuntary context switches and CPU time in ns per frame between the two counts."""
    (begin, *before), (end, *after) = counts
    frames = sum(begin <= at < end for at in times)
    return [(b - a) / frames for a, b in zip(before, after)]


def check(folder, parallax, checks):
    marks = Marks(folder)
    checks.equal("turns: awaited lines that did not come", marks.missing(), [])
    normal = Stream(folder + "/normal.stream")
    end = (marks.at("turned") or 0) - 0.5
    offsets = normal.offsets(end - 10, end)
    checks.within("offsets in 10 s", len(offsets), 300, 10)
    # In the normal orientation, x comes from y's cosine and y from x's sine.
    begin = plugged_at(folder)
    fitted(checks, "x from y", offsets, "x", begin, 0)
    fitted(checks, "y from x", offsets, "y", begin, -90)
    for orientation, remap in TABLE.items():
        lines = map(json.loads, read(folder, orientation + ".txt").splitlines())
        theirs = {line["seq"]: line for line in lines}
        both = [(line, theirs[line["seq"]]) for line in offsets if line["seq"] in theirs]
        worst = max((max(abs(p - q) for p, q in zip(remap(a["x"], a["y"]), (b["x"], b["y"])))
                     for a, b in both), default=None)
        checks.that(len(both) >= 290 and worst < 0.0101, "%s against normal" % orientation,
                    "%s px in %d frames" % (worst, len(both)), "0.01 in at least 290")
    matrix = Stream(folder + "/matrix.stream")
    offsets = matrix.offsets(end - 10, end)
    checks.within("z: offsets in 10 s", len(offsets), 300, 10)
    fitted(checks, "x from z", offsets, "x", plugged_at(folder, 1), -90)

    latency = read_json(folder, "status.json").get("latency", {})
    for part, bound in ("p50", 0.02), ("p99", 0.2):
        value = latency.get(part)
        checks.at_most("latency %s" % part, value and value * 1000, bound * 1000, " ms")

    counts = {}
    for line in read(folder, "switches.txt").splitlines():
        name, *numbers = line.split()
        counts.setdefault(name, []).append([float(number) for number in numbers])
    reader = [json.loads(line)["time"] for line in read(folder, "reader.txt").splitlines()]
    ours = per_frame(counts["turns"], [line["time"] for line in normal.offsets()])
    theirs = per_frame(counts["reader"], reader)
    checks.at_most(
        "switches per frame, %.2f + %.2f : %.2f + %.2f" % (*ours[:2], *theirs[:2]), sum(ours[:2]) / sum(theirs[:2]),
        1.15, " times the reader's")
    # The emulated processor is 10 to 20 times slower than a real one.
    checks.at_most("CPU per frame, %.2f ms : %.2f ms" % (ours[2] / 1e6, theirs[2] / 1e6), ours[2] / theirs[2], 3,
                   " times the reader's")

    checks.equal("record: exit code", marks.value("recorded"), "0")
    check_replay(
        checks, parallax, "record, replay, bias off", folder, "off.csv", normal, PLAIN)
    check_losses(checks, "another program tries", normal, 1)
    checks.holds_text("another program tries: its error", read(folder, "intruder.txt"), "Device or resource busy")
