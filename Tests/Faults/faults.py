# SPDX-License-Identifier: Apache-2.0
"""Programs under faults: calls of the C library that fail on a schedule (faults.c), a daemon, its clients."""
import errno
import json
import mmap
import os
import socket
import struct
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.environ.get("PARALLAX_PROGRAMS", os.path.join(ROOT, ".build/debug"))
LIBRARY = os.path.join(ROOT, ".build/faults.so")

# The result of a call that handles one byte only.
SHORT = 10000
FOREVER = 2 ** 31
RULE = struct.Struct("16s96siIIIII")
RULES = 16


def name(result):
    """The name of a fault, for the table."""
    return "one byte" if result == SHORT else errno.errorcode[result]


class Schedule:
    """The table of faults.c, in a file that the programs map."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "faults")
        with open(self.path, "wb") as file:
            file.write(bytes(RULE.size * RULES))
        with open(self.path, "r+b") as file:
            self.table = mmap.mmap(file.fileno(), 0)
        self.used = 0

    def set(self, function, result, first=1, count=FOREVER, path=""):
        """Lets calls fail from now on. Returns a function that returns how many have failed."""
        index = self.used
        self.used += 1
        # The count comes last: it makes the rule valid.
        whole = RULE.pack(function.encode(), path.encode(), result, first, count, 0, 0, 0)
        start = index * RULE.size
        self.table[start:start + RULE.size] = RULE.pack(
            function.encode(), path.encode(), result, first, 0, 0, 0, 0)
        self.table[start:start + RULE.size] = whole
        return lambda: RULE.unpack_from(self.table, start)[6]

    def clear(self):
        """Lets no call fail from now on."""
        for index in range(RULES):
            struct.pack_into("I", self.table, index * RULE.size + 120, 0)


class Lines:
    """A client: sends requests and reads lines as objects."""

    def __init__(self, path, seconds=20):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(seconds)
        self.bytes = b""
        for attempt in range(2000):
            try:
                self.socket.connect(path)
                return
            except BlockingIOError:
                # The queue of connections is full until the daemon has its turn.
                time.sleep(0.01)
        raise AssertionError("the queue of connections stays full")

    def ask(self, **request):
        """Sends a request and returns the first line of another class than OFFSET."""
        self.send(**request)
        return self.next(lambda line: line["class"] != "OFFSET")

    def send(self, **request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def next(self, wanted=lambda line: True):
        """Returns the next line for which `wanted` holds; None at the end. Every line is an object."""
        while True:
            while b"\n" in self.bytes:
                line, self.bytes = self.bytes.split(b"\n", 1)
                value = json.loads(line)
                if wanted(value):
                    return value
            try:
                more = self.socket.recv(65536)
            except ConnectionError:
                return None
            if not more:
                return None
            self.bytes += more

    def offset(self):
        return self.next(lambda line: line["class"] == "OFFSET")

    def close(self):
        self.socket.close()


class Machine:
    """A temporary folder with a schedule and the programs that run with it."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="parallax-faults.")
        self.schedule = Schedule(self.folder.name)
        self.daemon = None
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder.name,
            "XDG_RUNTIME_DIR": self.folder.name, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
            "PARALLAX_FAULTS": self.schedule.path, "LD_PRELOAD": LIBRARY,
            "SWIFT_BACKTRACE": "enable=no",
        }

    def close(self):
        self.schedule.clear()
        if self.daemon and self.daemon.poll() is None:
            self.daemon.terminate()
            try:
                self.daemon.wait(20)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait()
        self.folder.cleanup()

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def run(self, program, *arguments, **options):
        """Runs a program to its end."""
        return subprocess.run(
            [os.path.join(PROGRAMS, program), *arguments], env=self.environment, timeout=60,
            capture_output=True, **options)

    def start(self, *arguments, source="synthetic"):
        """Starts parallaxd and waits until it listens."""
        self.launch("--set", "source.kind=" + source, *arguments)
        for _ in range(2000):
            try:
                return Lines(self.control).close()
            except OSError:
                pass
            if self.daemon.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError("parallaxd does not start: " + self.log())

    def launch(self, *arguments):
        folder = os.path.join(self.folder.name, "run")
        os.makedirs(folder, exist_ok=True)
        self.stream = os.path.join(folder, "stream")
        self.control = os.path.join(folder, "control")
        self.log_path = os.path.join(self.folder.name, "log")
        with open(self.log_path, "ab") as log:
            self.daemon = subprocess.Popen(
                [os.path.join(PROGRAMS, "parallaxd"), "--set", "socket.path=" + self.stream,
                 "--set", "socket.control=" + self.control, *arguments],
                env=self.environment, stdin=subprocess.DEVNULL, stderr=log)

    def log(self):
        with open(self.log_path) as file:
            return file.read()

    def end(self):
        """Ends parallaxd with SIGTERM; returns its exit code."""
        self.daemon.terminate()
        return self.daemon.wait(20)
