# SPDX-License-Identifier: Apache-2.0
"""Attacks by load: crowds, own orientations, traces without pauses, a stopped daemon, animations."""
import json
import signal
import socket
import time

from floods import under_attack
from limits import STATUS_TIME, STOP, answers_and_stops
from table import Bound, attack
from victim import FIRST_ATTACKER, Lateness, median

CROWD = range(FIRST_ATTACKER, FIRST_ATTACKER + 4)
# As privileged users they may connect as often as they like.
MANY = {"socket.max-per-uid": 4096, "socket.max-subscribers": 4096,
        "socket.control-users": ",".join(map(str, CROWD))}
ORIENTATIONS = ("normal", "left-up", "bottom-up", "right-up")


def crowd(daemon, count, requests, *options):
    """Starts subscribers of several users."""
    each = [option for request in requests for option in ("-w", request)]
    return [daemon.client(daemon.stream, "-n", count // len(CROWD), *each, *options, uid=uid)
            for uid in CROWD]


def await_subscribers(daemon, count, seconds=60):
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        if daemon.status().get("subscribers", 0) >= count:
            return
        time.sleep(0.5)
    raise RuntimeError("fewer than %d subscribers after %d s" % (count, seconds))


def cpu_with(bench, count, requests):
    """Returns the daemon's share of a processor with that many subscribers, in percent."""
    with bench.daemon(MANY) as daemon:
        crowd(daemon, count, requests)
        await_subscribers(daemon, count)
        time.sleep(1.5)
        begin, cpu = time.monotonic(), daemon.cpu_seconds()
        time.sleep(8)
        return 100 * (daemon.cpu_seconds() - cpu) / (time.monotonic() - begin)


def orientations(bench, count):
    own = ['{"class":"WATCH","rate":1,"orientation":"%s"}' % name for name in ORIENTATIONS]
    without = cpu_with(bench, count, ['{"class":"WATCH","rate":1}'])
    with_own = cpu_with(bench, count, own)
    return {"CPU without": without, "CPU with": with_own,
            "CPU with / without": with_own / max(without, 0.1)}


RATIO = (Bound("CPU without", "%"), Bound("CPU with", "%"), Bound("CPU with / without", "x", 1.3))


@attack("300 own orientations", *RATIO)
def orientations_300(bench):
    """300 subscribers at 1 Hz with an orientation of their own, of all four."""
    return orientations(bench, 300)


@attack("1,000 own orientations", *RATIO)
def orientations_1000(bench):
    """1,000 subscribers at 1 Hz with an orientation of their own, of all four."""
    return orientations(bench, 1000)


@attack("4,000 subscribers at 60 Hz", Bound("p99 of lateness", "ms", 100), Bound("largest lateness", "ms"),
        Bound("lateness grows by", "ms", 50), Bound("frames neither sent nor counted", "%", 1),
        Bound("frames sent", "%"), Bound("STATUS", "ms", 1000), Bound("CPU", "%"))
def four_thousand(bench):
    """4,000 subscribers that read, at 60 Hz; the last one measures. Every frame that it does not receive
    is counted as dropped."""
    seconds = 20
    with bench.daemon(MANY) as daemon:
        crowd(daemon, 4000, ['{"class":"WATCH","rate":60,"on_change":false}'])
        await_subscribers(daemon, 4000)
        last = daemon.subscriber()
        time.sleep(2)
        before = daemon.status()
        begin, cpu = time.monotonic(), daemon.cpu_seconds()
        time.sleep(seconds)
        after = daemon.status()
        end, spent = time.monotonic(), daemon.cpu_seconds() - cpu
        asked = daemon.ask({"class": "STATUS"}, 3, timeout=15)
        lines = last.lines()
        whole = Lateness(lines, begin, end)
        halves = [Lateness(lines, begin + a * seconds / 4, begin + (a + 1) * seconds / 4) for a in (0, 3)]
        # A frame that no one got is counted by the daemon, one that this subscriber did not get in
        # `dropped`.
        skipped = sum(
            after.get("drops", {}).get(name, 0) - before.get("drops", {}).get(name, 0)
            for name in after.get("drops", {}) if name != "behind")
        due = 60 * (end - begin)
        counted = whole.count + whole.dropped + skipped
        return {
            "p99 of lateness": whole.p(99), "largest lateness": whole.max,
            "lateness grows by": halves[1].p(50) - halves[0].p(50),
            "frames neither sent nor counted": 100 * max(0, due - counted) / due,
            "frames sent": 100 * whole.count / due,
            "STATUS": 1000 * median([a + b for a, b, _ in asked]) if asked else 10000,
            "CPU": 100 * spent / (end - begin)}


@attack("4,000 close at once", Bound("CPU time of the daemon", "s", 0.4),
        Bound("longest gap of the good subscriber", "ms", 250))
def four_thousand_close(bench):
    """4,000 idle subscribers (enable false) close at once."""
    with bench.daemon(MANY) as daemon:
        good = daemon.subscriber()
        clients = crowd(daemon, 4000, ['{"class":"WATCH","enable":false}'], "-g")
        await_subscribers(daemon, 4001)
        time.sleep(1)
        begin, cpu = time.monotonic(), daemon.cpu_seconds()
        for client in clients:
            client.close_connections()
        time.sleep(5)
        end, spent = time.monotonic(), daemon.cpu_seconds() - cpu
        # What the good subscriber costs meanwhile.
        cpu = daemon.cpu_seconds()
        time.sleep(2)
        spent -= (daemon.cpu_seconds() - cpu) * (end - begin) / 2
        if daemon.status().get("subscribers", 0) > 1:
            spent = 60
        return {"CPU time of the daemon": max(0, spent),
                "longest gap of the good subscriber": Lateness(good.lines(), begin, end).longest}


# Traces


def dense_trace(bench):
    return bench.file("dense.csv", "t,x,y,z\n" + "".join(
        "%.9f,0.1,0.2,0\n" % (index * 1e-9) for index in range(1000000)))


@attack("trace of 1,000,000 rows 1 ns apart", STATUS_TIME, STOP)
def nanosecond_trace(bench):
    """source.trace has 1,000,000 rows 1 ns apart; it does not repeat."""
    return answers_and_stops(bench, {"source.trace": dense_trace(bench), "source.loop": False})


@attack("the same, repeating", STATUS_TIME, STOP)
def nanosecond_loop(bench):
    """The same trace, with source.loop."""
    return answers_and_stops(bench, {"source.trace": dense_trace(bench)})


@attack("trace of 3,000,000 duplicates", STATUS_TIME, STOP)
def duplicates(bench):
    """source.trace has 3,000,000 rows with one time, and repeats."""
    path = bench.file("same.csv", "t,x,y,z\n0,0,0,0\n0.01,0,0,0\n" + "0.02,0.1,0.2,0\n" * 3000000)
    return answers_and_stops(bench, {"source.trace": path})


@attack("SIGSTOP", Bound("frames over 250 ms old", "", 1), Bound("frames over two periods late", "", 3),
        Bound("in time again after", "ms", 250))
def stopped(bench):
    """The daemon is stopped for 10 s and continues."""
    with bench.daemon() as daemon:
        good = daemon.subscriber()
        time.sleep(2)
        daemon.process.send_signal(signal.SIGSTOP)
        time.sleep(10)
        daemon.process.send_signal(signal.SIGCONT)
        begin = time.monotonic()
        time.sleep(3)
        lines = [(at, at - line["time"]) for at, _, line in good.lines()
                 if line.get("class") == "OFFSET" and at >= begin]
        if not lines:
            raise RuntimeError("no OFFSET after SIGCONT")
        late = [at for at, lateness in lines if lateness > 2 / 60]
        return {
            "frames over 250 ms old": sum(lateness > 0.25 for _, lateness in lines),
            "frames over two periods late": len(late),
            "in time again after": 1000 * (max(late, default=begin) - begin)}


# Slow readers


@attack("16 layers, read every 150 ms", Bound("frames dropped", "", 0), Bound("frames received", "%", 97, least=True))
def slow_reader(bench):
    """A subscriber with 16 layers reads every 150 ms: 180 ms of lines fit into its buffers."""
    layers = {"layer-%02d" % index: 0.1 + index / 20 for index in range(16)}
    request = json.dumps({"class": "WATCH", "rate": 60, "on_change": False, "layers": layers})
    seconds = 6
    with bench.daemon() as daemon:
        slow = daemon.subscriber("-z", 150, request=request)
        time.sleep(1)
        begin = time.monotonic()
        time.sleep(seconds)
        whole = Lateness(slow.lines(), begin, begin + seconds)
        return {"frames dropped": whole.dropped, "frames received": 100 * whole.count / (60 * seconds)}


@attack("a reader that pauses 2 s", Bound("frames lost and not counted", "", 0, always=True))
def pausing_reader(bench):
    """A subscriber reads every 2 s: `dropped` must be exactly what it missed."""
    with bench.daemon() as daemon:
        slow = daemon.subscriber("-z", 2000)
        time.sleep(11)
        offsets = [line for _, _, line in slow.lines() if line.get("class") == "OFFSET"]
        # The newest frame waits in the daemon: the last one here follows the last `dropped`.
        missed = offsets[-1]["seq"] - offsets[0]["seq"] + 1 - len(offsets)
        return {"frames lost and not counted": abs(missed - sum(line.get("dropped", 0) for line in offsets))}


# Animations


def springs(count, name):
    """Returns a document of `count` springs, in parallel, which take long to come to rest."""
    step = {"move": {"by": [3, -2]}, "curve": {"spring": {"response": 3, "damping": 0.02}}}
    return {"parallax": 1, "id": name, "animation": {"parallel": [step] * count}}


def play(daemon, documents):
    """Plays documents over one connection of root; returns the number of ACKs and of ERRORs."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(20)
    connection.connect(daemon.control)
    for tag, document in enumerate(documents):
        connection.sendall(
            (json.dumps({"class": "PLAY", "tag": tag, "document": document}) + "\n").encode())
    answers, rest = {"ACK": 0, "ERROR": 0}, b""
    deadline = time.monotonic() + 30
    while sum(answers.values()) < len(documents) and time.monotonic() < deadline:
        try:
            data = connection.recv(65536)
        except TimeoutError:
            break
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            name = json.loads(line)["class"]
            if name in answers:
                answers[name] += 1
    return connection, answers


@attack("24 plays of 4,998 springs", Bound("p99 of lateness", "ms", 100), STATUS_TIME, STOP,
        Bound("plays accepted", "of 24"))
def many_springs(bench):
    """Root plays 24 documents of 4,998 springs each at once."""
    with bench.daemon() as daemon:
        good = daemon.subscriber()
        time.sleep(1)
        documents = [springs(4998, "s%d" % index) for index in range(24)]
        begin = time.monotonic()
        connection, answers = play(daemon, documents)
        time.sleep(8)
        end = time.monotonic()
        asked = daemon.ask({"class": "STATUS"}, timeout=10)
        stopping = daemon.terminate()
        connection.close()
        return {
            "p99 of lateness": Lateness(good.lines(), begin, end).p(99),
            STATUS_TIME.figure: 1000 * (asked[0][0] + asked[0][1]) if asked else 10000,
            STOP.figure: stopping, "plays accepted": answers["ACK"]}


@attack("PLAY of 1 MB, again and again", Bound("p99 of lateness over quiet", "ms", 3))
def large_documents(bench):
    """Root sends PLAY with a document of 1 MB that is refused, again and again."""
    document = {"parallax": 1, "id": "x", "animation": {
        "sequence": [{"delay": 1, "note%d" % index: "x" * 40} for index in range(14000)]}}
    line = json.dumps({"class": "PLAY", "document": document})
    path = bench.file("play.json", line)
    return under_attack(bench, lambda daemon: [
        daemon.client(daemon.control, "-n", 1, "-r", "-F", path, uid=0)])
