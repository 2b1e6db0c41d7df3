# SPDX-License-Identifier: Apache-2.0
"""A running parallaxd and what it sends."""
import os
import re
import signal
import socket
import subprocess
import time

from harness import PARALLAXD, Unusable


class Daemon:
    """A parallaxd with its sockets in a folder, for the duration of a with block."""

    def __init__(self, folder, settings=(), environment=None):
        self.path = os.path.join(folder, "s")
        self.command = [
            PARALLAXD, "--set", "source.kind=synthetic", "--set", "socket.path=" + self.path,
            "--set", "socket.control=" + os.path.join(folder, "c")]
        for setting in settings:
            self.command += ["--set", setting]
        self.environment = environment

    def __enter__(self):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command, env=self.environment, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def connect(self):
        """Connects a subscriber as soon as the daemon listens."""
        deadline = self.started + 10
        while True:
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                client.connect(self.path)
                return client
            except OSError:
                client.close()
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Unusable("the daemon does not start: " + " ".join(self.command))
                time.sleep(0.0002)

    def status(self):
        with open("/proc/%d/status" % self.process.pid) as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file)

    def megabytes(self, key):
        return int(self.status()[key].split()[0]) / 1024

    def switches(self):
        """Returns the number of context switches of all its threads so far."""
        total = 0
        for task in os.listdir("/proc/%d/task" % self.process.pid):
            with open("/proc/%d/task/%s/status" % (self.process.pid, task)) as file:
                total += sum(int(n) for n in re.findall(r"ctxt_switches:\s+(\d+)", file.read()))
        return total


def receive_offsets(client, number):
    """Reads `number` OFFSET lines."""
    seen, rest = 0, b""
    while seen < number:
        data = client.recv(65536)
        if not data:
            raise Unusable("the daemon closed the connection after %d offsets" % seen)
        lines = (rest + data).split(b"\n")
        rest = lines.pop()
        seen += sum(line.startswith(b'{"class":"OFFSET"') for line in lines)
