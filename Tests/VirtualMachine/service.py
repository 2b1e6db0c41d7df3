# SPDX-License-Identifier: Apache-2.0
"""service.sh: parallax.service with a real systemd."""
import json

from checks import Marks, Stream, check_losses, read

# docs/service.md
STREAMS = "e01ac3dfaabf42469ae73aaba9de8bc1"
LOST = "1fd722d8263d4c4a8d3278004ad7e618"
CLOSED = "7967ff411dbe449eb0474004aa3f9c25"


def first_offset(stream):
    """Returns the seconds from the connection to the first OFFSET line, or None."""
    offsets = stream.of("OFFSET")
    return offsets[0][0] - stream.begin if offsets and stream.begin else None


def span(marks, begin, seen):
    """Returns the seconds between two marks, or None."""
    at = marks.at(begin)
    end = at and marks.at(seen, at)
    return end - at if end else None


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("service: awaited lines that did not come", marks.missing(), [])
    checks.equal("before the first connection", marks.value("active-before"), "inactive")
    first = Stream(folder + "/first.stream")
    checks.at_most("first connection to first OFFSET", first_offset(first), 10, " s")

    process = dict(line.split(":", 1) for line in read(folder, "process.txt").splitlines())
    uids = process.get("Uid", "").split()
    checks.that(len(set(uids)) == 1 and uids[0] != "0", "runs as", " ".join(uids), "its own user")
    checks.equal("capabilities", process.get("CapBnd", "").strip("0 "), "")
    checks.equal("system calls are filtered", process.get("Seccomp", "").strip(), "2")
    checks.at_most("RssAnon", float(process.get("RssAnon", "inf kB").split()[0]), 2048, " kB")

    for name, expected in ("open", "1"), ("closed", "0"), ("opened", "1"):
        checks.equal("buffer/enable, gate %s" % name, marks.value("buffer-" + name), expected)
    check_losses(checks, "replug in the sandbox", first_after_pause(first), 1)
    checks.at_most("plugged to streaming in the sandbox",
                   span(marks, "begin plug", 'seen "state":"streaming"'), 8, " s")
    checks.equal("replugged: streams through the buffer",
                 [reason for _, name, reason in first.states() if name == "streaming"][-1:], [""])
    checks.equal("systemctl reload", marks.value("reload"), "0")
    checks.that(marks.value("reload-bad") not in (None, "0"), "systemctl reload of an invalid file",
                marks.value("reload-bad"), "not 0")

    killed = Stream(folder + "/killed.stream")
    checks.at_most("kill -9 to OFFSET", first_offset(killed), 15, " s")
    checks.equal("kill -9: both sockets stayed", marks.value("sockets-stayed"), "0")
    checks.equal("kill -9: control answers", marks.value("control-killed"), "0")
    checks.equal("kill -9: restarts", marks.value("restarts-killed"), "1")

    checks.equal("watchdog with a subscriber", marks.value("watchdog-awake"), "30s")
    checks.at_most("stopped process, to its end (watchdog 4 s)", span(marks, "begin stop", "begin again"),
                   20, " s")
    again = Stream(folder + "/again.stream")
    checks.at_most("stopped process, to OFFSET", first_offset(again), 15, " s")
    checks.equal("stopped process: restarts", marks.value("restarts-stopped"), "1")
    checks.holds_text("stopped process: systemd says", read(folder, "dmesg.txt"), "Watchdog timeout")

    rows = [line.split() for line in read(folder, "switches.txt").splitlines()]
    counts = [int(voluntary) + int(involuntary) for _, _, voluntary, involuntary, _ in rows]
    checks.equal("idle: watchdog", marks.value("watchdog-idle"), "0")
    sent = int(marks.value("sent") or 0)
    checks.that(sent >= 10, "idle: signals sent on the bus in 60 s", sent, ">= 10")
    checks.that(len(counts) == 2 and counts[1] == counts[0], "idle: wake-ups in 60 s",
                counts[1] - counts[0] if len(counts) == 2 else None, "0")
    checks.equal("idle: the same process", marks.value("same-process"), "0")

    entries = [json.loads(line) for line in read(folder, "journal.json").splitlines()]
    kinds = {entry.get("MESSAGE_ID"): entry for entry in entries}
    checks.equal("journal: streams", kinds.get(STREAMS, {}).get("PARALLAX_DEVICE"), "gyro_3d")
    checks.that(bool(kinds.get(LOST, {}).get("PARALLAX_REASON")), "journal: lost",
                kinds.get(LOST, {}).get("PARALLAX_REASON"), "a reason")
    closed = [entry.get("PARALLAX_REASON") for entry in entries if entry.get("MESSAGE_ID") == CLOSED]
    checks.that("paused" in closed, "journal: gate closed", closed, "paused among them")


def first_after_pause(stream):
    """Returns the part of the stream after the pause, without the end."""
    streaming = [at for at, name, _ in stream.states() if name == "streaming"]
    if len(streaming) > 1:
        stream.lines = [line for line in stream.lines if line[0] >= streaming[1]]
    ended = next((at for at, line in stream.of("DEVICE") if line["state"] == "ended"), None)
    if ended:
        stream.lines = [line for line in stream.lines if line[0] < ended]
    return stream
