# SPDX-License-Identifier: Apache-2.0
"""Attacks on limits: places, descriptors, the log, files, and on who may see motion."""
import contextlib
import fcntl
import os
import subprocess
import time

from floods import INHIBIT, USERS, under_attack
from table import Bound, attack
from victim import (
    DAEMON_USER, FIRST_ATTACKER, GOOD_USER, KILLED_AFTER, Lateness, become, wait_until)

STOP = Bound("end after SIGTERM", "s", 1)
GAP = Bound("longest gap of the good subscriber", "ms", 100)


@attack("all places taken", Bound("root's STATUS answered", "of 5", 5, least=True, always=True),
        Bound("root's INHIBIT answered", "of 5", 5, least=True, always=True))
def all_places(bench):
    """Eight users hold 32 connections to each socket; then root asks for the status and inhibits."""
    with bench.daemon() as daemon:
        for uid in USERS:
            daemon.client(daemon.stream, "-n", 32, "-r", uid=uid)
            daemon.client(daemon.control, "-n", 32, "-r", uid=uid)
        time.sleep(2)
        statuses = daemon.ask({"class": "STATUS"}, 5)
        inhibits = daemon.ask(INHIBIT, 5)
        return {
            "root's STATUS answered": sum(answer.get("class") == "STATUS" for _, _, answer in statuses),
            "root's INHIBIT answered": sum(answer.get("class") == "ACK" for _, _, answer in inhibits)}


@attack("no descriptors left", Bound("lines in the log", "", 100, always=True), Bound("CPU", "%", 10), GAP,
        Bound("root's STATUS answered", "of 3", 3, least=True, always=True),
        Bound("refused with ERROR", "%", 90, least=True),
        Bound("served again after", "s", 2))
def no_descriptors(bench):
    """The daemon may open 64 descriptors; one user opens 100 connections to each socket and keeps those
    that the daemon does not close."""
    seconds = 5
    with bench.daemon({"socket.max-per-uid": 4096, "socket.max-subscribers": 4096}, descriptors=64) as daemon:
        good = daemon.subscriber()
        time.sleep(0.5)
        before = daemon.log_text().count("\n")
        processes = [
            daemon.client(path, "-n", 100, uid=USERS[0]) for path in (daemon.stream, daemon.control)]
        time.sleep(0.5)
        begin, cpu = time.monotonic(), daemon.cpu_seconds()
        time.sleep(seconds)
        end = time.monotonic()
        share = (daemon.cpu_seconds() - cpu) / (end - begin)
        statuses = daemon.ask({"class": "STATUS"}, 3, timeout=10)
        counts = [process.end() for process in processes]
        lines = daemon.log_text().count("\n") - before
        served = wait_until(
            lambda: daemon.ask({"class": "POLL"}, socket=daemon.stream, uid=USERS[1])[0][2]
            .get("class") == "VERSION", 10)
        closed = sum(count["closed"] for count in counts)
        errors = sum(count["errors"] for count in counts)
        return {
            "lines in the log": lines, "CPU": 100 * share,
            GAP.figure: Lateness(good.lines(), begin, end).longest,
            "root's STATUS answered": sum(answer.get("class") == "STATUS" for _, _, answer in statuses),
            "refused with ERROR": 100 * errors / closed if closed else 100,
            "served again after": 10 if served is None else served}


@attack("no descriptors left, reconnecting", Bound("lines in the log", "", 100, always=True), GAP,
        Bound("CPU", "%"), Bound("root's STATUS answered", "of 3", 3, least=True, always=True))
def no_descriptors_reconnecting(bench):
    """The same; the user connects again whenever the daemon closes a connection."""
    seconds = 5
    with bench.daemon({"socket.max-per-uid": 4096, "socket.max-subscribers": 4096}, descriptors=64) as daemon:
        good = daemon.subscriber()
        time.sleep(0.5)
        before = daemon.log_text().count("\n")
        for path in (daemon.stream, daemon.control):
            daemon.client(path, "-n", 100, "-r", uid=USERS[0])
        begin, cpu = time.monotonic(), daemon.cpu_seconds()
        time.sleep(seconds)
        end = time.monotonic()
        share = (daemon.cpu_seconds() - cpu) / (end - begin)
        statuses = daemon.ask({"class": "STATUS"}, 3, timeout=10)
        return {
            "lines in the log": daemon.log_text().count("\n") - before, "CPU": 100 * share,
            GAP.figure: Lateness(good.lines(), begin, end).longest,
            "root's STATUS answered": sum(answer.get("class") == "STATUS" for _, _, answer in statuses)}


AGENT_THAT_LOGS = '{"class":"AGENT","reduce_motion":true}'


@attack("log that no one reads", GAP, STOP)
def unread_log(bench):
    """Standard error is a pipe that no one reads. One user reports reduced motion and disconnects, 20,000
    times; another runs the daemon out of descriptors."""
    seconds = 5
    with bench.daemon(
            {"socket.max-per-uid": 4096, "socket.max-subscribers": 4096}, descriptors=64,
            stderr="unread") as daemon:
        good = daemon.subscriber()
        time.sleep(0.5)
        begin = time.monotonic()
        agent = daemon.client(
            daemon.control, "-q", "-a", AGENT_THAT_LOGS, "-n", 20000, "-i", 0, uid=USERS[0])
        time.sleep(seconds / 2)
        agent.process.terminate()
        processes = [daemon.client(path, "-n", 100, "-r", uid=USERS[1])
                     for path in (daemon.stream, daemon.control)]
        time.sleep(seconds / 2)
        end = time.monotonic()
        for process in processes:
            process.end()
        agent.process.wait()
        stopped = daemon.terminate()
        return {GAP.figure: Lateness(good.lines(), begin, end).longest, STOP.figure: stopped}


@attack("log that one user fills", Bound("lines in the log", "", 100, always=True), GAP)
def full_log(bench):
    """One user reports reduced motion and disconnects, as often as it can."""
    seconds = 5
    with bench.daemon() as daemon:
        good = daemon.subscriber()
        time.sleep(0.5)
        before = daemon.log_text().count("\n")
        begin = time.monotonic()
        daemon.client(daemon.control, "-q", "-a", AGENT_THAT_LOGS, "-n", 10**6, "-i", 0, uid=USERS[0])
        time.sleep(seconds)
        end = time.monotonic()
        return {
            "lines in the log": daemon.log_text().count("\n") - before,
            GAP.figure: Lateness(good.lines(), begin, end).longest}


# What the daemon opens


def answers_and_stops(bench, settings, **options):
    """Starts a daemon that has a subscriber, and asks for its status at once, for some time.

    Returns the slowest answer and how long SIGTERM took then."""
    with bench.daemon(settings, **options) as daemon:
        daemon.client(daemon.stream, uid=GOOD_USER)
        number = 20
        begin = time.monotonic()
        answers = daemon.ask({"class": "STATUS"}, number, timeout=5)
        took = time.monotonic() - begin
        times = [connecting + answering for connecting, answering, answer in answers
                 if answer.get("class") == "STATUS"]
        slowest = max(times, default=took) if len(times) == number else max(took, 5)
        cpu = 100 * daemon.cpu_seconds() / took
        return {STATUS_TIME.figure: 1000 * slowest, STOP.figure: daemon.terminate(), "CPU": cpu}


STATUS_TIME = Bound("slowest STATUS", "ms", 100)


@contextlib.contextmanager
def fifo(bench, name):
    """A FIFO that is open and that no one writes: reading it blocks."""
    path = os.path.join(bench.folder, name)
    with contextlib.suppress(FileExistsError):
        os.mkfifo(path, 0o666)
        os.chmod(path, 0o666)
    descriptor = os.open(path, os.O_RDWR)
    try:
        yield path
    finally:
        os.close(descriptor)


@attack("trace is a FIFO", STATUS_TIME, STOP)
def fifo_trace(bench):
    """source.trace is a FIFO that no one writes."""
    with fifo(bench, "fifo.csv") as path:
        return answers_and_stops(bench, {"source.trace": path})


@attack("trace is /proc/kmsg", STATUS_TIME, STOP)
def kmsg_trace(bench):
    """source.trace is /proc/kmsg, a regular file whose reading blocks. The daemon runs as root."""
    return answers_and_stops(bench, {"source.trace": "/proc/kmsg"}, uid=0)


@attack("trace is /dev/zero", STATUS_TIME, STOP)
def zero_trace(bench):
    """source.trace is /dev/zero: a line without an end."""
    return answers_and_stops(bench, {"source.trace": "/dev/zero"})


@attack("trace has a line without an end", STATUS_TIME, STOP)
def endless_line(bench):
    """source.trace is a sparse file of 4 GB of zero bytes."""
    path = os.path.join(bench.folder, "sparse.csv")
    with open(path, "w") as file:
        file.truncate(4 << 30)
    os.chmod(path, 0o644)
    return answers_and_stops(bench, {"source.trace": path})


@attack("configuration is a FIFO", Bound("refused after", "s", 1))
def fifo_config(bench):
    """--config is a FIFO that no one writes: the daemon must refuse it with exit code 66 or 78."""
    with fifo(bench, "fifo.toml") as path, bench.daemon(starts=False, config=path) as daemon:
        begin = time.monotonic()
        try:
            daemon.process.wait(5)
        except subprocess.TimeoutExpired:
            daemon.process.kill()
            daemon.process.wait()
        refused = daemon.process.returncode in (66, 78)
        return {"refused after": time.monotonic() - begin if refused else KILLED_AFTER}


@attack("foreign lock on the socket's folder", Bound("start after", "s", 1))
def foreign_lock(bench):
    """Another user holds flock() on the folder of the sockets while the daemon starts."""
    daemon = bench.daemon(starts=False)
    os.mkdir(daemon.folder, 0o755)
    os.chown(daemon.folder, DAEMON_USER, DAEMON_USER)
    descriptor = os.open(daemon.folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        daemon.write_config()
        begin = time.monotonic()
        daemon.launch()
        served = wait_until(
            lambda: os.path.exists(daemon.control) or daemon.process.poll() is not None, 5)
        started = served is not None and daemon.process.poll() is None
        return {"start after": time.monotonic() - begin if started else KILLED_AFTER}
    finally:
        os.close(descriptor)
        daemon.__exit__()


@attack("deleted sockets", Bound("bound again after", "s", 5))
def deleted_sockets(bench):
    """Both sockets are deleted; a subscriber is connected throughout."""
    with bench.daemon() as daemon:
        daemon.client(daemon.stream, uid=GOOD_USER)
        time.sleep(0.5)
        os.unlink(daemon.stream)
        os.unlink(daemon.control)
        found = wait_until(
            lambda: all(os.path.exists(path) for path in (daemon.stream, daemon.control)),
            15)
        answered = found is not None and daemon.status().get("class") == "STATUS"
        return {"bound again after": found if answered else 60}


# Who may see


@attack("RECORD during INHIBIT", Bound("samples recorded", "", 0, always=True))
def record_during_inhibit(bench):
    """Root records while another connection inhibits for 2 s."""
    with bench.daemon() as daemon:
        good = daemon.subscriber()
        recorder = daemon.client(daemon.control, "-w", '{"class":"RECORD"}', uid=0, records=True)
        time.sleep(1)
        inhibitor = daemon.client(daemon.control, "-w", '{"class":"INHIBIT","reason":"password"}', uid=0)
        time.sleep(0.3)
        begin = time.monotonic()
        time.sleep(2)
        end = time.monotonic()
        inhibitor.end()
        time.sleep(0.5)
        good.end()
        lines = recorder.lines()
        samples = [at for at, _, line in lines if line.get("class") == "SAMPLE"]
        if not samples:
            raise RuntimeError("nothing was recorded at all")
        return {"samples recorded": sum(begin <= at < end for at in samples)}


@attack("reload that narrows access", Bound("foreign connections left", "", 0, always=True))
def narrowed_access(bench):
    """A stranger has a subscriber and a control connection; then socket.access becomes "group"."""
    with bench.daemon() as daemon:
        strangers = [daemon.client(path, uid=FIRST_ATTACKER) for path in (daemon.stream, daemon.control)]
        time.sleep(0.5)
        daemon.write_config(**{"socket.access": "group"})
        daemon.ask({"class": "RELOAD"})
        time.sleep(1)
        return {"foreign connections left": sum(not client.end().get("closed") for client in strangers)}


@attack("paths in DEVICE", Bound("DEVICE lines with a path", "", 0, always=True))
def paths_in_reason(bench):
    """The trace does not exist; a subscriber without privileges reads DEVICE."""
    with bench.daemon({"source.trace": os.path.join(bench.folder, "secret/walk.csv")}) as daemon:
        good = daemon.subscriber()
        time.sleep(1)
        lines = good.lines()
        devices = [line for _, _, line in lines if line.get("class") == "DEVICE"]
        return {"DEVICE lines with a path": sum("/" in line.get("reason", "") for line in devices)}
