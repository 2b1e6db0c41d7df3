#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Evaluates the Lottie files of this folder at 30 Hz and writes the tables beside them.

An implementation of the Lottie specification (lottie.github.io/lottie-spec, 1.0.1) that shares nothing with
the one in Sources: curves are solved by bisection, layers are evaluated one by one from the root. It knows
what these files use: keyframes with handles and holds, parents, precompositions with start time, time
stretch and time remapping, and slots.

usage: evaluate.py            writes FILE.csv for each FILE.json
       evaluate.py --check    fails if a table would change
"""

import csv
import io
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ("ind tick t frame visible px py ax ay sx sy r o m_a m_b m_c m_d m_e m_f").split()


def bezier(x1, y1, x2, y2, x):
    """The y of a cubic Bezier curve from (0, 0) to (1, 1) at x."""
    def at(a, b, t):
        return 3 * a * t * (1 - t) ** 2 + 3 * b * t * t * (1 - t) + t ** 3
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if at(x1, x2, middle) < x:
            low = middle
        else:
            high = middle
    return at(y1, y2, (low + high) / 2)


def component(value, index):
    if isinstance(value, list):
        return value[min(index, len(value) - 1)]
    return value


def value(prop, frame, index, slots):
    """One component of a property at a frame."""
    if "sid" in prop and prop["sid"] in slots:
        prop = slots[prop["sid"]]["p"]
    keys = prop["k"]
    if not (isinstance(keys, list) and keys and isinstance(keys[0], dict)):
        return float(component(keys, index))
    if frame < keys[0]["t"]:
        return float(component(keys[0]["s"], index))
    for key, following in zip(keys, keys[1:]):
        if key["t"] <= frame < following["t"]:
            start = component(key["s"], index)
            if key.get("h"):
                return float(start)
            share = (frame - key["t"]) / (following["t"] - key["t"])
            out, into = key["o"], key["i"]
            share = bezier(component(out["x"], index), component(out["y"], index),
                           component(into["x"], index), component(into["y"], index), share)
            return start + (component(following["s"], index) - start) * share
    return float(component(keys[-1]["s"], index))


def pair(prop, frame, slots):
    return [value(prop, frame, 0, slots), value(prop, frame, 1, slots)]


DEFAULTS = {"p": {"k": [0, 0]}, "a": {"k": [0, 0]}, "s": {"k": [100, 100]}, "r": {"k": 0}, "o": {"k": 100}}


class Transform:
    def __init__(self, layer, frame, slots):
        own = {**DEFAULTS, **layer["ks"]}
        self.place, self.anchor = pair(own["p"], frame, slots), pair(own["a"], frame, slots)
        self.scale = pair(own["s"], frame, slots)
        self.angle, self.opacity = value(own["r"], frame, 0, slots), value(own["o"], frame, 0, slots)

    def matrix(self):
        """Translation by p, rotation, scale, translation by -a; columns of a 3 x 3 matrix."""
        turn = math.radians(self.angle)
        sx, sy = self.scale[0] / 100, self.scale[1] / 100
        rotation = [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]]
        result = [[1, 0, self.place[0]], [0, 1, self.place[1]], [0, 0, 1]]
        for factor in (rotation, [[sx, 0, 0], [0, sy, 0], [0, 0, 1]],
                       [[1, 0, -self.anchor[0]], [0, 1, -self.anchor[1]], [0, 0, 1]]):
            result = product(result, factor)
        return result


def product(left, right):
    return [[sum(left[row][k] * right[k][column] for k in range(3)) for column in range(3)] for row in range(3)]


def inner_frame(layer, frame, rate, slots):
    """The frame of the precomposition that a layer shows."""
    if "tm" in layer:
        return value(layer["tm"], frame, 0, slots) * rate
    return (frame - layer.get("st", 0)) / layer.get("sr", 1)


def is_listed(layer):
    animated = any(isinstance(p.get("k"), list) and p["k"] and isinstance(p["k"][0], dict)
                   for p in layer["ks"].values() if isinstance(p, dict))
    return animated or "parent" in layer


class File:
    def __init__(self, text):
        self.data = json.loads(text)
        self.rate, self.slots = self.data["fr"], self.data.get("slots", {})
        self.assets = {asset["id"]: asset for asset in self.data.get("assets", [])}

    def instances(self):
        """Each layer as the way to it: (layers around it, itself); outer compositions first."""
        ways = [(layer,) for layer in self.data["layers"]]
        for way in ways:
            if way[-1]["ty"] == 0:
                ways += [way + (layer,) for layer in self.assets[way[-1]["refId"]]["layers"]]
        return ways

    def siblings(self, way):
        return self.data["layers"] if len(way) == 1 else self.assets[way[-2]["refId"]]["layers"]

    def row(self, way, tick):
        frame = self.data["ip"] + tick * self.rate / 30
        world, visible = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], True
        for depth in range(1, len(way) + 1):
            layer = way[depth - 1]
            visible = visible and layer["ip"] <= frame < layer["op"]
            chain = [layer]
            while "parent" in chain[0]:
                chain.insert(0, next(other for other in self.siblings(way[:depth])
                                     if other["ind"] == chain[0]["parent"]))
            for link in chain:
                world = product(world, Transform(link, frame, self.slots).matrix())
            if depth < len(way):
                frame = inner_frame(layer, frame, self.rate, self.slots)
        own = Transform(way[-1], frame, self.slots)
        numbers = own.place + own.anchor + own.scale + [own.angle, own.opacity] + [
            world[0][0], world[1][0], world[0][1], world[1][1], world[0][2], world[1][2]]
        return ["/".join(str(layer["ind"]) for layer in way), tick, "%.9f" % (tick / 30), "%.6f" % frame,
                int(visible)] + ["%.9f" % (number + 0.0) for number in numbers]

    def table(self):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for way in self.instances():
            if not is_listed(way[-1]):
                continue
            tick = 0
            while self.data["ip"] + tick * self.rate / 30 < self.data["op"]:
                writer.writerow(self.row(way, tick))
                tick += 1
        return text.getvalue()


def main():
    status = 0
    for name in sorted(os.listdir(HERE)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(HERE, name), encoding="utf-8") as source:
            table = File(source.read()).table()
        path = os.path.join(HERE, name[:-5] + ".csv")
        if "--check" in sys.argv[1:]:
            with open(path, encoding="utf-8") as present:
                if present.read() != table:
                    print("%s: differs; run Tests/Lottie/evaluate.py" % path, file=sys.stderr)
                    status = 1
        else:
            with open(path, "w", encoding="utf-8") as out:
                out.write(table)
    return status


if __name__ == "__main__":
    sys.exit(main())
