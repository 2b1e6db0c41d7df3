# SPDX-License-Identifier: Apache-2.0
"""The cases of the clients that send samples to the daemon."""
import json
import os
import random
import signal
import socket
import subprocess
import time

from cases import case, expect_same
from clients import Driver, PATIENCE, within
from server import Daemon, Server, encode

NAME = 'Téléphone "8" \\'
FEED = {"class": "FEED", "name": NAME, "clock": "monotonic", "rate": 62.5, "mount_matrix": "0,1,0;-1,0,0;0,0,1"}
VARIABLES = {"DRIVER_FEED": NAME, "DRIVER_CLOCK": "monotonic", "DRIVER_RATE": "62.5",
             "DRIVER_MATRIX": "0,1,0;-1,0,0;0,0,1"}
ACK = {"class": "ACK"}
USED = {"class": "DEVICE", "driver": "feed", "name": NAME, "state": "streaming", "rate": 62.5, "range_x": [-5, 5],
        "range_y": [-4, 4]}
IDLE = {"class": "DEVICE", "driver": "feed", "name": NAME, "state": "idle"}
LOST = {**USED, "state": "lost"}
OTHER = {**USED, "driver": "iio"}


def error(code, message):
    return {"class": "ERROR", "message": message, "code": code}


def control(folder, **options):
    """A server in the place of the control socket, beside $PARALLAX_SOCKET."""
    return Server(folder, name="control.sock", **options)


def start(client, server, **options):
    return Driver(client, server.environment, feed=VARIABLES, **options)


def accept(server, driver, *lines):
    """Returns a connection whose FEED the server has accepted; it has sent these lines."""
    connection = server.accept()
    expect_same(connection.request(), FEED, "FEED")
    connection.send(ACK, *lines)
    driver.state("connected")
    return connection


def ask(driver, command):
    """Returns the number of samples that the client says it has sent."""
    driver.say(command)
    return driver.until(lambda value: "sent" in value, "a number")["sent"]


def is_wanted(driver):
    driver.say("wanted")
    return driver.until(lambda value: "wanted" in value, "an answer")["wanted"]


def wait(is_true, what):
    """Waits until a condition is true that a client reports."""
    end = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < end, what
        time.sleep(0.01)


def expect_error(driver, code, text=None):
    """The feed ends by itself."""
    found = driver.until(lambda value: "error" in value, "an error")
    assert found["error"] == code, found
    assert text is None or found["text"] == text, found


@case("feed", needs="feed")
def samples_are_sent_as_they_are(client, folder):
    with control(folder) as server, start(client, server) as driver:
        with accept(server, driver, USED) as connection:
            expect_same(driver.message(), USED, "message")
            assert ask(driver, "sample 12.345678901 0.125 -0.25 1e-17") == 1
            assert connection.request() == {"class": "SAMPLE", "time": 12.345678901, "x": 0.125, "y": -0.25, "z": 1e-17}
            assert ask(driver, "sample 0.1 -2 3") == 1
            assert connection.request() == {"class": "SAMPLE", "x": 0.1, "y": -2, "z": 3}
            assert ask(driver, "samples -1.5 1 2 3 0 4 5 6 0.016 7 8 9.123456789012345") == 3
            assert connection.request() == {
                "class": "SAMPLES", "samples": [[-1.5, 1, 2, 3], [0, 4, 5, 6], [0.016, 7, 8, 9.123456789012345]]}
            rows = [[k / 8, k, -k, 0] for k in range(70)]
            assert ask(driver, "samples " + " ".join("%g %g %g %g" % tuple(row) for row in rows)) == 70
            found = []
            while len(found) < 70:
                found += connection.request()["samples"]
            assert found == rows, found[-3:]
            driver.end()
            connection.ends()
    with control(folder) as server, Driver(client, server.environment, feed={"DRIVER_FEED": "a"}) as driver:
        with server.accept() as connection:
            found = connection.request()
            assert found.pop("clock", "sender") == "sender" and found == {"class": "FEED", "name": "a"}, found


@case("feed wanted", needs="feed")
def whether_samples_are_wanted(client, folder):
    with control(folder) as server, start(client, server) as driver:
        assert not is_wanted(driver)
        with accept(server, driver, IDLE) as connection:
            for line, expected in ((IDLE, False), (USED, True), (LOST, True), (IDLE, False), (OTHER, True)):
                connection.send(line)
                expect_same(driver.until(lambda value, line=line: value.get("message", {}).get("state") == line["state"]
                                         and value["message"]["driver"] == line["driver"], "DEVICE")["message"], line)
                assert is_wanted(driver) is expected, line
        driver.state("waiting")
        assert not is_wanted(driver)


@case("feed begins", needs="feed")
def samples_before_the_ack_are_dropped(client, folder):
    with control(folder) as server, start(client, server) as driver, server.accept() as connection:
        expect_same(connection.request(), FEED, "FEED")
        assert ask(driver, "sample 1 1 1 1") == 0
        assert ask(driver, "samples 1 1 1 1 2 2 2 2") == 0
        for byte in encode(ACK, USED):
            connection.socket.sendall(bytes([byte]))
        driver.message("DEVICE")
        assert ask(driver, "sample 3 3 3 3") == 1
        expect_same(connection.request(), {"class": "SAMPLE", "time": 3, "x": 3}, "sample")


@case("feed refused", needs="feed")
def a_refused_feed_ends_with_the_error(client, folder):
    for code in ("unavailable", "denied", "bad-request", "too-many", "of-a-later-daemon"):
        with control(folder) as server, start(client, server) as driver, server.accept() as connection:
            connection.send(error(code, "'Pixel 8' already sends samples; end it first"))
            expect_same(driver.message(), {"class": "ERROR", "code": code}, "message")
            expect_error(driver, code, "'Pixel 8' already sends samples; end it first")
            assert driver.next() is None and driver.process.wait(PATIENCE) == 0
            connection.ends()
            server.listener.settimeout(0.01)
            try:
                server.accept()
            except OSError:
                continue
            raise AssertionError("it connected again")


@case("feed errors", needs="feed")
def a_wrong_sample_does_not_end_a_feed(client, folder):
    with control(folder) as server, start(client, server) as driver:
        with accept(server, driver, USED) as connection:
            wrong = error("bad-request", "SAMPLES: $.samples[3][1]: expected a number")
            connection.send(wrong)
            expect_same(driver.message("ERROR"), wrong, "message")
            assert ask(driver, "sample 1 2 3") == 1
            assert connection.request()["class"] == "SAMPLE"
            # The daemon ends the connection after it.
            connection.send(error("behind", "too much is waiting"))
            driver.message("ERROR")
        driver.state("waiting")
        with server.accept() as connection:
            # Before the ACK any error ends the feed, also after an earlier connection.
            connection.send(error("bad-request", "FEED: $.rate: expected a rate above 0 Hz"))
            expect_error(driver, "bad-request", "FEED: $.rate: expected a rate above 0 Hz")
    for code in ("unavailable", "denied"):
        with control(folder) as server, start(client, server) as driver:
            with accept(server, driver, USED) as connection:
                connection.send(error(code, 'the daemon reads "iio" only'))
                expect_error(driver, code, 'the daemon reads "iio" only')
                connection.ends()


@case("feed restart", needs="feed")
def a_new_connection_begins_with_the_feed(client, folder):
    with control(folder) as server, start(client, server) as driver:
        with accept(server, driver, USED) as connection:
            assert ask(driver, "sample 1 2 3") == 1
            connection.send({**USED, "state": "none", "reason": "shutdown"})
            driver.until(lambda value: value.get("message", {}).get("reason") == "shutdown", "the shutdown")
            server.close()
        driver.state("waiting")
        assert ask(driver, "sample 4 5 6") == 0
        server.listen()
        with accept(server, driver) as connection:
            assert not is_wanted(driver), "the DEVICE of the last connection counts"
            assert ask(driver, "sample 7 8 9") == 1
            assert connection.request() == {"class": "SAMPLE", "x": 7, "y": 8, "z": 9}


@case("feed slow", needs="feed")
def samples_are_dropped_when_the_daemon_does_not_read(client, folder):
    most = 100000
    with control(folder) as server, start(client, server) as driver:
        with accept(server, driver, USED) as connection:
            sent = ask(driver, "flood %d" % most)
            assert 0 < sent < most, sent
            for number in range(sent):
                assert connection.request() == {"class": "SAMPLE", "x": number, "y": 0, "z": 0}, number
            wait(lambda: ask(driver, "sample 1 2 3") == 1, "it does not send again")
            assert connection.request() == {"class": "SAMPLE", "x": 1, "y": 2, "z": 3}


@case("feed server", needs="feed")
def a_misbehaving_server_does_no_harm(client, folder):
    numbers = random.Random(5)
    lines = [encode(line)[:-1] for line in (USED, IDLE, error("bad-request", "no \u20ac"))]
    with control(folder) as server, start(client, server) as driver:
        with server.accept() as connection:
            connection.send(b"", b"[]", b"ACK", b'"ACK"', b'{"class":["ACK"]}', b'{"class":"ACK"', b'{"ack":"ACK"}',
                            {"class": "FUTURE", "x": 1}, {"class": "ERROR", "message": 3}, b"\xff", b"[" * 5000, IDLE)
            driver.message("DEVICE")
            assert ask(driver, "sample 1 2 3") == 0
            connection.send(ACK, ACK, {**ACK, "tag": {"more": None}, "note": 1}, {**USED, "state": 1}, {**USED, "driver": None})
            driver.state("connected")
            for _ in range(1000):
                line = bytearray(numbers.choice(lines))
                for _ in range(numbers.randrange(1, 6)):
                    line[numbers.randrange(len(line))] = numbers.randrange(256)
                connection.send(bytes(line))
            connection.send(b"", USED)
            wait(lambda: is_wanted(driver), "the last DEVICE does not count")
            assert ask(driver, "sample 1 2 3") == 1
            try:
                for _ in range(64):
                    connection.socket.sendall(b'{"class":"DEVICE' + b"x" * 65536)
            except (BrokenPipeError, ConnectionResetError):
                pass
            connection.ends()
            driver.state("waiting")
        for _ in range(3):
            server.accept().socket.close()
            driver.state("waiting")
        accept(server, driver, USED).socket.close()
        driver.state("waiting")


@case("feed sockets", needs="feed")
def the_environment_names_the_control_socket(client, folder):
    os.mkdir(os.path.join(folder, "parallax"))
    with control(os.path.join(folder, "parallax")) as server:
        for variables in ({"XDG_RUNTIME_DIR": folder}, {"PARALLAX_CONTROL": server.path},
                          {"PARALLAX_CONTROL": server.path, "PARALLAX_SOCKET": folder + "/parallax.sock"},
                          {"PARALLAX_CONTROL": "", "PARALLAX_SOCKET": folder + "/parallax/other.sock"},
                          {"XDG_RUNTIME_DIR": folder, "PARALLAX_CONTROL": "", "PARALLAX_SOCKET": ""}):
            with Driver(client, variables, feed=VARIABLES) as driver:
                accept(server, driver).socket.close()
        for path in (folder + "/other", os.path.join(folder, "x" * 120)):
            with Driver(client, {"PARALLAX_CONTROL": path}, feed=VARIABLES, backoff="never") as driver:
                expect_error(driver, "no-daemon")
    with control(folder) as server, start(client, server, backoff="never") as driver:
        accept(server, driver).socket.close()
        expect_error(driver, "closed")


@case("feed example", needs="example")
def the_example_of_the_readme_sends_samples(client, folder):
    page, heading, name, command = client.example
    with open(within(page)) as file:
        text = file.read().split("\n%s\n" % heading, 1)[1]
    code = text.split("\n```", 1)[1].split("\n", 1)[1].split("\n```", 1)[0] + "\n"
    with open(os.path.join(folder, name), "w") as file:
        file.write(code)
    with control(folder) as server:
        values = {**os.environ, **client.environment, **server.environment}
        with subprocess.Popen(command, shell=True, cwd=folder, env=values, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, universal_newlines=True, start_new_session=True) as program:
            try:
                with server.accept() as connection:
                    expect_same(connection.request(), {"class": "FEED", "name": "Pendulum", "clock": "monotonic", "rate": 60})
                    connection.send(ACK, USED)
                    samples = [connection.request() for _ in range(30)]
                    for before, after in zip(samples, samples[1:]):
                        assert 0 < after["time"] - before["time"], (before, after)
                    assert abs(samples[-1]["time"] - time.monotonic()) < PATIENCE, samples[-1]
                    assert any(sample["y"] for sample in samples), samples
                    connection.send(error("unavailable", "another source"))
                    printed = program.communicate(timeout=PATIENCE)[1]
                    assert program.returncode not in (0, None) and "another source" in printed, printed
            finally:
                if program.poll() is None:
                    os.killpg(program.pid, signal.SIGKILL)


@case("feed daemon", needs="feed")
def the_real_daemon_uses_the_samples(client, folder):
    def newest_device():
        is_wanted(driver)
        return next((value["message"] for value in reversed(driver.seen) if "message" in value), {})

    def expect_device(state):
        expected = (state, "feed", NAME)
        wait(lambda: tuple(newest_device().get(key) for key in ("state", "driver", "name")) == expected, state)

    def subscribe():
        subscriber = socket.socket(socket.AF_UNIX)
        subscriber.settimeout(PATIENCE)
        subscriber.connect(daemon.path)
        return subscriber

    def send_until(fits, what):
        """Sends samples of a turn about the sender's y, which is the device's x, until a line of the stream fits."""
        end = time.monotonic() + PATIENCE
        subscriber.settimeout(0.01)
        received = b""
        while time.monotonic() < end:
            ask(driver, "samples %r 0 0.5 0 %r 0 0.5 0" % (time.monotonic() - 0.005, time.monotonic()))
            try:
                received += subscriber.recv(65536)
            except socket.timeout:
                pass
            *lines, received = received.split(b"\n")
            if any(fits(json.loads(line)) for line in lines):
                return
        raise AssertionError(what)

    with Daemon(folder) as daemon, Driver(client, daemon.environment, feed=VARIABLES) as driver:
        daemon.start(source="feed")
        driver.state("connected")
        # No subscriber is left of those that have waited for the daemon.
        wait(lambda: not is_wanted(driver), "its samples are wanted")
        with subscribe() as subscriber:
            send_until(lambda line: line["class"] == "OFFSET" and line["y"] > 0.5, "nothing moved")
            expect_device("streaming")
            assert is_wanted(driver)
            with Driver(client, daemon.environment, feed={**VARIABLES, "DRIVER_FEED": "b"}) as other:
                found = other.until(lambda value: "error" in value, "an error")
                assert found["error"] == "unavailable" and NAME in found["text"], found
            daemon.stop()
            driver.state("waiting")
        daemon.start(source="feed")
        driver.state("connected")
        with subscribe() as subscriber:
            send_until(lambda line: line["class"] == "OFFSET" and line["y"] > 0.5, "nothing moved after the restart")
            expect_device("streaming")
        expect_device("idle")
        driver.end()
