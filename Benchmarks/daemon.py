# SPDX-License-Identifier: Apache-2.0
"""What parallaxd costs: memory, its start, and 30 frames per second for one subscriber."""
import json
import os
import re
import signal
import socket
import subprocess
import time

from audience import Audience
from harness import Unusable, memory

SECONDS = 8


def frame_instructions(bench, audience):
    """The instructions of a frame, without the kernel's: the mean of 60 frames under callgrind."""
    report, command = bench.path("frame"), audience.daemon(30)
    command = [bench.without_debugging(command[0])] + command[1:]
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + report]
    server = audience.start(valgrind + command, stdout=subprocess.DEVNULL)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.connect(audience.path)
            client.settimeout(30)
            lines = client.makefile()

            def sequence(frames):
                while frames:
                    message = json.loads(lines.readline())
                    frames -= message["class"] == "OFFSET"
                return message["seq"]

            def control(order):
                subprocess.run(["callgrind_control", order, str(server.pid)], check=True, capture_output=True)

            first = sequence(30)
            control("--zero")
            frames = sequence(60) - first
            control("--dump")
    finally:
        ended(server)
    with open(report + ".1") as file:
        return int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M)[1]) // frames


def ended(server):
    server.send_signal(signal.SIGTERM)
    server.wait()


def measure(bench):
    audience = Audience(bench)
    runs = min(bench.runs, 5)
    daemon, plain = audience.daemon(30), audience.plain(30)

    def anonymous():
        server = audience.start(daemon)
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
                client.connect(audience.path)
                deadline = time.monotonic() + 2
                while time.monotonic() < deadline:
                    client.recv(65536)
                return memory(server.pid)["Anonymous"]
        finally:
            ended(server)

    bench.value("anonymous memory on a trace, one subscriber", [anonymous() for _ in range(min(runs, 3))], "MiB", 2)

    def ready():
        path = bench.path("notify")
        if os.path.exists(path):
            os.unlink(path)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(path)
            manager.settimeout(10)
            begin = time.monotonic()
            server = subprocess.Popen(
                daemon, stderr=subprocess.DEVNULL, env=dict(os.environ, NOTIFY_SOCKET=path))
            try:
                while b"READY=1" not in manager.recv(4096):
                    pass
                return (time.monotonic() - begin) * 1000
            except OSError as error:
                raise Unusable("no READY: %s" % error) from error
            finally:
                ended(server)

    bench.value("exec to READY", [ready() for _ in range(3 * runs)], "ms", 20)

    def run(command):
        return lambda: audience.measure(command, 1, SECONDS)

    found = bench.interleaved(runs, {"C": run(plain), "parallax": run(daemon)})
    used = {name: [each["cpu"] / SECONDS * 1000 for each in reports] for name, reports in found.items()}
    bench.ratio("CPU at 30 Hz, one subscriber, in a second", used["parallax"], used["C"], "ms")
    bench.value("the same above the C program's", [a - b for a, b in zip(used["parallax"], used["C"])], "ms", 1)
    for name, bound in ("parallax", 1.05), ("C", None):
        bench.value("wakeups a frame" + (", C" if name == "C" else ""),
                    [each["switches"] / each["frames"] for each in found[name]], "", bound)

    with_tolerance(bench, audience, runs)
    bench.count("a frame, one subscriber", frame_instructions(bench, audience))

    server = audience.start(daemon)
    try:
        # The probe of `start` was a subscriber: the source is off some seconds after it has left.
        time.sleep(8)
        before = switches(server.pid)
        time.sleep(8)
        bench.value("wakeups in 8 s without a subscriber", [switches(server.pid) - before], "", 0)
    finally:
        ended(server)


def with_tolerance(bench, audience, runs):
    """A device of 120 samples a second and one subscriber: 30 frames, 60, and as many as a display needs."""
    def run(hertz, *requests):
        command = audience.daemon(120, ["sampling.rate=%d" % hertz])
        return lambda: audience.measure(command, 1, SECONDS, requests)

    watch = '{"class":"WATCH","rate":60,"on_change":%s}'
    found = bench.interleaved(min(runs, 3), {
        "30 frames": run(30), "60 frames": run(60), "0.1 px": run(30, watch % "0.1"), "0.01 px": run(30, watch % "0.01")})
    for name, reports in found.items():
        for what, unit in (("cpu", "ms"), ("switches", ""), ("frames", "")):
            scale = 1000 / SECONDS if what == "cpu" else 1 / SECONDS
            title = {"cpu": "CPU", "switches": "wakeups", "frames": "frames"}[what]
            bench.value("120 samples, %s: %s a second" % (name, title), [r[what] * scale for r in reports], unit)


def switches(pid):
    with open("/proc/%d/status" % pid) as file:
        return sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
