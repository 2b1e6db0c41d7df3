# SPDX-License-Identifier: Apache-2.0
"""Documents with many animations."""
import json
import os


def document(folder, count):
    """Writes a document with `count` endless animations on one layer, of every kind and curve."""
    curves = [
        "ease", "linear", "cubic-bezier(.3, -.5, .7, 1.5)", "steps(6)", "linear(0, 1.2 60%, 1)",
        {"spring": {"response": 0.4, "damping": 0.6}}]
    changes = [
        {"move": {"by": [3, -2]}}, {"rotate": {"by": 5}}, {"scale": {"to": 1.1}}, {"fade": {"to": 0.8}}]

    def animation(number):
        step = dict(changes[number % len(changes)], curve=curves[number % len(curves)])
        step.update(duration=0.2 + number % 97 / 100, autoreverse=True)
        parts = [step, {"delay": 0.1}] if number % 2 else [step]
        return {"repeat": "forever", "of": {"sequence": parts}}

    path = os.path.join(folder, "%d.json" % count)
    with open(path, "w") as file:
        json.dump(
            {"parallax": 1, "layer": "card",
             "animation": {"parallel": [animation(number) for number in range(count)]}}, file)
    return path
