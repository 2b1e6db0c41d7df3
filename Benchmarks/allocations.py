# SPDX-License-Identifier: Apache-2.0
"""Heap allocations per frame, counted by a library that is loaded before the C library."""
import os
import subprocess

from documents import document
from harness import FOLDER, PARALLAX
from live import Daemon, receive_offsets

CHAIN = ["--rate", "native", "--scale", "12", "--range=-20:20", "--smoothing", "ema:0.12"]


def measure(bench):
    counter = os.path.join(bench.folder, "count_malloc.so")
    source = os.path.join(FOLDER, "count_malloc.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", counter, source], check=True)
    result = bench.path("count")
    environment = dict(os.environ, LD_PRELOAD=counter, COUNT_MALLOC=result)

    def counted():
        with open(result) as file:
            return int(file.read())

    def replayed(count):
        trace = bench.path("t.csv")
        with open(trace, "w") as file:
            file.write("t,x,y,z\n")
            file.writelines("%.2f,%.3f,%.3f,0\n" % (i / 100, i % 7 / 9, i % 5 / 8) for i in range(count))
        bench.usage([PARALLAX, "replay", trace, "-o", "/dev/null"] + CHAIN, env=environment)
        return counted()

    def published(count, settings=()):
        with Daemon(bench.folder, settings, environment) as daemon, daemon.connect() as client:
            receive_offsets(client, count)
        return counted()

    with open(bench.path("turn.json"), "w") as file:
        file.write('{"parallax":1,"animation":{"rotate":{"by":360},"duration":1000}}')
    playing = ["animations.directory=" + bench.folder, "animations.on-connect=turn"]

    def previewed(count):
        bench.usage([PARALLAX, "preview", document(bench.folder, 1000), "--rate", "60", "--duration", str(count / 60)],
                    env=environment, stdout=subprocess.DEVNULL)
        return counted()

    for what, run, number in (
            ("replay", replayed, 100_000), ("live, one subscriber", published, 150),
            ("live, with an animation", lambda count: published(count, playing), 150),
            ("animation without a source", lambda count: published(count, playing + ["source.kind=iio"]), 150),
            ("1,000 animations, printed", previewed, 600)):
        once, twice = run(number), run(2 * number)
        # An allocation per frame would count as 1 or more. What the start and the connection allocate differs
        # slightly between two runs and is spread over the frames.
        bench.value("allocations per frame, " + what, [max(0, twice - once) / number], "", bound=0.5)
