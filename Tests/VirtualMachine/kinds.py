# SPDX-License-Identifier: Apache-2.0
"""kinds.sh: sample formats, timestamps, a busy gyroscope, two gyroscopes, bias."""
import json
import statistics

from checks import Marks, Stream, check_losses, check_replay, fit_sine, read, read_json

REST = ["--scale", "50", "--range=-50:50", "--smoothing", "none"]
# 0.005 rad/s.
MAX_RESIDUAL = 0.25


def largest(offsets):
    return max((max(abs(line["x"]), abs(line["y"])) for line in offsets), default=None)


def check_bias(folder, parallax, checks, marks):
    rest = Stream(folder + "/rest.stream")
    begin = next((line["time"] for line in rest.offsets()), 0)
    end = marks.at("rest end") or 0
    checks.at_most("bias: residual after 6 s at rest", largest(rest.offsets(begin + 6.3, end)), MAX_RESIDUAL,
                   " px at 50 px per rad/s")
    again = Stream(folder + "/again.stream")
    begin = next((line["time"] for line in again.offsets()), 0)
    turn, turned = marks.at("turn") or 0, marks.at("turned") or 0
    checks.at_most("bias: kept over a restart", largest(again.offsets(begin + 0.5, turn)), MAX_RESIDUAL,
                   " px at 50 px per rad/s")
    # The turn is about x, which controls y.
    slow = again.offsets(turned - 1, turned)
    mean = statistics.fmean(line["y"] for line in slow) if slow else None
    checks.within("bias: sixth second of a turn at 0.3 rad/s", mean, 15, 0.3, " px")
    checks.at_most("bias: at rest again", largest(again.offsets(turned + 0.5, turned + 2)), MAX_RESIDUAL,
                   " px at 50 px per rad/s")
    checks.equal("record: exit code", marks.value("recorded"), "0")
    check_replay(
        checks, parallax, "record, replay, bias auto", folder, "auto.csv", again, REST)


def check_busy(folder, checks, marks):
    busy = Stream(folder + "/busy.stream")
    checks.holds_text("opened by another program", busy.reason("busy"), ".")
    checks.holds_text("doctor: names the holder", read(folder, "doctor-held.txt"), "held by .*reader")
    times = [json.loads(line)["time"] for line in read(folder, "holder.txt").splitlines()]
    steps = [b - a for a, b in zip(times, times[1:])]
    checks.at_most("holder's stream, longest step", max(steps, default=None), 0.25, " s")
    gone = marks.at("holder gone 0")
    back = next((at for at, name, _ in busy.states() if name == "streaming"), None)
    checks.at_most("holder's end to streaming", gone and back and back - gone, 31, " s")


def check_bare(folder, checks, marks):
    bare = Stream(folder + "/bare.stream")
    check_losses(checks, "without udevd", bare, 1)
    begin, plugged = marks.at("begin bare"), marks.at("back")
    times = {name: at for at, name, _ in bare.states()}
    lost, again = times.get("lost"), times.get("streaming")
    checks.at_most("without udevd: unplugged to lost", lost and begin and lost - begin, 1.5, " s")
    checks.at_most("without udevd: plugged to streaming", again and plugged and again - plugged, 31,
                   " s")


def check(folder, parallax, checks):
    marks = Marks(folder)
    checks.equal("kinds: awaited lines that did not come", marks.missing(), [])
    check_busy(folder, checks, marks)
    check_bare(folder, checks, marks)
    check_bias(folder, parallax, checks, marks)
    for kind in "16", "16--timestamp", "32--timestamp":
        stream = Stream(folder + "/kind%s.stream" % kind)
        offsets = stream.offsets()
        end = offsets[-1]["time"] if offsets else 0
        offsets = stream.offsets(end - 4, end)
        what = "%s bit%s" % (kind[:2], ", device timestamps" if "timestamp" in kind else "")
        checks.within(what + ": offsets in 4 s", len(offsets), 120, 8)
        hertz, amplitude, _ = fit_sine(
            [line["time"] for line in offsets], [line["x"] for line in offsets], 0.5)
        checks.within(what + ": amplitude", amplitude, 2.5, 0.1, " px")
        latency = read_json(folder, "kind%s.json" % kind).get("latency", {})
        if "timestamp" in kind:
            checks.that("p50" not in latency and latency.get("reason"),
                        what + ": latency", latency.get("reason", latency), "a reason for having none")
        else:
            checks.that("p50" in latency, what + ": latency", latency)
