# SPDX-License-Identifier: Apache-2.0
"""Attacks by floods: what ordinary users send, leave unread or open, while a good subscriber measures."""
import contextlib
import re
import time

from table import Bound, attack
from victim import FIRST_ATTACKER, GOOD_USER, Lateness, Memory, Stalls, sine_trace

INHIBIT = {"class": "INHIBIT", "reason": "password"}
LONG_TAG = "t" * 60000
OFFSET_TIME = re.compile(r'"OFFSET","seq":\d+,"time":([0-9.]+)')
USERS = list(range(FIRST_ATTACKER, FIRST_ATTACKER + 8))

LATENESS = Bound("p99 of lateness over quiet", "ms", 3)
RECOVERY = Bound("p90 of lateness over quiet, afterwards", "ms", 3)
ACK = Bound("INHIBIT's slowest ACK", "ms", 10)
GROWTH = Bound("memory over quiet, at most", "MB", 4)
LEFT = Bound("memory over quiet, afterwards", "MB", 1)
GREETING = Bound("slowest greeting of a new subscriber", "ms", 1000)
LEFT_BY_EIGHT = Bound(LEFT.figure, "MB", 2)
FLOOD = (LATENESS, ACK, GREETING, GROWTH, LEFT, RECOVERY)


def slowest_ms(answers, expected, name):
    """Returns the time of the slowest answer in ms; unanswered questions count as 10 s."""
    times = [1000 * (connecting + answering) if answer.get("class") == name else 10000
             for connecting, answering, answer in answers]
    return max(times + [10000] * (expected - len(times)))


def under_attack(bench, attackers, settings=None, prepare=None, **options):
    """Measures a good subscriber, INHIBIT and new subscribers before, during and after an attack.

    attackers: starts the attack on a daemon; returns its processes."""
    quiet, attacking, questions = 5, 5, 10
    with bench.daemon(settings, **options) as daemon, contextlib.ExitStack() as measuring:
        stalls = measuring.enter_context(Stalls(bench))
        good = daemon.subscriber()
        time.sleep(0.5)
        daemon.ask(INHIBIT, 3)
        daemon.status()
        time.sleep(1)
        begin = time.monotonic()
        time.sleep(quiet)
        spans = {"quiet": (begin, time.monotonic())}
        before = daemon.megabytes()
        with Memory(daemon) as memory:
            processes = attackers(daemon)
            time.sleep(0.5)
            begin, cpu = time.monotonic(), daemon.cpu_seconds()
            time.sleep(attacking)
            spans["attack"] = begin, time.monotonic()
            share = (daemon.cpu_seconds() - cpu) / (time.monotonic() - begin)
            acks = daemon.ask(INHIBIT, questions, 150)
            greetings = daemon.ask({"class": "POLL"}, 3, socket=daemon.stream, uid=GOOD_USER)
            counts = [process.end() for process in processes]
        time.sleep(1.5)
        after = daemon.megabytes()
        begin = time.monotonic()
        time.sleep(quiet / 2)
        spans["after"] = begin, time.monotonic()
        measuring.close()
        lines = good.lines()
        found = {name: Lateness(lines, *span, stalls) for name, span in spans.items()}
        figures = {
            LATENESS.figure: found["attack"].p(99) - found["quiet"].p(99),
            RECOVERY.figure: found["after"].p(90) - found["quiet"].p(90),
            ACK.figure: slowest_ms(acks, questions, "ACK"),
            GREETING.figure: slowest_ms(greetings, 3, "VERSION"),
            GROWTH.figure: memory.peak - before,
            LEFT.figure: after - before,
            "text:memory": "%.1f, %.1f, %.1f" % (before, memory.peak, after),
            "text:cpu": "%.0f %%" % (100 * share),
            "text:stalls": stalls.summary(),
            "text:load": "%d, %.0f" % (
                sum(count.get("connected", 0) for count in counts),
                sum(count.get("sent", 0) for count in counts) / 1e6)}
        for name, span in found.items():
            figures["text:" + name] = span.summary()
        return figures


def pair(daemon, uid, stream, control, *options):
    """Starts 32 connections to each socket that flood it with a line."""
    return [
        daemon.client(daemon.stream, "-n", 32, "-r", "-f", stream, *options, uid=uid),
        daemon.client(daemon.control, "-n", 32, "-r", "-f", control, *options, uid=uid)]


STATUS = '{"class":"STATUS"}'
TAGGED = '{"class":"STATUS","tag":"%s"}' % LONG_TAG
POLL = '{"class":"POLL"}'
WATCH = '{"class":"WATCH","rate":1,"orientation":"left-up","layers":{"a":1}}'


@attack("bad lines, read", *FLOOD)
def bad_lines_read(bench):
    """One user floods both sockets over 32 + 32 connections with `x` lines and reads the answers."""
    return under_attack(bench, lambda daemon: pair(daemon, USERS[0], "x", "x"))


@attack("bad lines, unread", *FLOOD)
def bad_lines_unread(bench):
    """The same, with all answers unread."""
    return under_attack(bench, lambda daemon: pair(daemon, USERS[0], "x", "x", "-u"))


@attack("POLL and STATUS, read", *FLOOD)
def requests_read(bench):
    """One user floods 32 connections with POLL and 32 with STATUS, and reads the answers."""
    return under_attack(bench, lambda daemon: pair(daemon, USERS[0], POLL, STATUS))


def waiting_tags(daemon, uid):
    return [
        daemon.client(daemon.stream, "-n", 32, "-r", "-f", POLL, "-l", 60, "-u", uid=uid),
        daemon.client(daemon.control, "-n", 32, "-r", "-f", TAGGED, "-l", 60, "-u", uid=uid)]


@attack("long tags, unread", *FLOOD)
def long_tags(bench):
    """One user sends 60 POLL on 32 connections and 60 STATUS with a tag of 60 kB on 32, and reads no
    answers."""
    return under_attack(bench, lambda daemon: waiting_tags(daemon, USERS[0]))


@attack("long tags, without an end", *FLOOD)
def endless_tags(bench):
    """The same, without an end."""
    return under_attack(bench, lambda daemon: pair(daemon, USERS[0], POLL, TAGGED, "-u"))


@attack("WATCH", *FLOOD)
def watches(bench):
    """One user floods 32 connections with WATCH with an orientation and a layer, and 32 with AGENT."""
    agent = '{"class":"AGENT","reduce_motion":false,"orientation":"left-up","wanted":true}'
    return under_attack(bench, lambda daemon: pair(daemon, USERS[0], WATCH, agent))


@attack("eight users, bad lines", LATENESS, ACK, GREETING, LEFT_BY_EIGHT, RECOVERY,
        Bound(GROWTH.figure, "MB", 32))
def eight_users(bench):
    """Eight users flood with `x` lines over 32 + 32 connections each; half of them read nothing."""

    def start(daemon):
        processes = []
        for index, uid in enumerate(USERS):
            processes += pair(daemon, uid, "x", "x", *(["-u"] if index % 2 else []))
        return processes

    return under_attack(bench, start, {"socket.max-subscribers": 512})


@attack("eight users, long tags", LATENESS, ACK, GREETING, LEFT_BY_EIGHT, RECOVERY,
        Bound(GROWTH.figure, "MB", 32))
def eight_users_long_tags(bench):
    """Eight users send 60 POLL and STATUS with tags of 60 kB over 32 + 32 connections each, unread."""

    def start(daemon):
        return [process for uid in USERS for process in waiting_tags(daemon, uid)]

    return under_attack(bench, start, {"socket.max-subscribers": 512})


def feed_flood(bench, *samples):
    """A client with the daemon's privileges floods it with the samples of a feed, which is the source of motion."""
    request = '{"class":"FEED","name":"flood","clock":"monotonic"}'
    return under_attack(
        bench, lambda daemon: [daemon.client(daemon.control, "-w", request, *samples, uid=0)], {"source.kind": "auto"})


@attack("samples", *FLOOD)
def samples_flood(bench):
    """A privileged client feeds and sends SAMPLE as fast as it can, several hundred thousand in all."""
    return feed_flood(bench, "-f", '{"class":"SAMPLE","x":0.5,"y":-0.25,"z":0}')


@attack("samples, many on a line", ACK, GREETING, GROWTH, LEFT, RECOVERY)
def long_samples_flood(bench):
    """The same with one line of 1,500 samples, again and again: its times go back, so there are no frames meanwhile."""
    line = '{"class":"SAMPLES","samples":[%s]}' % ",".join("[%d,0.5,-0.25,0.125]" % (1000 + n) for n in range(1500))
    return feed_flood(bench, "-F", bench.file("samples.json", line))


@attack("connect and close", *FLOOD)
def churn(bench):
    """One user connects to both sockets and closes at once, as fast as it can."""
    return under_attack(bench, lambda daemon: [
        daemon.client(daemon.stream, "-c", uid=USERS[0]), daemon.client(daemon.control, "-c", uid=USERS[0])])


@attack("connect and close, eight users", *FLOOD)
def churn_of_eight(bench):
    """Eight users do the same."""
    return under_attack(bench, lambda daemon: [
        daemon.client(path, "-c", uid=uid) for uid in USERS for path in (daemon.stream, daemon.control)])


@attack("half a line", *FLOOD)
def half_lines(bench):
    """One user sends 60 kB without a line feed on 32 control connections, 4 kB on 32 to the stream."""
    return under_attack(bench, lambda daemon: [
        daemon.client(daemon.control, "-n", 32, "-p", 60000, uid=USERS[0]),
        daemon.client(daemon.stream, "-n", 32, "-p", 4000, uid=USERS[0])])


@attack("too long lines", *FLOOD)
def too_long_lines(bench):
    """One user sends lines without an end on 32 + 32 connections, and connects again when it is closed."""
    return under_attack(bench, lambda daemon: [
        daemon.client(path, "-n", 32, "-r", "-p", 1 << 30, uid=USERS[0])
        for path in (daemon.stream, daemon.control)])


def frames_per_second(bench, settings, requests, flood=None, connections=None):
    """Returns the most distinct frames that one user received in any whole second."""
    seconds = 6
    with bench.daemon(settings) as daemon:
        options = [option for request in requests for option in ("-w", request)]
        if flood:
            options += ["-f", flood, "-r"]
        client = daemon.client(
            daemon.stream, "-n", connections or len(requests), *options, records=True)
        time.sleep(seconds + 1)
        client.end()
    with open(client.path) as file:
        frames = sorted({float(found.group(1)) for found in map(OFFSET_TIME.search, file) if found})
    if not frames:
        return {"frames in a second, at most": 0}
    # The greeting and the first frames come at once.
    frames = [time for time in frames if time > frames[0] + 0.5]
    most, begin = 0, 0
    for end, time_ in enumerate(frames):
        while frames[begin] <= time_ - 1:
            begin += 1
        most = max(most, end + 1 - begin)
    return {"frames in a second, at most": most}


# 60 a second with the permitted 2 % of jitter, and the burst of three that a late grid may make up for.
FRAMES = Bound("frames in a second, at most", "", 65)


def fast_source(bench, rate=400):
    return {"source.trace": bench.file("sine%d.csv" % rate, sine_trace(rate)), "sampling.rate": "native"}


@attack("rates 60, 59.63, ...", FRAMES)
def rates(bench):
    """One user has 32 subscribers with the rates 60, 59.63, ... on a source of 400 Hz."""
    requests = ['{"class":"WATCH","on_change":false,"rate":%.2f}' % (60 - 0.37 * n) for n in range(32)]
    return frames_per_second(bench, fast_source(bench), requests)


@attack("POLL for frames", FRAMES)
def polls(bench):
    """One user sends POLL as fast as it can on one connection, on a source of 400 Hz."""
    return frames_per_second(bench, fast_source(bench), [POLL], flood=POLL, connections=1)


@attack("new connections for frames", FRAMES)
def greetings(bench):
    """One user sends WATCH and POLL on 32 connections with changing rates, on a source of 400 Hz."""
    requests = ['{"class":"WATCH","on_change":false,"rate":%d}' % (60 - n) for n in range(32)]
    return frames_per_second(bench, fast_source(bench), requests, flood='{"class":"WATCH","rate":60}\n' + POLL)
