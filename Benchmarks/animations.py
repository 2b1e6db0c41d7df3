# SPDX-License-Identifier: Apache-2.0
"""What a frame of 1,000 animations costs, printed by `parallax preview` and in parallaxd."""
import json
import resource
import socket
import subprocess

from documents import document
from harness import PARALLAX, Unusable
from live import Daemon, receive_offsets


PRINTED_SECONDS = 50
FRAMES = 600


def measure(bench):
    one, thousand = document(bench.folder, 1), document(bench.folder, 1000)

    def previewed(path, seconds):
        """The CPU seconds for printing `seconds` at 60 Hz."""
        return bench.cpu([PARALLAX, "preview", path, "--rate", "60", "--duration", str(seconds)],
                         stdout=subprocess.DEVNULL)

    def frame(path):
        """The microseconds per frame; reading and starting cost the same for a short run and a long one."""
        return (previewed(path, 10 + PRINTED_SECONDS) - previewed(path, 10)) / (PRINTED_SECONDS * 60) * 1e6

    costs = bench.interleaved(bench.runs, {"one": lambda: frame(one), "thousand": lambda: frame(thousand)})
    bench.value("1 animation, per printed frame", costs["one"], "us")
    bench.value("1,000 animations, per printed frame", costs["thousand"], "us", bound=1000)
    bench.instructions("1,000 animations, 60 printed frames",
                       [PARALLAX, "preview", thousand, "--rate", "60", "--duration", "1"])

    def published(path):
        """The CPU seconds of a daemon that sends FRAMES frames, with a document or without."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with Daemon(bench.folder, ["sampling.rate=60", "layers.card=1"]) as daemon, daemon.connect() as client:
            receive_offsets(client, 1)
            if path:
                play(bench.path("c"), path)
            receive_offsets(client, FRAMES)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    runs = min(bench.runs, 3)
    costs = bench.interleaved(runs, {"with": lambda: published(thousand), "without": lambda: published(None)})
    bench.value("1,000 animations in parallaxd, per frame",
                [(a - b) / FRAMES * 1e6 for a, b in zip(costs["with"], costs["without"])], "us", bound=2000)


def play(control, path):
    """Plays a document, which goes on after the connection has closed."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection, open(path) as file:
        connection.connect(control)
        request = {"class": "PLAY", "document": json.load(file), "detached": True}
        connection.sendall(json.dumps(request).encode() + b"\n")
        answer = connection.makefile().readline()
        if '"ACK"' not in answer:
            raise Unusable("the answer to PLAY is " + answer)
