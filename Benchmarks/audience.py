# SPDX-License-Identifier: Apache-2.0
"""Many subscribers of parallaxd, or of the plain broadcaster in C beside it."""
import json
import math
import os
import signal
import socket
import subprocess
import time

from harness import PARALLAXD, Unusable

# The wall seconds that a server gets to start, a reader to end after its time.
PATIENCE = 30


def pinned(core, command):
    """The command on one core, if this machine has several: server and readers do not share one."""
    return ["taskset", "-c", str(core)] + command if os.cpu_count() > 1 else command


class Audience:
    """Runs a server with readers, and returns what the reader reports."""

    def __init__(self, bench):
        self.folder = bench.path("audience")
        os.makedirs(self.folder, exist_ok=True)
        self.broadcaster = bench.baseline("broadcaster.c")
        self.reader = bench.baseline("reader.c")
        self.path = os.path.join(self.folder, "s")

    def trace(self, hertz):
        """A recording of smooth motion, 30 s long; each sample is a frame at this rate."""
        path = os.path.join(self.folder, "%g.csv" % hertz)
        if not os.path.exists(path):
            with open(path, "w") as file:
                file.write("t,x,y,z\n")
                for i in range(int(hertz * 30)):
                    t = i / hertz
                    file.write("%.9f,%.5f,%.5f,0\n" % (t, 0.4 * math.sin(2.1 * t), 0.3 * math.cos(1.3 * t)))
        return path

    def daemon(self, hertz, settings=()):
        command = [PARALLAXD]
        for setting in [
                "source.kind=trace", "source.trace=" + self.trace(hertz), "source.loop=true",
                "sampling.rate=%g" % hertz, "socket.path=" + self.path,
                "socket.control=" + os.path.join(self.folder, "c"), *settings]:
            command += ["--set", setting]
        return command

    def plain(self, hertz):
        return [self.broadcaster, self.path, str(hertz)]

    def start(self, command, **options):
        """Starts a server and waits until it listens."""
        if os.path.exists(self.path):
            os.unlink(self.path)
        server = subprocess.Popen(command, stderr=subprocess.DEVNULL, **options)
        deadline = time.monotonic() + PATIENCE
        while not self.listens():
            if server.poll() is not None or time.monotonic() > deadline:
                server.kill()
                server.wait()
                raise Unusable("does not listen: " + " ".join(command))
            time.sleep(0.005)
        return server

    def listens(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            return probe.connect_ex(self.path) == 0

    def measure(self, command, count, seconds, requests=(), is_pinned=True):
        """What `count` subscribers receive in that time, and what the server uses for it."""
        server = self.start(pinned(0, command) if is_pinned else command)
        try:
            reader = [self.reader, self.path, str(server.pid), str(count), str(seconds), *requests]
            run = subprocess.run(
                pinned(1, reader) if is_pinned else reader, capture_output=True, text=True,
                timeout=seconds + PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise Unusable("the readers do not end") from error
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        if run.returncode:
            raise Unusable("reader: exit %d: %s" % (run.returncode, run.stderr))
        report = json.loads(run.stdout)
        if report["messages"] == 0:
            raise Unusable("the readers received nothing from " + command[0])
        return report
