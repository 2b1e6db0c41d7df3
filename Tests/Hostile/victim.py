# SPDX-License-Identifier: Apache-2.0
"""The daemon under attack, its clients, and what is measured of both."""
import contextlib
import ctypes
import json
import math
import os
import platform
import resource
import shutil
import signal
import statistics
import struct
import subprocess
import tempfile
import threading
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Users that exist nowhere; no daemon needs their names.
DAEMON_USER, GOOD_USER, FIRST_ATTACKER = 61000, 61001, 61010
DESCRIPTORS = 20000
FRAME_RATE = 60
TRACE_SECONDS = 30
KILLED_AFTER = 10
SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}
# Real-time priorities, the daemon's where there is nothing better.
STARTING_PRIORITY, DAEMON_PRIORITY, MEASURING_PRIORITY, STALL_PRIORITY = 1, 5, 10, 20


class Bench:
    """The folder, the client and the traces of one run of the table."""

    def __init__(self, parallaxd):
        self.parallaxd = os.path.abspath(parallaxd)
        # The attackers must not slow down what starts the questions.
        with contextlib.suppress(OSError):
            os.sched_setscheduler(
                0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(STARTING_PRIORITY))
        self.folder = tempfile.mkdtemp(prefix="hostile.", dir=shared_memory())
        os.chmod(self.folder, 0o755)
        self.client, self.stalls = self.program("client"), self.program("stalls")
        self.trace = self.file("sine.csv", sine_trace(FRAME_RATE))
        self.number = 0

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def program(self, name):
        """Compiles a program of this folder and returns its path."""
        path = os.path.join(self.folder, name)
        subprocess.run(
            ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", path, os.path.join(FOLDER, name + ".c")],
            check=True)
        return path

    def file(self, name, text):
        """Writes a file that everyone can read and returns its path."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            with open(path, "w") as file:
                file.write(text)
            os.chmod(path, 0o644)
        return path

    def daemon(self, settings=None, **options):
        self.number += 1
        return Daemon(self, os.path.join(self.folder, "run%d" % self.number), settings or {}, **options)


def shared_memory():
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def sine_trace(rate, seconds=TRACE_SECONDS):
    """Returns a recording of smooth motion that never repeats a printed value for long."""
    rows = ["t,x,y,z"]
    for index in range(rate * seconds):
        t = index / rate
        rows.append("%.9f,%.6f,%.6f,0" % (
            t, 0.6 * math.sin(2 * math.pi * 0.7 * t), 0.5 * math.cos(2 * math.pi * 0.9 * t)))
    return "\n".join(rows) + "\n"


def quantile(values, share):
    if not values:
        return math.nan
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(share * len(values)) - 1)]


def wait_until(condition, seconds):
    """Waits for a condition; returns the seconds it took, or None."""
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        if condition():
            return time.monotonic() - begin
        time.sleep(0.005)
    return None


def come_first():
    """Puts this process ahead of everything else: 0.9 ms of each millisecond are its own.

    SCHED_FIFO would not do: to let others live, Linux stops a busy processor's real-time processes for
    50 ms in each second. Threads that this process starts have the normal priority."""
    # struct sched_attr: size, policy, flags, nice, priority, runtime, deadline and period in ns.
    attributes = struct.pack("=IIQiIQQQ", 48, 6, 1, 0, 0, 900000, 1000000, 1000000)
    number = SCHED_SETATTR.get(platform.machine())
    if number is None or ctypes.CDLL(None).syscall(number, 0, attributes, 0) != 0:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(DAEMON_PRIORITY))


def become(uid, first=False, realtime=None, descriptors=DESCRIPTORS):
    """Returns what a child does before its program starts.

    first: whether it is the daemon. realtime: its real-time priority. Any other process has a session,
    and so the scheduler's share of one, of its own."""

    def prepare():
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
        with contextlib.suppress(OSError):
            if first:
                come_first()
            elif realtime:
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(realtime))
            else:
                os.setsid()
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)

    return prepare


class Daemon:
    """A parallaxd in a folder of its own, for the duration of a with block."""

    def __init__(self, bench, folder, settings, descriptors=DESCRIPTORS, stderr="file", starts=True,
                 config=None, uid=DAEMON_USER):
        self.bench, self.folder, self.starts = bench, folder, starts
        self.stream, self.control = os.path.join(folder, "s"), os.path.join(folder, "c")
        self.settings = {
            "source.kind": "trace", "source.trace": bench.trace, "source.loop": True,
            "sampling.rate": FRAME_RATE, "socket.access": "all", "gates.reduce-motion": "off",
            "gates.low-power": "off", "socket.path": self.stream, "socket.control": self.control}
        self.settings.update(settings)
        self.descriptors, self.stderr_kind, self.uid = descriptors, stderr, uid
        self.config = config or os.path.join(folder, "parallax.toml")
        self.log = os.path.join(folder, "log")
        self.processes = []
        self.unread = None
        self.killed = False

    # Start and end

    def __enter__(self):
        os.mkdir(self.folder, 0o755)
        os.chown(self.folder, self.uid, self.uid)
        self.write_config()
        self.launch()
        if self.starts:
            self.await_start()
        return self

    def launch(self):
        if self.stderr_kind == "unread":
            self.unread, errors = os.pipe()
        else:
            errors = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self.process = subprocess.Popen(
            [self.bench.parallaxd, "--config", self.config], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=errors, cwd=self.folder, env={"PATH": "/usr/bin:/bin"},
            preexec_fn=become(
                self.uid, first=True, descriptors=self.descriptors))
        os.close(errors)

    def await_start(self):
        if wait_until(lambda: os.path.exists(self.control) or self.process.poll() is not None, 10) is None:
            raise RuntimeError("the daemon does not start: " + self.log_text())
        if self.process.poll() is not None:
            raise RuntimeError("the daemon ended with %d: %s" % (self.process.returncode, self.log_text()))

    def write_config(self, **changes):
        for key, value in changes.items():
            self.settings[key] = value
        if os.path.dirname(self.config) != self.folder:
            return
        tables = {}
        for key, value in self.settings.items():
            table, name = key.split(".")
            tables.setdefault(table, []).append("%s = %s" % (name, json.dumps(value)))
        with open(self.config, "w") as file:
            for table, lines in tables.items():
                file.write("[%s]\n%s\n" % (table, "\n".join(lines)))
        os.chmod(self.config, 0o644)

    def __exit__(self, *_):
        for client in self.processes:
            client.end()
        self.terminate()
        if self.unread is not None:
            os.close(self.unread)

    def terminate(self):
        """Ends the daemon by SIGTERM; returns the seconds it took, `KILLED_AFTER` if it had to be killed."""
        if self.process.poll() is not None:
            return 0
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(KILLED_AFTER)
        except subprocess.TimeoutExpired:
            self.killed = True
            self.process.kill()
            self.process.wait()
        return time.monotonic() - begin

    def log_text(self):
        try:
            with open(self.log, errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    # Clients

    def client(self, socket, *options, uid=GOOD_USER, realtime=False, records=False):
        """Starts a client; with `records`, its lines can be read at the end."""
        path = None
        if records:
            self.bench.number += 1
            path = os.path.join(self.bench.folder, "lines%d" % self.bench.number)
            with open(path, "w"):
                os.chown(path, uid, uid)
            options = ("-o", path, *options)
        client = Client(self, socket, options, uid, realtime, path)
        self.processes.append(client)
        return client

    def subscriber(self, *options, request='{"class":"WATCH","rate":60,"on_change":false}'):
        """Returns the good subscriber: it reads at once, ahead of everything on its processor."""
        return self.client(self.stream, *options, "-w", request, realtime=True, records=True)

    def ask(self, request, number=1, milliseconds=100, socket=None, uid=0, timeout=15):
        """Asks on new connections; returns (seconds to connect, seconds to the answer, answer) of each."""
        client = self.client(
            socket or self.control, "-a", json.dumps(request), "-n", str(number), "-i", str(milliseconds),
            uid=uid, realtime=True)
        lines = client.output(timeout + number * (milliseconds / 1000 + 1)).splitlines()[:-1]
        answers = []
        for line in lines:
            connecting, answering, text = line.split(" ", 2)
            try:
                answers.append((float(connecting), float(answering), json.loads(text)))
            except ValueError:
                answers.append((float(connecting), float(answering), {}))
        return answers

    def status(self, uid=0):
        answers = self.ask({"class": "STATUS"}, uid=uid)
        return answers[0][2] if answers else {}

    # Figures

    def megabytes(self):
        with open("/proc/%d/status" % self.process.pid) as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return math.nan

    def cpu_seconds(self):
        # To the ns, where /proc counts steps of 10 ms; the clock that clock_getcpuclockid(3) returns.
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def descriptors_open(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def threads(self):
        return len(os.listdir("/proc/%d/task" % self.process.pid))


class Client:
    """A process of client.c."""

    def __init__(self, daemon, socket, options, uid, realtime, path=None):
        self.process = subprocess.Popen(
            [daemon.bench.client, *map(str, options), socket], stdout=subprocess.PIPE, text=True,
            preexec_fn=become(
                uid, realtime=MEASURING_PRIORITY if realtime else None))
        self.path = path
        self.counts = None
        # Whether another thread reads its output.
        self.is_read = False

    def output(self, timeout):
        try:
            text = self.process.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            self.process.terminate()
            text = self.process.communicate()[0]
        self.counts = {}
        return text

    def close_connections(self):
        self.process.send_signal(signal.SIGUSR1)

    def end(self):
        """Ends the process and returns its counts."""
        if self.counts is None and self.is_read:
            self.process.terminate()
            self.process.wait()
            self.counts = {}
        elif self.counts is None:
            self.process.terminate()
            try:
                text = self.process.communicate(timeout=10)[0]
            except subprocess.TimeoutExpired:
                self.process.kill()
                text = self.process.communicate()[0]
            last = (text.splitlines() or ["{}"])[-1]
            self.counts = json.loads(last) if last.startswith("{") else {}
        return self.counts

    def lines(self):
        """Ends the process and returns (arrival, connection, line) of each line it received."""
        self.end()
        received = []
        with open(self.path) as file:
            for text in file:
                arrival, number, line = text.split(" ", 2)
                with contextlib.suppress(ValueError):
                    received.append((float(arrival), int(number), json.loads(line)))
        return received


class Memory:
    """The largest resident set of the daemon, sampled 20 times a second in a with block."""

    def __init__(self, daemon):
        self.daemon, self.peak = daemon, 0.0

    def __enter__(self):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.sample)
        self.thread.start()
        return self

    def sample(self):
        while True:
            with contextlib.suppress(OSError):
                self.peak = max(self.peak, self.daemon.megabytes())
            if self.ended.wait(0.05):
                return

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


class Stalls:
    """When a processor ran nothing during a with block, not even programs that come first: the machine's
    own delays, of 2 ms and more."""

    def __init__(self, bench):
        self.bench, self.spans = bench, []

    def __enter__(self):
        self.probes = [
            subprocess.Popen(
                [self.bench.stalls, str(processor), str(STALL_PRIORITY)], stdout=subprocess.PIPE, text=True)
            for processor in os.sched_getaffinity(0)]
        return self

    def __exit__(self, *_):
        spans = []
        for probe in self.probes:
            probe.terminate()
        for probe in self.probes:
            for line in probe.communicate()[0].splitlines():
                spans.append(tuple(map(float, line.split())))
            if probe.returncode != 0:
                raise RuntimeError("the machine's stalls cannot be measured")
        for begin, end in sorted(spans):
            if self.spans and begin <= self.spans[-1][1]:
                begin, end = self.spans[-1][0], max(end, self.spans.pop()[1])
            self.spans.append((begin, end))

    def seconds(self, begin, end):
        """Returns how long the machine stalled between two times."""
        return sum(max(0, min(end, stop) - max(begin, start)) for start, stop in self.spans)

    def summary(self):
        return "%d, %.0f" % (len(self.spans), 1000 * sum(stop - start for start, stop in self.spans))


class Lateness:
    """When OFFSETs arrived in a span of time: lateness after their time, without the machine's stalls if
    these are known, and intervals, in ms."""

    def __init__(self, lines, begin, end, stalls=None):
        offsets = [(at, line) for at, _, line in lines
                   if line.get("class") == "OFFSET" and begin <= at < end]
        self.late = [
            1000 * (at - line["time"] - (stalls.seconds(line["time"], at) if stalls else 0))
            for at, line in offsets]
        times = [at for at, _ in offsets]
        self.intervals = [1000 * (b - a) for a, b in zip(times, times[1:])]
        # A silence at the end of the span counts too.
        self.longest = 1000 * max(
            [b - a for a, b in zip([begin] + times, times + [end])], default=math.nan)
        self.dropped = sum(line.get("dropped", 0) for _, line in offsets)

    @property
    def count(self):
        return len(self.late)

    def p(self, percent):
        """Returns a percentile of the lateness. Without any OFFSET it is the length of the silence."""
        return quantile(self.late, percent / 100) if self.late else self.longest

    @property
    def max(self):
        return max(self.late, default=self.longest)

    def summary(self):
        return "%.1f / %.1f / %.1f, gap %.0f" % (self.p(50), self.p(99), self.max, self.longest)


def median(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else math.nan
