# SPDX-License-Identifier: Apache-2.0
"""The cases: each gets a client and an empty folder, and fails by AssertionError."""
import json
import os
import random
import shutil
import subprocess
import sys
import time

from clients import Driver, PATIENCE, ROOT
from server import CLOSED, Daemon, DEVICE, OPEN, Server, VERSION, encode, offset

sys.path.insert(0, os.path.join(ROOT, "desktop/Tests/Compositors"))
from compositor import write_png  # noqa: E402 pylint: disable=wrong-import-position

CASES = []


def case(name, needs=None):
    """Registers a case. `needs`: only for clients with that: "checks", "table", "messages" or "properties"."""
    def register(function):
        CASES.append((name, function, needs))
        return function
    return register


def expect_same(found, expected, where=""):
    """Every expected field has the expected value; times and numbers within their decimals."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), "%s: %r" % (where, found)
        for name, value in expected.items():
            assert name in found, "%s: no %s in %s" % (where, name, found)
            expect_same(found[name], value, "%s.%s" % (where, name))
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), "%s: %s, expected %s" % (where, found, expected)
        for one, other in zip(found, expected):
            expect_same(one, other, where)
    elif isinstance(expected, bool) or not isinstance(expected, (int, float)):
        assert found == expected, "%s: %r, expected %r" % (where, found, expected)
    else:
        assert abs(found - expected) < 1e-6, "%s: %r, expected %r" % (where, found, expected)


def expect_offsets(driver, *numbers):
    """The next messages are OFFSETs with these numbers."""
    for number in numbers:
        expect_same(driver.message(), {"class": "OFFSET", "seq": number}, "message")


def expect_resting(found, x, y):
    assert found is not None, "no offset"
    expect_same(found, {"x": x, "y": y}, "offset")


@case("own tests", needs="checks")
def the_tests_of_the_client_pass(client, folder):
    for command in client.checks:
        result = subprocess.run(command, env={**os.environ, **client.environment}, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, universal_newlines=True, check=False)
        assert result.returncode == 0, "%s: %s" % (" ".join(command), result.stdout[-2000:])


def expect_documented(rows):
    """The table in docs/protocol.md is part of this one."""
    with open(os.path.join(ROOT, "docs/protocol.md")) as page:
        lines = page.read().split("| | frames |", 1)[1].split("\n\n", 1)[0].splitlines()
    after = [int(text.replace("ms", "")) / 1000 for text in lines[0].strip("|").split("|")]
    assert len(lines) > 8, lines
    for line in lines[2:]:
        name, frames, *values = [text.strip() for text in line.strip("|").split("|")]
        row = next(row for row in rows if row["name"] == name)
        found = [frame for frame in row["lines"] if frame["class"] == "OFFSET"]
        for text, frame in zip(frames.split("; "), found):
            time_, _, rest = text.partition(": ")
            numbers = [float(number) for number in rest.split(", ")]
            expect_same([float(time_) + 10, *numbers], [frame[key] for key in ("time", "x", "vx") if key in frame], name)
        for seconds, value in zip(after, values):
            index = row["at"].index(round(found[-1]["time"] + seconds, 6))
            assert abs(float(value) - row["x"][index]) < 1e-4, "%s at %g: %s" % (name, seconds, value)


@case("table", needs="table")
def the_offsets_are_those_of_the_table(client, folder):
    with open(os.path.join(ROOT, "Tests/Conformance/offset-at.jsonl")) as file:
        rows = [json.loads(line) for line in file]
    expect_documented(rows)
    commands = []
    for row in rows:
        commands.append("reset")
        commands += ["line " + json.dumps(line, separators=(",", ":")) for line in row["lines"]]
        ahead = " %r" % row["ahead"] if "ahead" in row else ""
        commands += ["at %r%s" % (instant, ahead) for instant in row["at"]]
    offsets = iter(client.run_table("\n".join(commands) + "\n"))
    for row in rows:
        for index, instant in enumerate(row["at"]):
            found = next(offsets)
            where = "%s at %s" % (row["name"], instant)
            assert found is not None, where
            expect_same(found, {"x": row["x"][index], "y": row["y"][index]}, where)
            if "bg" in row:
                x, y = row["bg"][index]
                expect_same(found["layers"]["bg"], {"x": x, "y": y}, where)
            for name in ("rotation", "scale", "scale_y", "opacity"):
                value = row.get(name, {index: None})[index] if name in row else None
                if value is None:
                    assert found.get(name) is None, "%s: %s %r" % (where, name, found[name])
                else:
                    expect_same(found, {name: value}, where)
    assert next(offsets, None) is None, "more offsets than instants"


@case("greeting")
def the_greeting_is_reported(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver:
        driver.state("connected")
        with server.greet() as connection:
            if client.sees_messages:
                for expected in (VERSION, DEVICE, OPEN):
                    expect_same(driver.message(), expected, "message")
            layers = {"bg": {"x": 0.2, "y": -0.1, "vx": 0.5, "vy": 0.25}}
            moved = offset(1, vx=2.5, vy=-1.5, layers=layers)
            connection.send(moved)
            expect_same(driver.message("OFFSET"), moved, "message")
            expect_same(driver.at(100.05), {"x": 1.025, "y": -0.515, "layers": {"bg": {"x": 0.205}}}, "offset")
            driver.end()
            connection.ends()


@case("animation")
def animations_have_an_instant_unless_the_daemon_is_old(client, folder):
    events = [
        {"class": "ANIMATION", "id": "intro", "event": "started", "time": 100.25},
        {"class": "ANIMATION", "id": "intro", "event": "completed", "position": "end", "time": 101.123456},
        {"class": "ANIMATION", "id": "intro", "event": "started"}]
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        connection.send(VERSION, DEVICE, OPEN, *events, offset(1))
        if client.sees_messages:
            for event in events:
                found = driver.message("ANIMATION")
                expect_same(found, event, "message")
                assert ("time" in found) == ("time" in event), found
        expect_same(driver.message("OFFSET"), {"seq": 1}, "message")


@case("bytes")
def lines_come_byte_by_byte(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        for byte in encode(VERSION, DEVICE, OPEN, offset(1), offset(2)):
            connection.socket.sendall(bytes([byte]))
        for number in (1, 2):
            expect_same(driver.message("OFFSET"), offset(number), "message")


@case("packets")
def many_lines_come_at_once(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        numbers = range(1, 13)
        data = encode(VERSION, DEVICE, OPEN, *[offset(number) for number in numbers])
        # The last line is in two packets.
        connection.socket.sendall(data[:-20])
        for number in numbers[:-1]:
            expect_same(driver.message("OFFSET"), {"seq": number}, "message")
        connection.socket.sendall(data[-20:])
        expect_same(driver.message("OFFSET"), offset(12), "message")


@case("unknown")
def unknown_classes_fields_and_words_do_not_matter(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        connection.send(
            {**VERSION, "more": {"deep": [1, [2, {"a": None}]]}}, {"class": "FUTURE", "x": 1}, {"class": "FUTURE"},
            {**DEVICE, "state": "dreaming", "more": [1]}, {**OPEN, "reasons": ["phase-of-the-moon"], "z": {}},
            {"z": 3.0, **offset(1, layers={"bg": {"x": 1, "y": 2, "z": 3}}), "more": None}, b"", b"{}", offset(2))
        if client.sees_messages:
            expect_same(driver.message(), VERSION, "message")
            expect_same(driver.message(), {"class": "DEVICE", "state": client.unknown_state or "dreaming"}, "message")
            expect_same(driver.message(), {"class": "GATE", "reasons": ["phase-of-the-moon"]}, "message")
        expect_same(driver.message("OFFSET"), {"seq": 1, "layers": {"bg": {"x": 1, "y": 2}}}, "message")
        expect_same(driver.message("OFFSET"), {"seq": 2}, "message")


@case("types")
def lines_with_wrong_types_are_ignored(client, folder):
    wrong = [
        {"class": "VERSION", "release": "0.1.0", "proto_major": "1", "proto_minor": 0}, {**DEVICE, "state": 1},
        {**DEVICE, "driver": None}, {**DEVICE, "rate": "fast"}, {**DEVICE, "range_x": "wide"},
        {**DEVICE, "range_x": ["-5", "5"]}, {**OPEN, "open": 1}, {**OPEN, "reasons": "none"}, {**OPEN, "reasons": [1]},
        {**OPEN, "gain": True}, {"class": "ANIMATION", "id": 1, "event": "started"}, {"class": "ERROR", "message": {}}]
    wrong += [{**offset(1), **change} for change in (
        {"x": "1"}, {"y": True}, {"nx": None}, {"seq": -1}, {"seq": 1.5}, {"seq": "1"}, {"time": "now"}, {"time": None},
        {"vx": [1]}, {"layers": []}, {"layers": {"bg": 1}}, {"layers": {"bg": {"x": 1}}}, {"rotation": "30"},
        {"dropped": -1}, {"dropped": {}}, {"class": 1}, {"class": None})]
    wrong += [b"[]", b"null", b"3", b'"OFFSET"', b"{", b"}", b'{"class":"OFFSET"', b'{"class":"OFFSET",}', b"{'class':1}",
              encode(offset(1))[:-1] + b"x", encode(offset(1))[:-2] + b",}", b"[" * 5000, b'{"a":' * 5000]
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        connection.send(offset(1))
        for line in wrong:
            connection.send(line)
        connection.send(offset(2))
        expect_offsets(driver, 1, 2)
        connection.send({**DEVICE, "range_x": [1, 2], "range_y": [0]}, {**offset(3), "vx": None, "layers": None})
        if client.sees_messages:
            found = driver.message("DEVICE")
            assert found.get("range_x") is None and found.get("range_y") is None, found
        found = driver.message("OFFSET")
        assert found.get("vx") is None and not found.get("layers"), found


@case("numbers")
def numbers_that_are_none_are_ignored(client, folder):
    line = encode(offset(2, x=1.25))[:-1]
    assert b'"x":1.25' in line
    bad = [b"NaN", b"-Infinity", b"Infinity", b"1e400", b"-1e400", b"1e300", b"2e9", b"01", b"1.", b".5", b"+1", b"0x10",
           b"1e", b"--1", b"1,5", b"9" * 400]
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        connection.send(offset(1))
        for text in bad:
            connection.send(line.replace(b'"x":1.25', b'"x":' + text))
            connection.send(line.replace(b'"vx":0.0', b'"vx":' + text))
        connection.send(line.replace(b'"time":100.08', b'"time":1e18'), line.replace(b'"time":100.08', b'"time":-1e18'))
        connection.send(line.replace(b'"seq":2', b'"seq":1e30'))
        connection.send(line.replace(b'"x":1.25', b'"x":-1.25E+0'))
        expect_offsets(driver, 1)
        expect_same(driver.message("OFFSET"), {"seq": 2, "x": -1.25}, "message")
        connection.send(offset(3, x=1e-320), offset(4, x=5e8, vx=-1e9), offset(5, x=-5e8, vx=1e9))
        for _ in range(3):
            driver.message("OFFSET")
        assert abs(driver.at(100.205)["x"]) < 2e9


@case("text", needs="messages")
def text_is_utf8(client, folder):
    name = 'é "\\/\b\f\n\r\t 漢 \U0001f600'
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        for bad in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80", b"\x01", b'\\x'):
            connection.send(encode(DEVICE)[:-1].replace(b"gyro_3d", bad))
        # One after the other: a slow reader gets only the newest DEVICE.
        for is_ascii in (True, False):
            connection.send(json.dumps({**DEVICE, "name": name}, ensure_ascii=is_ascii).encode())
            expect_same(driver.message(), {"class": "DEVICE", "name": name}, "message")


@case("overlong")
def a_line_without_end_ends_the_connection(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver:
        with server.greet() as connection:
            connection.send(offset(1))
            expect_same(driver.message("OFFSET"), {"seq": 1}, "message")
            try:
                for _ in range(64):
                    connection.socket.sendall(b'{"class":"OFFSET' + b"x" * 65536)
            except (BrokenPipeError, ConnectionResetError):
                pass
            connection.ends()
            driver.state("waiting")
        with server.greet() as connection:
            connection.send(offset(2))
            expect_same(driver.message("OFFSET"), {"seq": 2}, "message")


@case("garbage")
def random_bytes_do_no_harm(client, folder):
    numbers = random.Random(11)
    valid = [encode(line)[:-1] for line in (
        VERSION, DEVICE, OPEN, CLOSED, offset(1, layers={"bg": {"x": 0.5, "y": 1.5, "vx": 2.5, "vy": 3}}),
        {"class": "ERROR", "message": "no \u20ac", "code": "denied", "details": ["a", "b"]},
        {"class": "ANIMATION", "id": "a", "event": "completed", "position": "end"})]
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        for _ in range(2000):
            line = bytearray(numbers.choice(valid))
            for _ in range(numbers.randrange(1, 6)):
                place = numbers.randrange(len(line))
                if numbers.random() < 0.5:
                    line[place] = numbers.randrange(256)
                else:
                    line[place:place + numbers.randrange(4)] = numbers.choice(valid)[:numbers.randrange(20)]
            if b'proto_major' in line:
                continue
            connection.send(bytes(line))
        # A new stream begins with VERSION, whatever came before.
        connection.send(b"", VERSION, DEVICE, OPEN, offset(77, x=2.5, y=0.5))
        driver.until(lambda value: value.get("message", {}).get("seq") == 77, "the last frame")
        expect_resting(driver.at(105), 2.5, 0.5)


@case("properties", needs="properties")
def properties_follow_the_stream(client, folder):
    def expect(expected):
        """The properties of the offset change with the next picture."""
        end = time.monotonic() + PATIENCE
        while True:
            driver.say("properties")
            found = driver.until(lambda value: "properties" in value, "properties")["properties"]
            try:
                return expect_same(found, expected, "properties")
            except AssertionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)

    with Server(folder) as server, Driver(client, server.environment) as driver:
        with server.accept(VERSION, DEVICE, OPEN) as connection:
            connection.send(offset(1, x=2.5, y=-2, layers={"bg": {"x": 0.5, "y": 0.25}}))
            expect({"x": 2.5, "y": -2, "nx": 0.5, "ny": -0.5, "layerOffsets": {"bg": {"x": 0.5, "y": 0.25}},
                    "connected": True, "gateOpen": True, "gateReasons": [], "deviceState": "streaming",
                    "rangeX": [-5, 5], "rangeY": [-4, 4], "moving": False})
            connection.send(CLOSED, offset(2, x=0, y=0), {"class": "DEVICE", "driver": "iio", "state": "lost"})
            expect({"x": 0, "y": 0, "nx": 0, "ny": 0, "layerOffsets": {}, "gateOpen": False,
                    "gateReasons": CLOSED["reasons"], "deviceState": "lost", "rangeX": [], "moving": False})
            connection.send(OPEN)
            expect({"gateOpen": True, "gateReasons": []})
        server.close()
        expect({"connected": False, "x": 0})


def places(folder, name, colors):
    """Where each color begins in a picture, from the left and from the top."""
    with open(os.path.join(folder, name), "rb") as file:
        kind, size, depth, pixels = file.read().split(b"\n", 3)
    assert (kind, depth) == (b"P6", b"255"), (kind, depth)
    width = int(size.split()[0])
    found = []
    for color in colors:
        at, index = [], pixels.find(color)
        while index >= 0:
            if index % 3 == 0:
                at.append(index // 3)
            index = pixels.find(color, index + 1)
        assert at, "no color %s" % color.hex()
        found.append((min(place % width for place in at), min(place // width for place in at)))
    return found


def drawn_places(client, folder, scene, colors, x, y):
    """Where the colors of a scene begin, drawn on a screen that is not there, at an offset."""
    with Server(folder) as server:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARALLAX_")}
        environment.update(client.environment, **server.environment, GRAB_FORMAT="ppm")
        environment["QML_IMPORT_PATH"] += ":" + os.path.join(ROOT, "clients/qml/tests/stubs")
        program = subprocess.Popen([client.commands["stream"][0], "grab", scene, "2500"], cwd=folder, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with server.greet() as connection:
            connection.send(offset(1, x=x, y=y), offset(2, x=x, y=y))
            assert program.wait(PATIENCE) == 0, "the scene is not drawn"
    return places(folder, "grab-1.ppm", colors)


def expect_moved(before, after, depths):
    for depth, (x0, y0), (x1, y1) in zip(depths, before, after):
        assert (x1 - x0, y1 - y0) == (4 * depth, -3 * depth), (depth, x1 - x0, y1 - y0)


@case("scene", needs="properties")
def the_scene_moves_by_its_depths(client, folder):
    scene = os.path.join(ROOT, "clients/qml/examples/scene.qml")
    colors = [bytes.fromhex(color) for color in ("3b4a7a", "7a6fd0", "ffb35c")]
    before, after = [drawn_places(client, folder, scene, colors, x, y) for x, y in ((0.0, 0.0), (4.0, -3.0))]
    expect_moved(before, after, (1, 3, 6))


@case("quickshell", needs="properties")
def the_example_for_quickshell_moves(client, folder):
    """With stubs of Quickshell's types, and pictures with a square each."""
    shutil.copy(os.path.join(ROOT, "clients/qml/examples/quickshell/shell.qml"), folder)
    colors = [bytes([0, 255, 0]), bytes([255, 0, 0])]
    for name, left, color in (("hills.png", 200, colors[0]), ("trees.png", 400, colors[1])):
        write_png(os.path.join(folder, name), 600, 400, lambda x, y, left=left, color=color: (
            *color, 255 if left <= x < left + 60 and 150 <= y < 210 else 0))
    before, after = [drawn_places(client, folder, os.path.join(folder, "shell.qml"), colors, x, y)
                     for x, y in ((0.0, 0.0), (4.0, -3.0))]
    expect_moved(before, after, (1, 3))


@case("dropped")
def losses_are_reported(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver, server.accept() as connection:
        connection.send(offset(1), {**offset(5), "dropped": 3}, offset(6))
        assert driver.message("OFFSET").get("dropped") is None
        expect_same(driver.message("OFFSET"), {"seq": 5, "dropped": 3}, "message")
        assert driver.message("OFFSET").get("dropped") is None


@case("gate")
def a_closed_gate_is_exactly_zero(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver, server.greet() as connection:
        connection.send(offset(1, x=2.0, vx=20.0), CLOSED, offset(2, x=1.0, y=0.0, vx=10.0))
        if client.sees_messages:
            # A slow reader gets only the newest GATE.
            closed = driver.until(lambda value: value.get("message", {}).get("open") is False, "a closed gate")
            expect_same(closed["message"], CLOSED, "message")
        driver.until(lambda value: value.get("message", {}).get("seq") == 2, "frame 2")
        # A frame of a closing gate is not followed.
        expect_resting(driver.at(105), 1.0, 0.0)
        connection.send(offset(3, x=0, y=0))
        expect_same(driver.message("OFFSET"), {"seq": 3}, "message")
        found = driver.at(100.121)
        assert found["x"] == 0 and found["y"] == 0, found
        connection.send(OPEN, offset(4, x=0.5, y=0, vx=10.0))
        expect_same(driver.message("OFFSET"), {"seq": 4}, "message")
        expect_resting(driver.at(105), 1.0, 0)


@case("end")
def the_end_of_a_recording_and_of_the_daemon(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver:
        with server.greet() as connection:
            connection.send(offset(1, x=2.0, vx=20.0), {**DEVICE, "state": "ended", "reason": "the end"},
                            offset(2, x=2.5, y=0, vx=20.0))
            if client.sees_messages:
                ended = driver.until(lambda value: value.get("message", {}).get("state") == "ended", "the end")
                expect_same(ended["message"], {"reason": "the end"}, "message")
            driver.until(lambda value: value.get("message", {}).get("seq") == 2, "frame 2")
            # Frames that came while nothing streamed are not followed.
            expect_resting(driver.at(105), 2.5, 0)
            connection.send({**DEVICE, "state": "none", "reason": "shutdown"})
            if client.sees_messages:
                expect_same(driver.message("DEVICE"), {"state": "none", "reason": "shutdown"}, "message")
        driver.state("waiting")
        # The picture stays where it was.
        expect_resting(driver.at(105), 2.5, 0)


@case("restart")
def a_new_connection_repeats_the_request(client, folder):
    with Server(folder) as server:
        with Driver(client, server.environment, watch={"rate": 20, "layers": {"bg": 0.5}}) as driver:
            with server.greet() as connection:
                expect_same(connection.request(), {"class": "WATCH", "rate": 20, "layers": {"bg": 0.5}}, "request")
                connection.send(offset(1000, x=4.0, vx=30.0), CLOSED)
                driver.until(lambda value: value.get("message", {}).get("seq") == 1000, "frame 1000")
                server.close()
            driver.state("waiting")
            server.listen()
            with server.greet() as connection:
                expect_same(connection.request(), {"class": "WATCH", "rate": 20, "layers": {"bg": 0.5}}, "request")
                driver.state("connected")
                # A new stream: its frames begin anywhere, and its gate is open.
                connection.send({**offset(1, x=0.5, y=0, vx=10.0), "time": 5.0})
                expect_same(driver.message("OFFSET"), {"seq": 1, "time": 5.0}, "message")
                expect_resting(driver.at(6), 1.0, 0)


@case("watch")
def a_later_request_is_sent_and_merged(client, folder):
    with Server(folder) as server, Driver(client, server.environment, watch={"rate": 20}) as driver:
        with server.greet() as connection:
            expect_same(connection.request(), {"class": "WATCH", "rate": 20}, "request")
            driver.state("connected")
            driver.say('watch {"layers":{"bg":-1.5},"orientation":"left-up"}')
            expect_same(connection.request(), {"class": "WATCH", "layers": {"bg": -1.5}, "orientation": "left-up"},
                        "request")
            if client.sees_messages:
                connection.send({"class": "WATCH", "version": 1, "enable": True, "rate": 20, "layers": {"bg": -1.5},
                                 "on_change": False, "orientation": "left-up"},
                                {"class": "ERROR", "message": "no", "code": "bad-request", "details": ["a"]})
                driver.message("WATCH")
                expect_same(driver.message(), {"class": "ERROR", "message": "no", "code": "bad-request"}, "message")
                driver.say("poll")
                expect_same(connection.request(), {"class": "POLL"}, "request")
        with server.greet() as connection:
            # Maybe in one request, maybe in two.
            found = connection.request()
            while "orientation" not in found:
                found.update(connection.request())
            expect_same(found, {"rate": 20, "layers": {"bg": -1.5}, "orientation": "left-up"}, "request")


@case("layers")
def every_frame_has_the_requested_layers(client, folder):
    """Before the daemon has answered the WATCH, too: it greets with a frame that has the configured layers, or none."""
    configured = {"bg": {"x": 9, "y": 9, "vx": 9, "vy": 9}, "other": {"x": 1, "y": 1}}

    def answer(layers):
        return {"class": "WATCH", "version": 1, "enable": True, "rate": 30, "layers": layers, "on_change": False}

    def expect(found, **layers):
        expect_same(found["layers"], {name: dict(zip(("x", "y", "vx", "vy"), place)) for name, place in layers.items()},
                    "layers")
        assert set(found["layers"]) == set(layers), found

    with Server(folder) as server:
        with Driver(client, server.environment, watch={"layers": {"bg": 0.5, "fg": -2}}) as driver:
            with server.greet() as connection:
                connection.send(offset(1, x=2.5, y=-2.0, vx=10.0, vy=1.0, layers=configured))
                expect(driver.message("OFFSET"), bg=(1.25, -1, 5, 0.5), fg=(-5, 4, -20, -2))
                expect(driver.at(100.06), bg=(1.35, -0.99), fg=(-5.4, 3.96))
                # Not the animation, which moves every layer by the same distance.
                animated = offset(2, x=14.5, y=-2.0, nx=0.5, ny=-0.5, scale=2.0)
                del animated["vx"], animated["vy"]
                connection.send(animated)
                found = driver.message("OFFSET")
                expect(found, bg=(13.25, -1), fg=(7, 4))
                assert found["scale"] == 2 and "vx" not in found["layers"]["bg"], found
                # The daemon has applied the request: its layers are handed on as they come.
                own = {"bg": {"x": 1.5, "y": 1.25, "vx": 3, "vy": 4}, "fg": {"x": -6, "y": -5, "vx": 1, "vy": 2}}
                connection.send(answer({"bg": 0.5, "fg": -2}), offset(3, x=3.0, layers=own))
                expect(driver.message("OFFSET"), bg=(1.5, 1.25, 3, 4), fg=(-6, -5, 1, 2))
                # Another request: what is on its way, or was drawn before, has the new layers as well.
                driver.say('watch {"layers":{"near":2}}')
                expect(driver.at(105), near=(6, -1))
                connection.send(offset(4, x=3.5, vx=5.0, layers=own))
                expect(driver.message("OFFSET"), near=(7, -1, 10, 0))
                # The daemon has refused the depths: the frames go on without them.
                connection.send({"class": "ERROR", "message": "no", "code": "bad-request"}, offset(5, x=1.0, y=0.0))
                expect(driver.message("OFFSET"), near=(2, 0, 0, 0))
            # A new connection, on which nothing is answered yet.
            driver.state("waiting")
            with server.greet() as connection:
                connection.send(offset(1, x=2.0, y=1.0, layers={"near": {"x": 9, "y": 9}}))
                expect(driver.message("OFFSET"), near=(4, 2, 0, 0))


@case("velocity")
def frames_with_and_without_velocity(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver, server.greet() as connection:
        frames = [offset(1, x=1.0, y=0), offset(2, x=1.4, y=0)]
        for frame in frames:
            del frame["vx"], frame["vy"]
        frames[1].update(rotation=4.0, opacity=0.5)
        connection.send(*frames)
        assert driver.message("OFFSET").get("vx") is None
        driver.message("OFFSET")
        expect_same(driver.at(100.09), {"x": 1.5, "rotation": 5.0, "opacity": 0.375}, "offset")
        connection.send(offset(3, x=1.8, y=0, vx=10.0))
        expect_same(driver.message("OFFSET"), {"vx": 10.0}, "message")
        found = driver.at(100.15)
        expect_same(found, {"x": 2.1}, "offset")
        assert found.get("rotation") is None, found


@case("version")
def another_major_version_ends_the_stream(client, folder):
    with Server(folder) as server, Driver(client, server.environment) as driver:
        with server.accept({**VERSION, "proto_major": 2}) as connection:
            value = driver.until(lambda value: "error" in value, "an error")
            assert value["error"] == "incompatible", value
            connection.ends()
        server.listener.settimeout(0.6)
        try:
            server.accept()
        except OSError:
            return
        raise AssertionError("it connected again")


@case("refused")
def a_socket_without_a_daemon_is_tried_again(client, folder):
    server = Server(folder)
    server.close()
    with server, Driver(client, server.environment) as driver:
        driver.state("waiting")
        assert driver.at() is None
        driver.state("connecting")
        driver.state("waiting")
        server.listen()
        with server.greet() as connection:
            connection.send(offset(1))
            expect_same(driver.message("OFFSET"), {"seq": 1}, "message")


@case("no daemon")
def without_a_daemon_it_waits_or_says_so(client, folder):
    with Server(folder, listens=False) as server:
        with Driver(client, server.environment) as driver:
            driver.state("waiting")
            driver.end()
        with Driver(client, server.environment, backoff="never") as driver:
            assert driver.until(lambda value: "error" in value, "an error")["error"] == "no-daemon"
        long = {"PARALLAX_SOCKET": os.path.join(folder, "x" * 120)}
        with Driver(client, long, backoff="never") as driver:
            assert driver.until(lambda value: "error" in value, "an error")["error"] == "no-daemon"
    with Server(folder) as server, Driver(client, server.environment, backoff="never") as driver:
        server.greet().socket.close()
        assert driver.until(lambda value: "error" in value, "an error")["error"] == "closed"


@case("search")
def the_environment_names_the_only_socket(client, folder):
    os.mkdir(os.path.join(folder, "parallax"))
    with Server(os.path.join(folder, "parallax")) as server:
        with Driver(client, {"XDG_RUNTIME_DIR": folder}) as driver, server.greet():
            driver.state("connected")
        with Driver(client, {"XDG_RUNTIME_DIR": folder, "PARALLAX_SOCKET": ""}) as driver, server.greet():
            driver.state("connected")
        with Driver(client, {"XDG_RUNTIME_DIR": folder, "PARALLAX_SOCKET": folder + "/other"}) as driver:
            for _ in range(3):
                driver.state("waiting")


@case("backoff")
def waits_double(client, folder):
    with Server(folder) as server, Driver(client, server.environment, backoff="0.05:0.4"):
        times = []
        for _ in range(7):
            server.accept().socket.close()
            times.append(time.monotonic())
        # A wait is never shorter than half its bound. How much longer it is depends on the machine.
        for index, (before, after) in enumerate(zip(times, times[1:])):
            least = 0.5 * min(0.05 * 2 ** index, 0.4)
            assert after - before > least - 0.02, "wait %d: %.3f s, at least %.3f" % (index, after - before, least)


@case("daemon")
def the_real_daemon(client, folder):
    watch = {"layers": {"bg": 0.5}, "rate": 60}
    with Daemon(folder) as daemon, Driver(client, daemon.environment, watch=watch) as driver:
        driver.state("waiting")
        daemon.start()
        if client.sees_messages:
            expect_same(driver.message(), {"class": "VERSION", "proto_major": 1}, "message")
            driver.until(lambda value: value.get("message", {}).get("range_x") == [-5, 7], "the range")
            driver.message("WATCH")
        moved = None
        for _ in range(40):
            found = driver.message("OFFSET")
            assert "bg" in found.get("layers", {}), found
            if found["x"]:
                moved = found
        assert moved is not None, "nothing moved"
        expect_same(moved["layers"]["bg"], {"x": moved["nx"] * (5 if moved["x"] < 0 else 7) * 0.5}, "a layer") \
            if abs(moved["layers"]["bg"]["x"] - moved["x"] / 2) > 0.006 else None
        found = driver.at()
        assert -5 <= found["x"] <= 7 and -6 <= found["y"] <= 4, found
        answer = daemon.control(**{"class": "SET", "key": "paused", "value": "on"})
        assert answer["class"] == "ACK", answer
        if client.sees_messages:
            driver.until(lambda value: value.get("message", {}).get("reasons") == ["paused"], "a closed gate")
        driver.until(lambda value: value.get("message", {}).get("x") == 0 and value["message"]["y"] == 0, "zero")
        found = driver.at()
        assert found["x"] == 0 and found["y"] == 0, found
        daemon.stop()
        driver.state("waiting")
        daemon.start()
        driver.state("connected")
        driver.message("OFFSET")
        driver.end()
