# SPDX-License-Identifier: Apache-2.0
"""The programs under test, each with a temporary folder."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

WEB = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOT = os.path.dirname(WEB)
PROGRAMS = os.environ.get("WEB_PROGRAMS") or os.path.join(WEB, ".build/debug")
PARALLAXD = os.environ.get("PARALLAXD") or os.path.join(ROOT, ".build/debug/parallaxd")
PARALLAX = os.environ.get("PARALLAX") or os.path.join(ROOT, ".build/debug/parallax")
NUDGE = {"parallax": 1, "id": "nudge", "animation": {"move": {"by": [12, 0]}, "duration": 0.2}}


def wait(what, condition, seconds=10):
    """Polls until a condition holds, for what another process does without a notification."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("not within %d s: %s" % (seconds, what))
        time.sleep(0.005)


class Folder:
    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="parallax.")

    def __call__(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self(name)), exist_ok=True)
        with open(self(name), "w") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return self(name)

    def remove(self):
        shutil.rmtree(self.path)


class Program:
    """A running program, whose standard error goes to a file."""

    def __init__(self, folder, command, name=None, pass_fds=(), **environment):
        self.name = name or os.path.basename(command[0])
        self.log = folder(self.name + ".log")
        own = {"HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": folder.path,
               "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder("none"), "PARALLAX_CONTROL": "",
               "PARALLAX_SOCKET": "", "XDG_CACHE_HOME": ""}
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                command, env={**os.environ, **own, **environment}, stdout=subprocess.PIPE,
                stderr=log, pass_fds=pass_fds)

    def log_text(self):
        with open(self.log) as file:
            return file.read()

    def wait_listening(self):
        wait("%s listens" % self.name,
             lambda: "listening on" in self.log_text() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log_text()

    def end(self, number=signal.SIGTERM):
        """Ends the program; returns its exit code and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        return code, time.monotonic() - began

    def kill(self):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        self.process.stdout.close()


class Server(Program):
    """parallax-web on a free port."""

    def __init__(self, folder, documents, *options, command=None, **environment):
        command = command or [os.path.join(PROGRAMS, "parallax-web")]
        super().__init__(
            folder, command + [documents, "--port", "0"] + list(options), **environment)
        wait("parallax-web listens",
             lambda: "at http" in self.log_text() or self.process.poll() is not None)
        found = re.search(r"at http://(.*):(\d+)$", self.log_text(), re.MULTILINE)
        assert found, self.log_text()
        self.port = int(found.group(2))
        self.base = "http://127.0.0.1:%d" % self.port


class Provider(Program):
    def __init__(self, folder, *options, **environment):
        self.socket = folder("provider.sock")
        super().__init__(
            folder, [os.path.join(PROGRAMS, "parallax-provider"), "--socket", self.socket,
                     "--cache", folder("cache")] + list(options), **environment)
        self.wait_listening()

    def connect(self):
        return connect(self.socket)

    def fetch(self, base, name):
        return fetch(self.socket, base, name)


def connect(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(20)
    connection.connect(path)
    return connection


def fetch(path, base, name):
    """Returns the answer's line, the document's bytes (None with an ERROR) and the seconds it took."""
    began = time.monotonic()
    with connect(path) as connection:
        line = json.dumps({"class": "FETCH", "base": base, "id": name}) + "\n"
        connection.sendall(line.encode())
        with connection.makefile("rb") as answer:
            head = json.loads(answer.readline())
            body = answer.read(head["bytes"]) if head["class"] == "DOCUMENT" else None
    return head, body, time.monotonic() - began


class Daemon(Program):
    """parallaxd with its sockets in the folder, beside the provider's."""

    def __init__(self, folder, *settings):
        self.stream = folder("parallax.sock")
        self.control = folder("control.sock")
        command = [PARALLAXD, "--config", folder.write("parallax.toml", "")]
        for setting in ("source.kind=synthetic", "socket.path=" + self.stream) + settings:
            command += ["--set", setting]
        super().__init__(folder, command)
        self.wait_listening()

    def connect(self):
        return Control(self.control)


class Control:
    """A connection to the daemon's control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def send(self, **message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def receive(self):
        return json.loads(self.lines.readline())

    def ask(self, **message):
        self.send(**message)
        return self.receive()

    def close(self):
        self.lines.close()
        self.socket.close()
