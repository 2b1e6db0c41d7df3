# SPDX-License-Identifier: Apache-2.0
"""Connections to parallaxd whose lines are checked against the schemas, in both directions."""
import json
import os
import select
import socket
import subprocess
import sys
import time

SECONDS = 30


class Talk:
    """A connection to one of the daemon's sockets. Every line that comes is checked."""

    def __init__(self, schemas, path, kind):
        self.schemas = schemas
        self.kind = kind
        self.messages = {"stream": "stream-messages", "control": "control-answers"}[kind]
        self.requests = {"stream": "stream-requests", "control": "control-requests"}[kind]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(SECONDS)
        self.socket.connect(path)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.socket.close()

    def next(self, seconds=SECONDS):
        """Returns the next line, which fits its schema; None at the end."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            if not select.select([self.socket], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("no line on the %s socket" % self.kind)
            data = self.socket.recv(65536)
            if not data:
                return None
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return self.schemas.check(self.messages, line)

    def until(self, fits, what):
        """Returns the next line that fits; all before it are checked, too."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            value = self.next()
            assert value is not None, "the connection has ended before %s" % what
            if fits(value):
                return value
        raise TimeoutError(what)

    def line(self, name, **fields):
        """Returns the next line of a class with these fields."""
        return self.until(lambda value: value["class"] == name and all(value.get(key) == field for key, field in
                                                                       fields.items()), "%s %s" % (name, fields))

    def send(self, request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def ask(self, request):
        """Sends a request that fits its schema and that the daemon accepts; returns the answer."""
        self.schemas.check(self.requests, request)
        answer = self.answer(request)
        assert answer["class"] != "ERROR", "%s: %s" % (request, answer)
        return answer

    def refuse(self, request, code, fits=False):
        """Sends a request that the daemon refuses; `bad-request` ones do not fit the schema, unless `fits`."""
        answer = self.answer(request)
        assert (answer["class"], answer.get("code")) == ("ERROR", code), "%s: %s" % (request, answer)
        if code == "bad-request" and isinstance(request, dict):
            found = self.schemas.errors(self.requests, request)
            assert bool(found) != fits, "%s: the schema finds %s, the daemon %s" % (request, found, answer)
        return answer

    def answer(self, request):
        self.send(request)
        names = {"WATCH", "POLL", "ERROR"} if self.kind == "stream" else {"ACK", "STATUS", "ERROR"}
        return self.until(lambda value: value["class"] in names, "an answer to %s" % request)


STRANGER = """
import contextlib, socket, sys
connections = [socket.socket(socket.AF_UNIX) for _ in range(int(sys.argv[2]))]
for connection in connections:
    connection.settimeout(20)
    connection.connect(sys.argv[1])
# The daemon may end the connection before it has read everything.
with contextlib.suppress(ConnectionError):
    connection.sendall(sys.stdin.buffer.read())
    connection.shutdown(socket.SHUT_WR)
with contextlib.suppress(ConnectionError):
    for line in connection.makefile():
        sys.stdout.write(line)
"""


def stranger(path, requests="", connections=1):
    """Returns the lines that another user gets, who sends these lines over the last of some connections."""
    return subprocess.run([sys.executable, "-c", STRANGER, path, str(connections)], input=requests.encode(),
                          stdout=subprocess.PIPE, check=True, user=65534, group=65534, extra_groups=[]
                          ).stdout.decode().splitlines()


def is_root():
    return os.geteuid() == 0
