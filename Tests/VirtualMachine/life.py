# SPDX-License-Identifier: Apache-2.0
"""life.sh: lost and found again, without leaks."""
import re

from checks import Marks, Stream, check_losses, read


def latest(marks, begin, stream, state):
    """Returns the longest time from a mark that matches to the next arrival of a state, or None. The arrival is the
    client's: the guest's shell reads the lines later, and a busy host makes it seconds later."""
    spans = []
    for at, name in marks.all:
        if re.fullmatch(begin, name):
            spans.append(min((arrival - at for arrival, line in stream.of("DEVICE", at)
                              if line["state"] == state), default=float("inf")))
    return max(spans, default=None)


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("life: awaited lines that did not come", marks.missing(), [])
    life = Stream(folder + "/life.stream")
    check_losses(checks, "ten replugs, stall, mute", life, 12)
    checks.at_most(
        "unplugged to lost, worst of 10", latest(marks, "begin unplug-.*", life, "lost"), 1.2, " s")
    checks.at_most("stalled to lost", latest(marks, "begin stall", life, "lost"), 1.5, " s")
    checks.at_most(
        "plugged to streaming, worst of 10", latest(marks, "begin back-plug", life, "streaming"), 3, " s")
    rows = {}
    for line in read(folder, "resources.txt").splitlines():
        name, _, threads, _, files, _, memory = line.split()
        rows[name] = (int(threads), int(files), int(memory))
    first, tenth = rows.get("1"), rows.get("10")
    if checks.that(bool(first and tenth), "resources", "%s, then %s" % (first, tenth),
                   "threads, descriptors, kB"):
        checks.at_most("threads after ten replugs", tenth[0], first[0])
        checks.at_most("descriptors after ten replugs", tenth[1], first[1])
        checks.at_most("RssAnon's growth", tenth[2] - first[2], 128, " kB")
    checks.holds_text("buffer still on after kill -9", read(folder, "after-kill.txt"), " 1$")
    after = Stream(folder + "/next.stream")
    check_losses(checks, "driver unbound after a kill", after, 1)
    checks.equal("driver unloaded, loaded", (marks.value("unloaded"), marks.value("loaded")), ("0", "0"))
    stop = marks.at("begin end")
    ended = marks.at("ended 0", stop or 0)
    checks.at_most("SIGTERM to the end", ended and stop and ended - stop, 1, " s")
    checks.equal("reason of the end", after.reason("ended"), "shutdown")
