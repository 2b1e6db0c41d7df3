# SPDX-License-Identifier: Apache-2.0
"""What hands on animations cost the frames: 100 subscribers of a source at 60 Hz, alone, then beside 4 clients that
each scrub 8 animations 120 times a second, then beside a PLAY of a 783 KB document every second."""
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import threading
import time

from harness import Unusable
from live import Daemon

SECONDS = 6
# A frame must not be later than this beside a document of 783 KB.
MAX_LATENESS = 5
DRAWER = {"parallax": 1, "animation": {"move": {"by": [100, 0]}, "duration": 1, "curve": "linear"}}
# A process that reads the connections whose numbers it is given.
READER = """
import select, socket, sys
poll = select.epoll()
connections = {int(name): socket.socket(fileno=int(name)) for name in sys.argv[1:]}
for name in connections: poll.register(name, select.EPOLLIN)
while True:
    for name, _ in poll.poll():
        if not connections[name].recv(65536): sys.exit()
"""


def large_document():
    """783 KB of steps that move a little."""
    step = {"move": {"by": [0.001, -0.001]}, "duration": 0.01, "curve": "cubic-bezier(.42, 0, .58, 1)"}
    text = json.dumps(step)
    return {"parallax": 1, "id": "large", "animation": {"sequence": [step] * (783_000 // (len(text) + 2))}}


class Control:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")

    def ask(self, **request):
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            if answer["class"] in ("ACK", "ERROR"):
                if answer["class"] == "ERROR":
                    raise Unusable(answer["message"])
                return answer


def scrub(path, number, seconds):
    """A client that scrubs eight animations, each request answered before the next."""
    control = Control(path)
    names = ["a%d-%d" % (number, index) for index in range(8)]
    for name in names:
        control.ask(**{"class": "PLAY", "document": DRAWER, "as": name, "paused": True})
    begin = time.monotonic()
    count = 0
    while time.monotonic() < begin + seconds:
        for name in names:
            # Eight animations, 120 times a second.
            control.ask(**{"class": "ANIMATE", "id": name, "action": "seek", "fraction": count % 1000 / 1000})
        count += 1
        time.sleep(max(0, begin + count / 120 - time.monotonic()))
    control.socket.close()


def play_large(path, seconds, request):
    control = Control(path)
    begin = time.monotonic()
    for turn in range(int(seconds)):
        control.socket.sendall(request)
        control.lines.readline()
        time.sleep(max(0, begin + turn + 1 - time.monotonic()))
    control.ask(**{"class": "STOP"})
    control.socket.close()


class Frames(threading.Thread):
    """Reads one subscriber all the time and keeps its frames: their arrivals and their times."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client, self.found = client, []
        self.start()

    def run(self):
        rest = b""
        while True:
            data = self.client.recv(65536)
            if not data:
                return
            arrival = time.monotonic()
            lines = (rest + data).split(b"\n")
            rest = lines.pop()
            self.found += [(arrival, json.loads(line)["time"]) for line in lines
                           if line.startswith(b'{"class":"OFFSET"')]

    def during(self, seconds):
        begin = len(self.found)
        time.sleep(seconds)
        return self.found[begin:]


def turning(path):
    """Writes a recording of 30 s at 60 Hz, whose samples are the frames: none waits for a sample."""
    with open(path, "w") as file:
        file.write("t,x,y,z\n")
        file.writelines("%.9f,%.3f,%.3f,0\n" % (i / 60, i % 37 / 90, i % 53 / 80) for i in range(1800))
    return path


def processor_seconds(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(bench):
    request = json.dumps({"class": "PLAY", "document": large_document(), "detached": True}).encode() + b"\n"
    path = bench.path("c")
    settings = ["sampling.rate=60", "source.kind=trace", "source.loop=true",
                "source.trace=" + turning(bench.path("turn.csv"))]
    with Daemon(bench.folder, settings) as daemon:
        clients = [daemon.connect() for _ in range(100)]
        others = [str(one.fileno()) for one in clients[1:]]
        reader = subprocess.Popen([sys.executable, "-c", READER] + others, pass_fds=list(map(int, others)))
        for one in clients[1:]:
            one.close()
        subscriber = Frames(clients[0])
        phases = {
            "alone": lambda: [],
            "32 animations scrubbed at 120 Hz": lambda: [
                multiprocessing.Process(target=scrub, args=(path, n, SECONDS + 1)) for n in range(4)],
            "a document of %d KB a second" % (len(request) // 1000): lambda: [
                multiprocessing.Process(target=play_large, args=(path, SECONDS, request))]}

        def late(helpers):
            """The median, the 99th percentile and the maximum of the lateness in ms, and the CPU in ms a second."""
            for helper in helpers:
                helper.start()
            time.sleep(0.5)
            before = processor_seconds(daemon.process.pid)
            found = subscriber.during(SECONDS)
            cpu = (processor_seconds(daemon.process.pid) - before) / SECONDS * 1e3
            for helper in helpers:
                helper.join()
            late = sorted((arrival - stamp) * 1e3 for arrival, stamp in found)
            if len(late) < 59 * SECONDS:
                raise Unusable("%d frames in %d s at 60 Hz beside %d clients" % (len(late), SECONDS, len(helpers)))
            return statistics.median(late), late[int(len(late) * 0.99)], late[-1], cpu

        try:
            runs = bench.interleaved(
                min(bench.runs, 3), {name: lambda make=make: late(make()) for name, make in phases.items()})
        finally:
            reader.kill()
            for helper in multiprocessing.active_children():
                helper.kill()
    for name, values in runs.items():
        for column, what, bound in ((0, "median", None), (1, "p99", None), (2, "maximum", MAX_LATENESS)):
            bench.value("frames late, %s: %s" % (name, what), [value[column] for value in values], "ms", bound)
        bench.value("CPU, %s" % name, [value[3] for value in values], "ms/s")
