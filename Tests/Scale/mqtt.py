# SPDX-License-Identifier: Apache-2.0
"""Runs examples/mqtt/parallax-mqtt.service as systemd would, with a real mosquitto and a parallaxd that makes its own
motion, and looks at what a subscriber receives while the broker is killed, frozen and started again.

    Tests/Scale/mqtt.py

$PARALLAX_PROGRAMS is the folder of the programs (.build/debug).
"""
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/debug")
UNIT = os.path.join(ROOT, "examples/mqtt/parallax-mqtt.service")
LIMIT = 60
# The age in s of a line that was on its way from parallax to mosquitto_pub when the broker came back: up to three
# frames. What a broker or a client stores is seconds old.
WAITING = 0.1


def now():
    """The clock of the lines' `time`."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def becomes_true(holds):
    """Whether something holds within LIMIT."""
    end = now() + LIMIT
    while not holds():
        if now() > end:
            return False
        time.sleep(0.02)
    return True


def wait(what, holds):
    if not becomes_true(holds):
        raise AssertionError("waited %d s for %s" % (LIMIT, what))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Broker:
    def __init__(self, folder):
        self.port = free_port()
        self.configuration = os.path.join(folder, "mosquitto.conf")
        with open(self.configuration, "w", encoding="utf-8") as file:
            file.write("listener %d 127.0.0.1\nallow_anonymous true\n" % self.port)
        self.log = open(os.path.join(folder, "mosquitto.log"), "ab")
        self.process = None

    def start(self):
        """Returns the instant before it listens."""
        instant = now()
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.process = subprocess.Popen([program, "-c", self.configuration], stdout=self.log, stderr=self.log)
        return instant

    def connections(self):
        """How many the broker has accepted."""
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read().count("New client connected")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Unit(threading.Thread):
    """The unit's command, started again a second after its end: Restart=always."""

    def __init__(self, environment):
        super().__init__(daemon=True)
        with open(UNIT, encoding="utf-8") as file:
            text = file.read()
        assert "Restart=always" in text and "RestartSec=1s" in text
        self.command = shlex.split(re.search(r"^ExecStart=(.*)$", text, re.M)[1])
        self.environment = environment
        self.starts = 0
        self.ended = threading.Event()
        self.process = None
        self.start()

    def run(self):
        while not self.ended.is_set():
            self.starts += 1
            self.process = subprocess.Popen(self.command, env=self.environment, start_new_session=True,
                                            stderr=subprocess.DEVNULL)
            self.process.wait()
            self.ended.wait(1)

    def stop(self):
        self.ended.set()
        os.killpg(self.process.pid, signal.SIGTERM)
        self.join()


class Subscriber(threading.Thread):
    """A mosquitto_sub, and the lines it has printed: (arrival, message)."""

    def __init__(self, port, topic):
        super().__init__(daemon=True)
        self.started = now()
        self.process = subprocess.Popen(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(port), "-t", topic, "-k", "5"], stdout=subprocess.PIPE)
        self.lines = []
        self.start()

    def run(self):
        for line in self.process.stdout:
            self.lines.append((now(), json.loads(line)))

    def offsets(self, since=0):
        """The times of the frames that arrived after an instant."""
        return [message["time"] for arrival, message in list(self.lines)
                if message["class"] == "OFFSET" and arrival > since]

    def next_offset(self, since):
        wait("an offset", lambda: self.offsets(since))
        return self.offsets(since)[0]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Stage:
    """Everything that a case needs."""

    def __init__(self, folder):
        self.folder = folder
        self.broker = Broker(folder)
        self.environment = dict(
            os.environ, PATH=PROGRAMS + ":" + os.environ["PATH"], HOME=folder, XDG_RUNTIME_DIR=folder,
            BROKER="127.0.0.1", PORT=str(self.broker.port), TOPIC="parallax/desk")
        for name in ("PARALLAX_SOCKET", "PARALLAX_CONTROL"):
            self.environment.pop(name, None)
        self.daemon = None
        self.start_daemon()
        self.unit = Unit(self.environment)

    def start_daemon(self):
        self.daemon = subprocess.Popen([os.path.join(PROGRAMS, "parallax"), "run", "--source", "synthetic"],
                                       env=self.environment, stderr=subprocess.DEVNULL)

        wait("the daemon", lambda: os.path.exists(os.path.join(self.folder, "parallax/parallax.sock")))

    def stop_daemon(self):
        self.daemon.send_signal(signal.SIGINT)
        self.daemon.wait()

    def subscriber(self):
        return Subscriber(self.broker.port, "parallax/desk")

    def stop(self):
        self.unit.stop()
        self.stop_daemon()
        self.broker.kill()


def run(stage, check):
    unit, broker = stage.unit, stage.broker
    check("without a broker the unit tries again", becomes_true(lambda: unit.starts >= 2), unit.starts)

    broker.start()
    # Refused until it listens.
    subscriber = None

    def subscribes():
        nonlocal subscriber
        if subscriber is None or subscriber.process.poll() is not None:
            subscriber = stage.subscriber()
            time.sleep(0.2)
        return subscriber.offsets()
    wait("the first offset", subscribes)
    check("it publishes when the broker comes", becomes_true(lambda: len(subscriber.offsets()) >= 60))
    starts = unit.starts

    late = stage.subscriber()
    check("a late subscriber receives nothing old", late.next_offset(late.started) > late.started)
    late.stop()

    broker.kill()
    # So that there is something old.
    time.sleep(2)
    restarted = broker.start()
    first = subscriber.next_offset(restarted)
    check("after a kill and a restart, the first offset is a new one", first > restarted - WAITING, restarted - first)

    frozen, before = now(), broker.connections()
    broker.process.send_signal(signal.SIGSTOP)
    # Both ends give up after one and a half times 5 s. The publisher then connects again, to a broker that does not
    # answer yet, and the kernel keeps what it sends. A broker that resumes usually finds its clients silent for too long
    # and drops them with what they have sent; but it may read that first.
    time.sleep(12)
    resumed = now()
    broker.process.send_signal(signal.SIGCONT)
    first = subscriber.next_offset(resumed)
    check("after the broker was frozen, nothing from before comes", first > frozen - WAITING, frozen - first)
    # Both have given up, which is what -k 5 is for.
    wait("new connections of publisher and subscriber", lambda: broker.connections() >= before + 2)
    wait("a new offset", lambda: subscriber.offsets(resumed)[-1] > resumed)
    newest = next(arrival for arrival, message in subscriber.lines
                  if message["class"] == "OFFSET" and message["time"] > resumed)
    check("and a new one comes within 2 s", newest - resumed < 2, newest - resumed)

    stage.stop_daemon()
    restarted = now()
    stage.start_daemon()
    first = subscriber.next_offset(restarted)
    check("after a restart of the daemon the offsets go on", first > restarted, restarted - first)

    check("neither the unit nor the subscriber was started again",
          unit.starts == starts and subscriber.process.poll() is None, unit.starts - starts)
    # Two connections' lines may be mixed while the broker catches up.
    times = [message["time"] for arrival, message in subscriber.lines
             if message["class"] == "OFFSET" and not resumed <= arrival < resumed + 2]
    check("%d offsets arrived, in order" % len(times), times == sorted(times) and len(times) == len(set(times)))
    ages = sorted(arrival - message["time"] for arrival, message in subscriber.lines if message["class"] == "OFFSET")
    print("test-mqtt: from the frame to the subscriber: median %.2f ms, p99 %.2f ms"
          % (1e3 * ages[len(ages) // 2], 1e3 * ages[len(ages) * 99 // 100]))
    subscriber.stop()


def main():
    passed = failed = 0

    def check(what, holds, detail=""):
        nonlocal passed, failed
        passed, failed = passed + bool(holds), failed + (not holds)
        print("test-mqtt: %s: %s" % (what, "ok" if holds else "FAILED %s" % detail), flush=True)

    verified = subprocess.run(["systemd-analyze", "verify", "--user", "--man=no", UNIT], stderr=subprocess.PIPE,
                              check=False, text=True)
    faults = [line for line in verified.stderr.splitlines() if "parallax-mqtt" in line]
    check("systemd accepts the unit", not faults, faults)
    with tempfile.TemporaryDirectory(prefix="plx") as folder:
        stage = Stage(folder)
        try:
            run(stage, check)
        except AssertionError as error:
            check(str(error), False)
        finally:
            stage.stop()
    print("test-mqtt: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
