#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes offset-at.jsonl: lines of a stream, and the offset that a client has to compute at some instants.

    Tests/Conformance/make_offsets.py >Tests/Conformance/offset-at.jsonl

Every row is an object: `name`; `lines`, as they arrive; `at`, instants in seconds; `x`, `y` and, where the frames
have a layer `bg`, `bg`, the offsets at these instants in px. A client must be within 1e-6 px. The rule is the one
of docs/protocol.md; this program knows nothing of the sources."""
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
        if x:
            side = 1 if x > 0 else -1
            ends[side] = max(ends[side], abs(x), abs(x) / (abs(round(x / RANGE, 4)) + 0.00005))
    low, high = ends[-1] or ends[1], ends[1] or ends[-1]
    return min(max(value, -low), high) if high else value


def offset(frames, period, t, ranges):
    """frames: (time, x, y, vx, vy, live) of which the last is at or before t."""
    now = frames[-1]
    if not now[5] and now[1] == 0 and now[2] == 0:
        return 0.0, 0.0
    reach = 0.05 if period is None else min(1.5 * period, 0.05)
    out = []
    for axis in (1, 2):
        value = now[axis] + now[axis + 2] * min(t - now[0], reach if now[5] else 0)
        if period is not None:
            old = frames[-2]
            miss = old[axis] + old[axis + 2] * min(now[0] - old[0], reach if old[5] else 0) - now[axis]
            value += miss * max(0.0, 1 - (t - now[0]) / (0.75 * period))
        out.append(clamp(value, frames, axis, ranges))
    return tuple(out)


def row(name, events, at, layer=False, ranges=None):
    """events: ("offset", t, x, y, vx, vy), ("gate", open) or ("device", state), in the order of arrival; `at`:
    seconds after the last frame; `ranges`: of x and of y, px, for a DEVICE that has them."""
    lines, frames, live, seq = [], [], True, 0

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
            _, t, x, y, vx, vy = event
            frames.append((t, x, y, vx, vy, live))
            line = {"class": "OFFSET", "seq": seq, "time": t, "x": x, "y": y, "nx": fraction(x, 0),
                    "ny": fraction(y, 1), "vx": vx, "vy": vy}
            if layer:
                line["layers"] = {"bg": {"x": round(x / 2, 4), "y": round(y / 2, 4), "vx": round(vx / 2, 2),
                                         "vy": round(vy / 2, 2)}}
            lines.append(line)
            seq += 1
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
    values = [offset(frames, period, last + u, ranges) for u in at]
    out = {"name": name, "lines": lines, "at": [round(last + u, 6) for u in at],
           "x": [round(v[0], 9) for v in values], "y": [round(v[1], 9) for v in values]}
    if layer:
        out["bg"] = [[round(v[0] / 2, 9), round(v[1] / 2, 9)] for v in values]
    print(json.dumps(out, separators=(",", ":")))


def main():
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


if __name__ == "__main__":
    main()
