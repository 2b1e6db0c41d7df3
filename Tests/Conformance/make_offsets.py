#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes offset-at.jsonl: lines of a stream, and the offset that a client has to compute at some instants.

    Tests/Conformance/make_offsets.py >Tests/Conformance/offset-at.jsonl

Every row is an object: `name`; `lines`, as they arrive; `at`, instants in seconds; `ahead`, how long before them the
picture is drawn, in seconds, if it is not 0; `x`, `y` and, where the frames have a layer `bg`, `bg`, the offsets at
these instants in px; where an animation drives them, `rotation`, `scale` and `opacity`. A client must be within
1e-6 px. The rule is the one of docs/protocol.md; this program knows nothing of the sources."""
import json
import random

RANGE = 5.0


def clamp(value, frames, axis, ranges):
    """Within the range of DEVICE, or else within what the kept frames show of it: each fraction has 4 decimals."""
    if ranges:
        low, high = ranges[axis - 1]
        return min(max(value, low), high)
    ends = {1: 0.0, -1: 0.0}
    for frame in frames[-8:]:
        x = frame[axis]
        if x and frame[3] is not None:
            side = 1 if x > 0 else -1
            ends[side] = max(ends[side], abs(x), abs(x) / (abs(round(x / RANGE, 4)) + 0.00005))
    low, high = ends[-1] or ends[1], ends[1] or ends[-1]
    return min(max(value, -low), high) if high else value


def followed(frames, period, t, ranges, ahead):
    """At or after the last frame, which has a velocity: along it, with the rest of what the frame before missed."""
    now = frames[-1]
    if not now[5] and now[1] == 0 and now[2] == 0:
        return 0.0, 0.0

    def line(frame, axis, u):
        return frame[axis] + (frame[axis + 2] or 0) * min(u, 0.05 + ahead if frame[5] else 0)
    out = []
    for axis in (1, 2):
        value = line(now, axis, t - now[0])
        if period is not None:
            old = frames[-2]
            miss = line(old, axis, now[0] - old[0] + ahead) - line(now, axis, ahead)
            value += miss * min(max(0.0, 1 - (t - now[0] - ahead) / (0.75 * period)), 1.0)
        out.append(clamp(value, frames, axis, ranges))
    return tuple(out)


def continued(frames, period, t, fractions, live):
    """At or after the last frame, which has no velocity: how far along the line through the last two, per axis.
    0 is the frame before, 1 the last."""
    now = frames[-1]
    if not live or period is None or now[1] == now[2] == 0:
        return 1.0, 1.0
    interval = round(now[0] - frames[-2][0], 9)
    if interval > 2 * period:
        return 1.0, 1.0
    steps = min(t - now[0], period) / interval
    out = []
    for old, new in zip(fractions[-2], fractions[-1]):
        left = max(0.0, ((1 - new) if new > old else (1 + new)) / abs(new - old)) if new != old else steps
        out.append(1 + min(steps, left))
    return tuple(out)


POSE = ("rotation", "scale", "scale_y", "opacity")


def pose(old, new, name, fraction):
    """A value that only one frame has is at rest in the other."""
    if name not in old and name not in new:
        return None

    def rest(values):
        return 0.0 if name == "rotation" else values.get("scale", 1.0) if name == "scale_y" else 1.0
    start = old.get(name, rest(old))
    value = start + (new.get(name, rest(new)) - start) * fraction
    return min(max(value, 0.0), 1.0) if name == "opacity" else value


def drawn(frames, period, t, ranges, fractions, poses, live, ahead):
    """The offset at an instant and the pose: x, y, {name: value}. All lists have the kept frames."""
    if t <= frames[0][0]:
        return frames[0][1], frames[0][2], poses[0]
    if t >= frames[-1][0]:
        if frames[-1][3] is not None:
            return followed(frames, period, t, ranges, ahead) + (poses[-1],)
        if len(frames) < 2:
            return frames[-1][1], frames[-1][2], poses[-1]
        along = continued(frames, period, t, fractions, live)
        k = len(frames) - 1
    else:
        k = next(n for n, frame in enumerate(frames) if frame[0] >= t)
        interval = round(frames[k][0] - frames[k - 1][0], 9)
        ramp = period if interval > 2 * period else interval
        along = (max(0.0, 1 - (frames[k][0] - t) / ramp),) * 2
        if along[0] == 0:
            return frames[k - 1][1], frames[k - 1][2], poses[k - 1]
    old, new = frames[k - 1], frames[k]
    values = {name: pose(poses[k - 1], poses[k], name, min(along)) for name in POSE}
    return (old[1] + (new[1] - old[1]) * along[0], old[2] + (new[2] - old[2]) * along[1],
            {name: value for name, value in values.items() if value is not None})


def row(name, events, at, layer=False, ranges=None, ahead=0):
    """events: ("offset", t, x, y, vx, vy), ("offset", t, x, y, pose) for a frame without velocity, ("gate", open),
    ("device", state), ("version",), ("ignored", line) or ("restart", number) for a number or time that is not after
    the last one, in the order of arrival; `at`: seconds after the last frame; `ranges`: of x and of y, px, for a
    DEVICE that has them; `ahead`: in seconds."""
    lines, frames, fractions, poses, live, seq = [], [], [], [], True, 0

    def device(state):
        line = {"class": "DEVICE", "driver": "iio", "name": "gyro", "state": state}
        if ranges:
            line["range_x"], line["range_y"] = ranges
        return line

    def fraction(value, axis):
        low, high = ranges[axis] if ranges else (-RANGE, RANGE)
        end = high if value > 0 else -low
        return round(value / end, 4) if end else 0.0

    if ranges:
        lines.append(device("streaming"))
    for event in events:
        if event[0] == "offset":
            t, x, y = event[1:4]
            vx, vy = event[4:] if len(event) == 6 else (None, None)
            frames.append((t, x, y, vx, vy, live))
            fractions.append((fraction(x, 0), fraction(y, 1)))
            poses.append(event[4] if len(event) == 5 else {})
            line = {"class": "OFFSET", "seq": seq, "time": t, "x": x, "y": y, "nx": fraction(x, 0),
                    "ny": fraction(y, 1)}
            if vx is not None:
                line.update(vx=vx, vy=vy)
            line.update(poses[-1])
            if layer:
                line["layers"] = {"bg": {"x": round(x / 2, 4), "y": round(y / 2, 4)}}
                if vx is not None:
                    line["layers"]["bg"].update(vx=round(vx / 2, 2), vy=round(vy / 2, 2))
            lines.append(line)
            seq += 1
        elif event[0] == "version":
            lines.append({"class": "VERSION", "release": "0.1.0", "proto_major": 1, "proto_minor": 3})
            frames, fractions, poses, live, seq, ranges = [], [], [], True, 0, None
        elif event[0] == "restart":
            frames, fractions, poses, seq = [], [], [], event[1]
        elif event[0] == "ignored":
            lines.append(event[1])
        elif event[0] == "gate":
            live = event[1]
            lines.append({"class": "GATE", "open": live, "gain": 1 if live else 0,
                          "reasons": [] if live else ["paused"]})
        else:
            live = event[1] == "streaming"
            lines.append(device(event[1]))
    kept = frames[-8:]
    gaps = [round(b[0] - a[0], 9) for a, b in zip(kept, kept[1:])]
    period = min(gaps) if gaps else None
    last = frames[-1][0]
    instants = [round(last + u, 6) for u in at]
    values = [drawn(kept, period, t, ranges, fractions[-8:], poses[-8:], live, ahead) for t in instants]
    out = {"name": name, "lines": lines, "at": instants,
           "x": [round(v[0], 9) for v in values], "y": [round(v[1], 9) for v in values]}
    if ahead:
        out["ahead"] = ahead
    for part in POSE:
        if any(part in v[2] for v in values):
            out[part] = [round(v[2][part], 9) if part in v[2] else None for v in values]
    if layer:
        out["bg"] = [[round(v[0] / 2, 9), round(v[1] / 2, 9)] for v in values]
    print(json.dumps(out, separators=(",", ":")))


def main():
    # Where a picture that is drawn ahead is never asked for, and where it is.
    ahead_at = (-0.01, 0, 0.004, 0.01, 0.017, 0.02, 0.03, 0.04, 0.05, 0.06, 0.067, 0.08, 0.1, 0.2, 5)
    at = (0, 0.004, 0.01, 0.02, 0.025, 0.033, 0.05, 0.075, 0.2, 5)
    row("one frame", [("offset", 10.0, 1.0, -2.0, 10.0, -5.0)], at)
    row("a straight line", [("offset", 10.0, 0.0, 0.0, 0.0, 0.0), ("offset", 10.04, 1.0, 2.0, 25.0, -50.0),
                            ("offset", 10.08, 2.0, 0.0, 25.0, -50.0)], at)
    row("a miss", [("offset", 10.0, 1.0, 1.0, 30.0, -30.0), ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], at)
    row("a bound", [("offset", 10.0, 3.0, -3.0, 40.0, -40.0), ("offset", 10.04, 4.6, -4.6, 40.0, -40.0)], at)
    row("at rest", [("offset", 10.0, 0.02, 0.01, 0.0, 0.0), ("offset", 10.04, 0.02, 0.01, 0.0, 0.0)], at)
    row("60 Hz", [("offset", 10 + k * 0.016, 0.2 * k, 0.1 * k, 12.0, 6.5) for k in range(5)], at)
    row("10 Hz", [("offset", 10.0, 1.0, 1.0, 5.0, 5.0), ("offset", 10.1, 1.6, 1.4, -5.0, 8.0)], at)
    row("a lost frame", [("offset", 10.0, 0.5, 0.5, 10.0, 0.0), ("offset", 10.04, 0.9, 0.5, 10.0, 0.0),
                         ("offset", 10.12, 1.9, 0.7, 12.0, 5.0)], at)
    row("a gate that closes", [("offset", 10.0, 2.0, 2.0, 20.0, 20.0), ("offset", 10.04, 2.8, 2.8, 20.0, 20.0),
                               ("gate", False)], at)
    row("a frame of a closing gate", [("offset", 10.0, 2.0, 2.0, 20.0, 20.0), ("gate", False),
                                      ("offset", 10.04, 1.5, 1.5, 10.0, 10.0)], at)
    row("a closed gate", [("offset", 10.0, 2.0, 2.0, 20.0, 20.0), ("gate", False),
                          ("offset", 10.04, 0.1, 0.1, 1.0, 1.0), ("offset", 10.08, 0.0, 0.0, 0.0, 0.0)], at)
    row("a gate that opens", [("gate", False), ("offset", 10.0, 0.0, 0.0, 0.0, 0.0), ("gate", True),
                              ("offset", 10.04, 0.3, -0.2, 9.0, -8.0)], at)
    row("a lost device", [("offset", 10.0, 2.0, 2.0, 20.0, 20.0), ("device", "lost"),
                          ("offset", 10.04, 2.0, 2.0, 0.0, 0.0)], at)
    row("a layer", [("offset", 10.0, 1.0, 1.0, 30.0, -30.0), ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], at, layer=True)
    row("a layer at a bound", [("offset", 10.0, 3.0, -3.0, 40.0, -40.0), ("offset", 10.04, 4.6, -4.6, 40.0, -40.0)],
        at, layer=True)
    row("a range", [("offset", 10.0, 3.0, -3.0, 40.0, -40.0), ("offset", 10.04, 4.6, -4.6, 90.0, -90.0)],
        at, ranges=[[-5, 7], [-6, 5]])
    row("a range with one side", [("offset", 10.0, 3.0, 1.0, 40.0, -40.0), ("offset", 10.04, 4.6, 0.4, -90.0, -40.0)],
        at, ranges=[[0, 5], [0, 5]])
    row("a layer at a range", [("offset", 10.0, 3.0, -3.0, 40.0, -40.0), ("offset", 10.04, 4.6, -4.6, 40.0, -40.0)],
        at, layer=True, ranges=[[-5, 5], [-5, 5]])
    # Ahead of the instant at which the picture is drawn: 60 and 120 pictures a second, and two pictures of 60.
    for name, ahead in (("60 pictures", 0.016667), ("120 pictures", 0.008333), ("two pictures", 0.033333)):
        row(f"ahead by {name}, a miss", [("offset", 10.0, 1.0, 1.0, 30.0, -30.0),
                                         ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], ahead_at, ahead=ahead)
        row(f"ahead by {name}, 60 Hz", [("offset", 10 + k * 0.016, 0.2 * k, 0.1 * k, 12.0 + k, 6.5) for k in range(5)],
            ahead_at, ahead=ahead, layer=True)
        row(f"ahead by {name}, a lost frame", [
            ("offset", 10.0, 0.5, 0.5, 10.0, 0.0), ("offset", 10.04, 0.9, 0.5, 10.0, 0.0),
            ("offset", 10.12, 1.9, 0.7, 12.0, 5.0)], ahead_at, ahead=ahead)
        row(f"ahead by {name}, a range", [("offset", 10.0, 3.0, -3.0, 40.0, -40.0),
                                          ("offset", 10.04, 4.6, -4.6, 90.0, -90.0)], ahead_at,
            ranges=[[-5, 7], [-6, 5]], ahead=ahead)
        row(f"ahead by {name}, one frame", [("offset", 10.0, 1.0, -2.0, 10.0, -5.0)], ahead_at, ahead=ahead)
        row(f"ahead by {name}, a frame of a closing gate", [
            ("offset", 10.0, 2.0, 2.0, 20.0, 20.0), ("gate", False), ("offset", 10.04, 1.5, 1.5, 10.0, 10.0)],
            ahead_at, ahead=ahead)
        row(f"ahead by {name}, no velocity", [("offset", 10.0, 1.0, 1.0, {}), ("offset", 10.04, 1.4, 0.9, {})],
            ahead_at, ahead=ahead)
    # Between the kept frames.
    back = (-5, -0.2, -0.16, -0.15, -0.121, -0.1, -0.08, -0.075, -0.05, -0.04, -0.03, -0.02, -0.001, 0)
    walk = [("offset", 10 + k * 0.04, float(k * k % 7 - 3), 0.5 * k - 2, 10.0, -5.0) for k in range(5)]
    row("between frames", walk, back)
    row("between frames, a layer", walk, back, layer=True)
    row("between frames, the oldest kept", [("offset", 10 + k * 0.04, 0.2 * k, -0.1 * k, 5.0, -2.5) for k in range(12)],
        (-0.5, -0.32, -0.3, -0.28, -0.27, -0.14, -0.02, 0, 0.03))
    row("between frames, a rest", [("offset", 10.0, 1.0, 1.0, 0.0, 0.0), ("offset", 10.04, 2.0, 1.5, 0.0, 0.0),
                                   ("offset", 10.2, 3.0, -1.0, 20.0, -20.0)], back)
    row("between frames, twice the period", [("offset", 10.0, 1.0, 1.0, 0.0, 0.0), ("offset", 10.04, 2.0, 1.5, 0.0, 0.0),
                                             ("offset", 10.12, 3.0, -1.0, 20.0, -20.0)], back)
    # Frames without velocity.
    row("no velocity, one frame", [("offset", 10.0, 1.0, -2.0, {})], at)
    row("no velocity", [("offset", 10.0, 1.0, 1.0, {}), ("offset", 10.04, 1.4, 0.9, {})], back + at)
    row("no velocity, a layer", [("offset", 10.0, 1.0, 1.0, {}), ("offset", 10.04, 1.4, 0.9, {})], back + at, layer=True)
    row("no velocity, a bound", [("offset", 10.0, 3.0, -4.0, {}), ("offset", 10.04, 4.6, -4.4, {})], at)
    row("no velocity, far apart", [("offset", 10.0, 1.0, 1.0, {}), ("offset", 10.04, 1.4, 0.9, {}),
                                   ("offset", 10.14, 2.0, 0.2, {})], back + at)
    row("no velocity, a lost frame", [("offset", 10.0, 1.0, 1.0, {}), ("offset", 10.04, 1.4, 0.9, {}),
                                      ("offset", 10.12, 2.0, 0.2, {})], back + at)
    row("no velocity, a gate that closes", [("offset", 10.0, 1.0, 1.0, {}), ("offset", 10.04, 1.4, 0.9, {}),
                                            ("gate", False)], at)
    row("no velocity, at zero", [("offset", 10.0, 0.2, -0.1, {}), ("offset", 10.04, 0.0, 0.0, {})], at)
    row("an animation begins", [("offset", 10.0, 1.0, 1.0, 10.0, 5.0), ("offset", 10.04, 1.4, 1.2, 10.0, 5.0),
                                ("offset", 10.08, 2.4, 1.2, {"rotation": 6.0, "scale": 1.1})], back + at)
    row("an animation ends", [("offset", 10.0, 3.0, 1.0, {"rotation": 6.0, "opacity": 0.5}),
                              ("offset", 10.04, 2.0, 1.2, {"opacity": 0.9}),
                              ("offset", 10.08, 1.8, 1.3, -5.0, 2.5)], back + at)
    row("two scales", [("offset", 10.0, 1.0, 1.0, {"scale": 1.2}),
                       ("offset", 10.04, 1.5, 1.1, {"scale": 1.1, "scale_y": 0.8})], back + at)
    row("a pose", [("offset", 10.0, 1.0, 1.0, {"rotation": 6.0, "scale": 1.2, "opacity": 0.6}),
                   ("offset", 10.04, 1.5, 1.1, {"rotation": 9.0, "scale": 1.1, "opacity": 0.9})], back + at)
    # Streams.
    row("a new stream", [("offset", 50.0, 4.0, 4.0, 50.0, 50.0), ("gate", False), ("version",),
                         ("offset", 10.0, 1.0, 1.0, 30.0, -30.0), ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], at,
        ranges=[[-4, 4], [-4, 4]])
    row("a number that is not later", [("offset", 10.0, 4.0, 4.0, 50.0, 50.0), ("restart", 0),
                                       ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], at)
    row("a time that is not later", [("offset", 10.04, 4.0, 4.0, 50.0, 50.0), ("restart", 1),
                                     ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], at)
    wrong = {"class": "OFFSET", "seq": 1, "time": 10.02, "x": 5, "y": 5, "nx": 1, "ny": 1}
    row("lines to ignore", [
        ("offset", 10.0, 1.0, 1.0, 30.0, -30.0), ("ignored", {"class": "FUTURE", "x": 4}),
        ("ignored", {"class": "GATE", "open": "no"}), ("ignored", {**wrong, "x": "5"}), ("ignored", {**wrong, "y": True}),
        ("ignored", {**wrong, "seq": -1}), ("ignored", {**wrong, "layers": [1]}), ("ignored", {**wrong, "vx": [1]}),
        ("ignored", {"class": "DEVICE", "state": "streaming", "driver": "iio", "range_x": "wide"}),
        ("offset", 10.04, 1.2, 1.1, -3.0, 4.5)], at)
    numbers = random.Random(7)
    for n in range(20):
        t, events = 100.0, []
        for _ in range(12):
            t = round(t + numbers.choice((0.02, 0.04, 0.04, 0.04, 0.12)), 6)
            x, y = (round(numbers.uniform(-5, 5), 2) for _ in range(2))
            if numbers.random() < 0.15:
                events.append(("gate", numbers.random() < 0.5))
            events.append(("offset", t, x, y, round(numbers.uniform(-60, 60), 1), round(numbers.uniform(-60, 60), 1)))
        row(f"random {n}", [("offset", 99.9, 5.0, -5.0, 0.0, 0.0), ("offset", 99.96, -5.0, 5.0, 0.0, 0.0)] + events, at)
    for n in range(10):
        t, events = 100.0, []
        for _ in range(12):
            t = round(t + numbers.choice((0.02, 0.04, 0.04, 0.04, 0.12)), 6)
            x, y = (round(numbers.uniform(-5, 5), 2) for _ in range(2))
            if numbers.random() < 0.1:
                events.append(("gate", numbers.random() < 0.5))
            if numbers.random() < 0.5:
                events.append(("offset", t, x, y, {}))
            else:
                events.append(("offset", t, x, y, 10.0, -10.0))
        row(f"random, some without velocity {n}", events, back + at, ranges=[[-5, 5], [-5, 5]])


if __name__ == "__main__":
    main()
