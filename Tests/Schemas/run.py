#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests docs/schemas: what parallaxd sends and accepts, the examples of the documents, and animation documents.

    Tests/Schemas/run.py [CASE]...

$PARALLAX_PROGRAMS is the folder of the programs (.build/debug). Needs python3-jsonschema. Prints the counts; exit code 1
if a case fails."""
import glob
import json
import os
import re
import sys
import tempfile
import traceback

import jsonschema

from conversation import Talk, is_root, stranger
from schemas import ROOT, Schemas, undescribed

sys.path.insert(0, os.path.join(ROOT, "Tests/Conformance"))
from server import Daemon  # noqa: E402 pylint: disable=wrong-import-position

CASES = []
#: What a schema cannot say: invalid documents that fit.
BEYOND = ('"at": 0.5, "fade": 1}, {"at": 0.2',)
#: (schema, class) that no case makes the daemon send. Empty: each is seen.
UNSEEN = set()


def case(function):
    CASES.append(function)
    return function


def page(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


# MARK: What parallaxd sends and accepts

CONFIGURATION = """
[animations]
directory = "%s"

[layers]
bg = 0.2
"""
NUDGE = {"parallax": 1, "id": "n", "animation": {"sequence": [
    {"rotate": {"by": 20}, "duration": 0.1}, {"parallel": [{"scale": {"to": 1.2}, "duration": 0.1},
                                                             {"fade": {"to": 0.5}, "duration": 0.1}]}]}}


def daemon(folder, *options):
    """A daemon with animations and a layer. Another user can reach its sockets, if they let it."""
    os.chmod(folder, 0o755)
    path = os.path.join(folder, "parallax.toml")
    with open(path, "w") as file:
        file.write(CONFIGURATION % os.path.join(ROOT, "examples/animations"))
    running = Daemon(folder)
    running.start("--config", path, *options)
    return running


@case
def the_stream(schemas, folder):
    with daemon(folder) as running, Talk(schemas, running.path, "stream") as talk:
        for name in ("VERSION", "DEVICE", "GATE"):
            talk.line(name)
        # With the configured layer, and with velocity.
        talk.until(lambda value: value["class"] == "OFFSET" and "vx" in value and "vx" in value["layers"]["bg"], "a layer")
        for request in (
                {"class": "WATCH", "tag": "first", "version": 1, "enable": True, "rate": 20.5, "layers": {"a": 0.5, "b": -10},
                 "on_change": True, "orientation": "left-up"},
                {"class": "WATCH", "tag": 2.5, "rate": 100, "on_change": 0.05, "orientation": "bottom-up"},
                {"class": "WATCH", "layers": None, "orientation": "auto", "on_change": False, "unknown": [1]},
                {"class": "WATCH", "layers": {}}, {"class": "WATCH"}):
            answer = talk.ask(request)
            assert answer.get("ignored") == (["unknown"] if "unknown" in request else None), answer
        talk.until(lambda value: value["class"] == "OFFSET" and "layers" not in value, "no layer")
        answer = talk.ask({"class": "POLL", "tag": "end", "more": 1})
        assert answer["ignored"] == ["more"], answer
        talk.schemas.check(talk.requests, {"class": "POLL"})
        for request in (
                {"class": "WATCH", "rate": 0}, {"class": "WATCH", "rate": "20"}, {"class": "WATCH", "enable": 1},
                {"class": "WATCH", "layers": {"a": 11}}, {"class": "WATCH", "layers": ["a"]},
                {"class": "WATCH", "layers": {"a b": 1}}, {"class": "WATCH", "layers": {str(n): 1 for n in range(17)}},
                {"class": "WATCH", "orientation": "up"}, {"class": "WATCH", "on_change": "yes"},
                {"class": "WATCH", "version": 0}, {"class": "WATCH", "tag": "x" * 65}, {"class": "WATCH", "tag": [1]},
                {"class": "STATUS"}, {"rate": 20}):
            talk.refuse(request, "bad-request")
        talk.refuse({"class": "WATCH", "version": 2}, "unsupported-version")
        talk.refuse({"class": "WATCH", "more": "x" * 5000}, "too-long")


@case
def gates_and_animations(schemas, folder):
    with daemon(folder, "--loop") as running, Talk(schemas, running.path, "stream") as talk:
        path = running.environment["PARALLAX_CONTROL"]
        with Talk(schemas, path, "control") as control:
            control.ask({"class": "PLAY", "tag": "p", "document": NUDGE, "id": "own", "layer": "bg", "x": 1})
            for event in ("started", "step", "completed"):
                control.line("ANIMATION", tag="p", id="own", event=event)
            # Poses of a layer.
            talk.until(lambda value: "rotation" in value.get("layers", {}).get("bg", {}), "a pose")
            answer = control.ask({"class": "STATUS", "tag": 7})
            assert answer["animations"] == [{"id": "own", "layer": "bg", "state": "ended"}], answer
            control.ask({"class": "STOP", "id": "own"})
            control.ask({"class": "PLAY", "id": "breathe", "detached": True})
            talk.until(lambda value: "scale" in value, "a pose")
            control.ask({"class": "STOP", "tag": "all"})
            talk.line("ANIMATION", event="cancelled")
            for key, value in (("reduce-motion", "on"), ("reduce-motion", False), ("reduce-motion", "auto"), ("paused", "on")):
                control.ask({"class": "SET", "key": key, "value": value})
                if value == "on":
                    talk.line("GATE", open=False)
                elif value is False:
                    talk.line("GATE", open=True)
            control.ask({"class": "SET", "key": "paused", "value": False})
            # The ranges of DEVICE change.
            control.ask({"class": "SET", "key": "range-x", "value": "-8:3"})
            talk.line("DEVICE", range_x=[-8, 3])
            with Talk(schemas, path, "control") as other:
                other.ask({"class": "INHIBIT", "tag": 1, "reason": "password"})
                talk.line("GATE", reasons=["inhibit"])
                answer = control.ask({"class": "STATUS"})
                assert answer["inhibitors"] and answer["overrides"] == ["range-x"], answer
            talk.line("GATE", open=True)


@case
def a_hand_and_a_chain(schemas, folder):
    with daemon(folder, "--loop") as running, Talk(schemas, running.environment["PARALLAX_CONTROL"], "control") as control:
        control.ask({"class": "PLAY", "document": NUDGE, "as": "hand", "paused": True, "pauses_at_end": True})
        control.line("ANIMATION", id="hand", event="changed", state="paused")

        def animate(action, **fields):
            return control.ask(dict({"class": "ANIMATE", "id": "hand", "action": action}, **fields))

        assert animate("seek", fraction=0.25)["fraction"] == 0.25
        animate("speed", speed=0.5)
        animate("add", document=NUDGE, delay_factor=0.5)
        animate("add", text=json.dumps(NUDGE), file="nudge.json")
        animate("reverse", reversed=True)
        animate("reverse")
        animate("continue", curve={"spring": {"response": 0.4}}, velocity=[300, 0, 10, 0])
        animate("pause")
        animate("continue", curve="ease-out", duration_factor=2)
        animate("resume", delay=0.5)
        animate("stop")
        control.refuse({"class": "ANIMATE", "id": "hand", "action": "pause"}, "unavailable", fits=True)
        assert animate("finish", position="start")["state"] == "ended"
        for fields in ({"action": "jump"}, {"action": "seek"}, {"action": "seek", "fraction": 2}, {"action": "speed", "speed": 0},
                       {"action": "finish", "position": "middle"}, {"action": "add"}, {"action": "continue", "velocity": [1]}):
            control.refuse(dict({"class": "ANIMATE", "id": "hand"}, **fields), "bad-request")

        control.ask({"class": "PLAY", "as": "tour", "chain": [{"document": NUDGE}, {"text": json.dumps(NUDGE), "layer": "bg"}],
                     "delay": 0.1, "repeat": 2, "take": 3})
        control.ask({"class": "ANIMATE", "id": "tour", "action": "append", "part": "no-such"})
        control.line("ANIMATION", id="tour", event="part-started", part=1)
        control.line("ANIMATION", id="tour", event="failed")
        for fields in ({"chain": []}, {"chain": [1]}, {"chain": ["a"], "repeat": 0}, {"chain": ["a"], "order": "spiral"},
                       {"chain": ["a"], "take": 0}, {"chain": ["a"], "delay": -1}):
            control.refuse(dict({"class": "PLAY"}, **fields), "bad-request")


@case
def control_requests(schemas, folder):
    with daemon(folder) as running:
        path = running.environment["PARALLAX_CONTROL"]
        with Talk(schemas, path, "control") as talk:
            for key, value in (
                    ("rate", 30), ("mode", "tilt"), ("recenter", "4"), ("bias", "auto"), ("scale", 8.5),
                    ("range-y", "-4:4"), ("smoothing", "ema:0.1"), ("mount-matrix", "auto"), ("orientation", "left-up"),
                    ("low-power", True), ("mode", None)):
                talk.ask({"class": "SET", "key": key, "value": value})
            talk.ask({"class": "RECENTER"})
            talk.ask({"class": "RELOAD", "tag": -1.5})
            talk.ask({"class": "AGENT", "reduce_motion": False, "orientation": "right-up", "wanted": True})
            talk.line("WANTED")
            answer = talk.ask({"class": "STATUS"})
            assert answer["agents"][0]["orientation"] == "right-up", answer
            talk.ask({"class": "AGENT", "orientation": "auto"})
            for request in (
                    {"class": "SET", "key": "strength", "value": 1}, {"class": "SET", "key": "rate"},
                    {"class": "SET", "key": "rate", "value": [1]}, {"class": "INHIBIT", "reason": "A B"},
                    {"class": "INHIBIT"}, {"class": "AGENT", "wanted": "yes"}, {"class": "AGENT", "orientation": "up"},
                    {"class": "PLAY"}, {"class": "PLAY", "id": "a/b"}, {"class": "PLAY", "id": "a", "layer": "a b"},
                    {"class": "PLAY", "id": "a", "detached": 1},
                    {"class": "STOP", "id": 1}, {"class": "STATUS", "tag": {}}, {"class": "LIST"}, {"class": "WATCH"}):
                talk.refuse(request, "bad-request")
            # The values of SET have a grammar that only the daemon knows.
            talk.refuse({"class": "SET", "key": "scale", "value": "wide"}, "bad-request", fits=True)
            talk.refuse({"class": "PLAY", "id": "no-such"}, "no-such-animation")
            talk.refuse({"class": "PLAY", "document": {"parallax": 1, "animation": {"delay": -1}}}, "bad-document")
            talk.refuse({"class": "PLAY", "document": "a"}, "bad-document")
            talk.refuse({"class": "PLAY", "text": "{}", "file": "a.json"}, "bad-document", fits=True)
            talk.refuse({"class": "PLAY", "text": "{}", "document": {"parallax": 1}}, "bad-request")
            with open(os.path.join(folder, "parallax.toml"), "w") as file:
                file.write("[gates]\nfade = 11\n[motion]\nrange-x = 5\n")
            answer = talk.refuse({"class": "RELOAD", "tag": "r"}, "bad-configuration")
            assert len(answer["details"]) == 2, answer


@case
def a_recording(schemas, folder):
    with daemon(folder) as running:
        path = running.environment["PARALLAX_CONTROL"]
        with Talk(schemas, path, "control") as record, Talk(schemas, path, "control") as talk:
            answer = record.ask({"class": "RECORD", "tag": "rec"})
            assert answer["mount-matrix"] and answer["bias"], answer
            record.line("SAMPLE")
            talk.ask({"class": "SET", "key": "paused", "value": "on"})
            record.line("GATE", open=False)
            talk.ask({"class": "SET", "key": "paused", "value": "off"})
            record.line("GATE", open=True)
            talk.ask({"class": "SET", "key": "mode", "value": "tilt"})
            record.line("DEVICE")


@case
def a_feed(schemas, folder):
    with daemon(folder, "--source", "feed") as running, Talk(schemas, running.path, "stream") as talk:
        talk.line("DEVICE", driver="feed", state="none")
        path = running.environment["PARALLAX_CONTROL"]
        with Talk(schemas, path, "control") as feed, Talk(schemas, path, "control") as other:
            sample = {"class": "SAMPLE", "time": 12.5, "x": 0.5, "y": -0.25, "z": 0}
            schemas.check(feed.requests, sample)
            feed.refuse(sample, "unavailable")
            request = {"class": "FEED", "tag": "f", "name": "Pixel 8", "clock": "sender", "rate": 60,
                       "mount_matrix": "0,1,0;-1,0,0;0,0,1"}
            feed.ask(request)
            feed.line("DEVICE", driver="feed")
            other.refuse(request, "unavailable")
            samples = {"class": "SAMPLES", "samples": [[13 + n / 60, 0.5, -0.25, 0] for n in range(30)]}
            schemas.check(feed.requests, samples)
            feed.send(samples)
            for each in (feed, talk):
                assert each.line("DEVICE", driver="feed", state="streaming")["name"] == "Pixel 8"
            for wrong in (
                    {"class": "FEED"}, {"class": "FEED", "name": ""}, {"class": "FEED", "name": "a" * 65},
                    {"class": "FEED", "name": "a", "clock": "utc"}, {"class": "FEED", "name": "a", "rate": 0},
                    {"class": "FEED", "name": "a", "rate": 10001}, {"class": "FEED", "name": "a", "mount_matrix": 1},
                    dict(sample, x="0"), dict(sample, time=-1), {"class": "SAMPLE", "x": 0, "y": 0},
                    {"class": "SAMPLES", "samples": []}, {"class": "SAMPLES", "samples": [[1, 0, 0]]},
                    {"class": "SAMPLES", "samples": [[1, 0, 0, None]]}):
                feed.refuse(wrong, "bad-request")
            # What a schema cannot say.
            feed.refuse({"class": "FEED", "name": "a\u200b"}, "bad-request", fits=True)
            feed.refuse({"class": "FEED", "name": "a", "mount_matrix": "1,0,0;0,1,0;0,0,-1"}, "bad-request", fits=True)
            feed.refuse({"class": "SAMPLES", "samples": [[-1, 0, 0, 0]]}, "bad-request", fits=True)


@case
def a_trace_and_no_device(schemas, folder):
    trace = os.path.join(folder, "short.csv")
    with open(trace, "w") as file:
        file.write("t,x,y,z\n" + "".join("%.2f,0.2,-0.1,0.05\n" % (k / 100) for k in range(60)))
    with daemon(folder, "--source", "trace:" + trace) as running, Talk(schemas, running.path, "stream") as talk:
        talk.line("DEVICE", driver="trace", state="streaming")
        talk.line("OFFSET")
        talk.line("DEVICE", state="ended")
        with Talk(schemas, running.environment["PARALLAX_CONTROL"], "control") as control:
            control.ask({"class": "STATUS"})
            control.refuse({"class": "RECORD"}, "unavailable")
    with daemon(folder, "--source", "iio") as running, Talk(schemas, running.path, "stream") as talk:
        talk.line("DEVICE", driver="iio", state="none")
        talk.line("GATE", reasons=["device:none"])


@case
def another_user(schemas, folder):
    if not is_root():
        return "needs root"
    with daemon(folder, "--set", "socket.access=all", "--set", "socket.max-per-uid=1") as running:
        path = running.environment["PARALLAX_CONTROL"]
        status, denied = stranger(path, '{"class":"STATUS","tag":"s"}\n{"class":"RECENTER","tag":"r"}\n')
        assert "inhibitors" not in schemas.check("control-answers", status)
        denied = schemas.check("control-answers", denied)
        assert (denied["code"], denied["tag"]) == ("denied", "r"), denied
        for place, kind in ((running.path, "stream-messages"), (path, "control-answers")):
            [refused] = stranger(place, connections=2)
            assert schemas.check(kind, refused)["code"] == "too-many", refused
    with daemon(folder, "--set", "socket.access=group") as running:
        for place, kind in ((running.path, "stream-messages"), (running.environment["PARALLAX_CONTROL"], "control-answers")):
            try:
                lines = stranger(place)
            except OSError:
                continue
            for line in lines:
                schemas.check(kind, line)
    return None


@case
def every_class_was_seen(schemas, folder):
    """After the cases with a daemon: each class of each schema was sent, or accepted, and is not vacuous."""
    known = {(name, each) for name in schemas.files for each in schemas.classes(name)}
    missing = known - schemas.seen - UNSEEN
    assert not missing, "no case has %s" % sorted(missing)
    for (name, _), value in sorted(schemas.samples.items()):
        assert not schemas.errors(name, {**value, "a-field-of-a-later-release": [None, {}]}), value
        for variant in schemas.mutations(name, value):
            assert schemas.errors(name, variant), "%s: fits: %s" % (name, variant)
    for name in schemas.files:
        if schemas.classes(name):
            assert schemas.errors(name, {"class": "FUTURE"}) and schemas.errors(name, [1]), name


# MARK: The schemas and the documents

@case
def every_property_is_described(schemas, folder):
    for name, schema in schemas.files.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        wrong = list(undescribed(schema))
        assert not wrong, "%s: %s" % (name, wrong)
    with open(os.path.join(ROOT, "docs/protocol.md")) as file:
        text = file.read()
    for name in schemas.files:
        assert "schemas/%s.json" % name in text or "schemas/%s.json" % name in page("docs/animations.md"), name


def blocks(text, heading=None):
    """Returns the lines of the JSON blocks, of a section or of all."""
    if heading:
        text = text.split("\n## %s\n" % heading, 1)[1].split("\n## ", 1)[0]
    return [line for block in re.findall(r"```json\n(.*?)```", text, re.S) for line in block.splitlines() if line]


@case
def the_examples_of_the_protocol(schemas, folder):
    for heading, name, least in (
            ("Stream: messages", "stream-messages", 8), ("Stream: requests", "stream-requests", 6),
            ("Control: requests", "control-requests", 11), ("Control: answers", "control-answers", 7)):
        found = blocks(page("docs/protocol.md"), heading)
        assert len(found) >= least, "%s: %d lines" % (heading, len(found))
        for line in found:
            schemas.check(name, line)
    for line in blocks(page("README.md")):
        schemas.check("stream-messages", line)


@case
def documents_that_are_valid(schemas, folder):
    for path in glob.glob(os.path.join(ROOT, "examples/animations/*.json")):
        with open(path) as file:
            found = schemas.errors("animation", json.load(file))
        assert not found, "%s: %s" % (path, found)
    lines = blocks(page("docs/animations.md"))
    assert len(lines) > 40, len(lines)
    for line in lines:
        value = json.loads(line)
        if "parallax" not in value:
            value = {"parallax": 1, "animation": value}
        assert not schemas.errors("animation", value), line


def wrong_documents():
    """Returns the documents of Tests/ParallaxDocumentsTests/DocumentErrorTests.swift, which the daemon refuses."""
    text = page("Tests/ParallaxDocumentsTests/DocumentErrorTests.swift")
    for name, around in (
            ("animations", '{"parallax": 1, "animation": %s}'),
            ("wrongCurves", '{"parallax": 1, "animation": {"fade": {"to": 0}, "curve": %s}}'), ("documents", "%s")):
        part = text.split("static let %s:" % name, 1)[1].split("\n  ]\n", 1)[0]
        found = re.findall(r'\n    \(\s*(?:#"(.*?)"#|"(.*?)"),', part)
        assert len(found) > 8, name
        for raw, plain in found:
            yield around % (raw or plain)


@case
def documents_that_are_not(schemas, folder):
    count = 0
    for text in wrong_documents():
        try:
            value = json.loads(text)
        except ValueError:
            continue
        count += 1
        fits = not schemas.errors("animation", value)
        assert fits == any(part in text for part in BEYOND), "%s: %s" % ("fits" if fits else "does not fit", text)
    assert count > 55, count


def main():
    schemas = Schemas()
    chosen = sys.argv[1:]
    passed = failed = skipped = 0
    for function in CASES:
        if chosen and function.__name__ not in chosen:
            continue
        with tempfile.TemporaryDirectory(prefix="plx") as folder:
            try:
                reason = function(schemas, folder)
            except Exception as error:  # pylint: disable=broad-except
                failed += 1
                line = traceback.extract_tb(error.__traceback__)[1].lineno
                print("test-schemas: %s: FAIL: run.py:%d: %s" % (
                    function.__name__, line, str(error) or type(error).__name__), flush=True)
                continue
            if reason:
                skipped += 1
                print("test-schemas: %s: SKIPPED: %s" % (function.__name__, reason))
            else:
                passed += 1
                print("test-schemas: %s: ok" % function.__name__, flush=True)
    print("test-schemas: %d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed or (skipped and os.environ.get("CI") == "true") else 0


if __name__ == "__main__":
    sys.exit(main())
