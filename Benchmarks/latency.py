# SPDX-License-Identifier: Apache-2.0
"""From the source to a subscriber: from a sample's time to the receipt of its OFFSET."""
import subprocess
import sys

from audience import Audience

SECONDS = 8
BUSY = "while True: pass"


def measure(bench):
    audience = Audience(bench)
    runs = min(bench.runs, 5)
    daemon, plain = audience.daemon(60), audience.plain(60)

    def run(command):
        return lambda: audience.measure(command, 1, SECONDS, is_pinned=False)

    def rows(where):
        found = bench.interleaved(runs, {"C": run(plain), "parallax": run(daemon)})
        for key, bound in ("p50", 0.3), ("p99", 1):
            bench.value("source to subscriber, %s, %s" % (where, key),
                        [each[key] / 1000 for each in found["parallax"]], "ms", bound)
            bench.value("the same, a plain epoll broadcaster, %s" % key,
                        [each[key] / 1000 for each in found["C"]], "ms")

    rows("quiet")
    with subprocess.Popen(["taskset", "-c", "0", sys.executable, "-c", BUSY]) as load:
        try:
            rows("one core loaded")
        finally:
            load.kill()
