# SPDX-License-Identifier: Apache-2.0
"""The clients of a soak: good and bad ones that come and go at random times."""
import json
import os
import signal
import time

from floods import POLL, STATUS, TAGGED, USERS
from victim import GOOD_USER

NUDGE = {"parallax": 1, "id": "nudge", "animation": {"sequence": [
    {"move": {"by": [12, 0]}, "duration": 0.1}, {"delay": 0.05},
    {"repeat": 5, "of": {"move": {"by": [0, 4]}, "duration": 0.2, "autoreverse": True,
                         "curve": {"spring": {"response": 0.3, "damping": 0.6}}}}]}}
ORIENTATIONS = ["normal", "left-up", "bottom-up", "right-up"]


class Mixture:
    """Starts and ends clients; `step` runs all the time."""

    def __init__(self, daemon, random):
        self.daemon, self.random = daemon, random
        # (end, client) of what runs for some time.
        self.clients = []
        self.attacks = 0
        for uid in (GOOD_USER, 0):
            for index in range(4):
                self.subscribe(uid, 1e9, rate=[60, 30, 10, 1][index])
        # (mean seconds between two, action)
        self.actions = [
            (2, lambda: self.subscribe(GOOD_USER, random.uniform(0.05, 20))),
            (5, lambda: self.subscribe(random.choice(USERS), random.uniform(1, 10))),
            (10, self.slow_reader), (20, self.idle_reader), (20, self.flood), (25, self.churn),
            (30, self.half_lines), (5, self.play), (15, self.inhibit), (7, self.set), (30, self.reload),
            (60, self.record), (10, self.agent), (10, lambda: self.ask({"class": "STATUS"}))]
        now = time.monotonic()
        self.due = [now + random.expovariate(1 / mean) for mean, _ in self.actions]

    def step(self):
        now = time.monotonic()
        for index, (mean, action) in enumerate(self.actions):
            if self.due[index] <= now:
                self.due[index] = now + self.random.expovariate(1 / mean)
                action()
        ended = [client for end, client in self.clients if end <= now]
        self.clients = [each for each in self.clients if each[0] > now]
        for client in ended:
            client.end()
            self.daemon.processes.remove(client)
        time.sleep(0.02)

    def end(self):
        for _, client in self.clients:
            client.end()
            self.daemon.processes.remove(client)
        self.clients = []

    def running(self):
        return len(self.clients)

    def take_attacks(self):
        attacks, self.attacks = self.attacks, 0
        return attacks

    def start(self, seconds, socket, *options, uid):
        self.clients.append((time.monotonic() + seconds, self.daemon.client(socket, *options, uid=uid)))

    # Subscribers

    def watch(self, rate=None):
        random = self.random
        request = {"class": "WATCH", "rate": rate or random.choice([1, 10, 30, 60, 59.6])}
        if random.random() < 0.3:
            request["orientation"] = random.choice(ORIENTATIONS)
        if random.random() < 0.3:
            request["layers"] = {"layer-%d" % n: n / 10 for n in range(random.randint(1, 16))}
        return json.dumps(request, separators=(",", ":"))

    def subscribe(self, uid, seconds, rate=None):
        count = 1 if rate else self.random.randint(1, 4)
        self.start(seconds, self.daemon.stream, "-n", count, "-w", self.watch(rate), uid=uid)

    def slow_reader(self):
        self.start(
            self.random.uniform(2, 15), self.daemon.stream, "-z", self.random.choice([100, 400, 3000]),
            "-w", self.watch(60), uid=GOOD_USER)

    def idle_reader(self):
        self.start(
            self.random.uniform(2, 25), self.daemon.stream, "-u", "-r", "-w", self.watch(60),
            uid=self.random.choice(USERS))

    # Attacks

    def flood(self):
        self.attacks += 1
        random, seconds = self.random, self.random.uniform(0.5, 4)
        uid = random.choice(USERS)
        options = ["-u"] if random.random() < 0.5 else []
        stream, control = random.choice([("x", "x"), (POLL, STATUS), (POLL, TAGGED)])
        self.start(seconds, self.daemon.stream, "-n", 32, "-r", "-f", stream, *options, uid=uid)
        self.start(seconds, self.daemon.control, "-n", 32, "-r", "-f", control, *options, uid=uid)

    def churn(self):
        self.attacks += 1
        socket = self.random.choice([self.daemon.stream, self.daemon.control])
        self.start(self.random.uniform(0.2, 2), socket, "-c", uid=self.random.choice(USERS))

    def half_lines(self):
        self.attacks += 1
        self.start(
            self.random.uniform(1, 15), self.daemon.control, "-n", 32, "-p", 60000,
            uid=self.random.choice(USERS))

    # Control

    def ask(self, request):
        self.start(3, self.daemon.control, "-a", json.dumps(request), uid=GOOD_USER)

    def play(self):
        request = {"class": "PLAY", "document": NUDGE, "detached": self.random.random() < 0.5}
        self.start(
            self.random.uniform(0.1, 5), self.daemon.control, "-w", json.dumps(request), uid=GOOD_USER)
        if self.random.random() < 0.3:
            self.ask({"class": "STOP"})

    def inhibit(self):
        request = '{"class":"INHIBIT","reason":"password"}'
        self.start(self.random.uniform(0.1, 2), self.daemon.control, "-w", request, uid=0)

    def set(self):
        key, value = self.random.choice([
            ("scale", "3,-4"), ("scale", "auto"), ("smoothing", "ema:0.1"), ("smoothing", "auto"),
            ("orientation", "left-up"), ("orientation", "auto")])
        self.ask({"class": "SET", "key": key, "value": value})

    def reload(self):
        self.daemon.write_config(**{
            "gates.fade": self.random.choice([0.1, 0.3]),
            "motion.mode": self.random.choice(["rate", "tilt"]),
            "layers.bg": self.random.choice([0.2, 0.4])})
        os.kill(self.daemon.process.pid, signal.SIGHUP)

    def record(self):
        self.start(
            self.random.uniform(1, 8), self.daemon.control, "-w", '{"class":"RECORD"}', uid=GOOD_USER)

    def agent(self):
        request = {"class": "AGENT", "orientation": self.random.choice(ORIENTATIONS), "wanted": True}
        self.start(
            self.random.uniform(0.5, 5), self.daemon.control, "-w", json.dumps(request),
            uid=self.random.choice(USERS))
