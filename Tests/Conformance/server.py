# SPDX-License-Identifier: Apache-2.0
"""A server whose lines the cases write, in place of parallaxd; and parallaxd itself."""
import json
import os
import signal
import socket
import subprocess
import time

from clients import PATIENCE, ROOT

VERSION = {"class": "VERSION", "release": "0.1.0", "proto_major": 1, "proto_minor": 3}
DEVICE = {"class": "DEVICE", "driver": "iio", "name": "gyro_3d", "state": "streaming", "rate": 30.5,
          "range_x": [-5, 5], "range_y": [-4, 4]}
OPEN = {"class": "GATE", "open": True, "gain": 1, "reasons": []}
CLOSED = {"class": "GATE", "open": False, "gain": 0, "reasons": ["paused", "low-power:upower"]}


def offset(seq, x=1.0, y=-0.5, **more):
    """An OFFSET, 40 ms after the one before."""
    return {"class": "OFFSET", "seq": seq, "time": round(100 + seq * 0.04, 9), "x": x, "y": y, "nx": x / 5, "ny": y / 4,
            "vx": 0.0, "vy": 0.0, **more}


def encode(*lines):
    """The bytes of lines: objects, or bytes as they are."""
    return b"".join(
        line + b"\n" if isinstance(line, bytes) else json.dumps(line, separators=(",", ":")).encode() + b"\n"
        for line in lines)


class Server:
    """A listening socket in the place of the daemon's; with "control.sock" in the place of the control socket."""

    def __init__(self, folder, listens=True, name="parallax.sock"):
        self.path = os.path.join(folder, name)
        self.environment = {"PARALLAX_SOCKET": os.path.join(folder, "parallax.sock")}
        self.listener = None
        if listens:
            self.listen()

    def listen(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(8)
        self.listener.settimeout(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()

    def close(self):
        if self.listener is not None:
            self.listener.close()
            self.listener = None

    def accept(self, *lines):
        """Returns the next connection, to which it has sent these lines."""
        connection = Connection(self.listener.accept()[0])
        if lines:
            connection.send(*lines)
        return connection

    def greet(self):
        """As `accept`, with VERSION, DEVICE and an open gate."""
        return self.accept(VERSION, DEVICE, OPEN)


class Connection:
    """The server's end of a connection."""

    def __init__(self, connection):
        self.socket = connection
        self.socket.settimeout(PATIENCE)
        self.requests = b""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.socket.close()

    def send(self, *lines):
        self.socket.sendall(encode(*lines))

    def request(self):
        """Returns the client's next request."""
        while b"\n" not in self.requests:
            data = self.socket.recv(4096)
            assert data, "the client has closed the connection"
            self.requests += data
        line, _, self.requests = self.requests.partition(b"\n")
        return json.loads(line.decode())

    def ends(self):
        """Waits until the client has closed the connection."""
        while True:
            try:
                if not self.socket.recv(4096):
                    return
            except ConnectionResetError:
                return


class Daemon:
    """parallaxd in a folder of its own."""

    def __init__(self, folder, programs=None):
        self.programs = programs or os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug")
        self.folder = folder
        self.path = os.path.join(folder, "parallax.sock")
        self.environment = {
            "PARALLAX_SOCKET": self.path, "PARALLAX_CONTROL": os.path.join(folder, "control.sock")}
        self.process = None

    def start(self, *options, source="synthetic"):
        values = {**os.environ, **self.environment, "XDG_CONFIG_HOME": self.folder}
        self.process = subprocess.Popen(
            [os.path.join(self.programs, "parallax"), "run", "--source", source, "--range-x=-5:7",
             "--range-y=-6:4", *options],
            env=values, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                for path in self.environment.values():
                    with socket.socket(socket.AF_UNIX) as probe:
                        probe.connect(path)
                return
            except OSError:
                assert self.process.poll() is None, self.process.stderr.read().decode()[-500:]
                assert time.monotonic() < end, "parallax run does not listen"
                time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.stop()

    def stop(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)
            self.process.stderr.close()
            self.process = None

    def control(self, **request):
        """Sends a request to the control socket and returns the answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(self.environment["PARALLAX_CONTROL"])
            connection.sendall(encode(request))
            answer = connection.makefile("rb").readline()
        return json.loads(answer.decode())
