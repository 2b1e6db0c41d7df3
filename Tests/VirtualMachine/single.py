# SPDX-License-Identifier: Apache-2.0
"""single.sh: started by `parallax status`; the units of one user; the agent."""
from checks import Marks, Stream, read
from service import first_offset


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("single: awaited lines that did not come", marks.missing(), [])
    checks.equal("started by parallax status: exit code", marks.value("status"), "0")
    checks.equal("started by parallax status", marks.value("active"), "active")
    begin, end = marks.at("begin status"), marks.at("status 0")
    checks.at_most("parallax status that starts the service", end - begin if begin and end else None, 10, " s")
    checks.equal("stopped: sockets left", marks.value("left"), "/run/parallax/*.sock")

    checks.equal("the user's manager", marks.value("manager"), "0")
    checks.equal("systemctl --user enable --now", marks.value("enabled"), "0")
    user = Stream(folder + "/user.stream")
    checks.at_most("user: first connection to first OFFSET", first_offset(user), 10, " s")
    states = [name for _, name, reason in user.states() if name == "streaming" and not reason]
    checks.equal("user: streams through the buffer", states[:1], ["streaming"])
    process = dict(line.split(":", 1) for line in read(folder, "process.txt").splitlines())
    checks.equal("user: runs as", process.get("Uid", "").split()[:1], ["54321"])
    checks.equal("user: system calls are filtered", process.get("Seccomp", "").strip(), "2")
    checks.equal("user: parallax status", marks.value("status-user"), "0")
    killed = Stream(folder + "/killed.stream")
    checks.at_most("user: kill -9 to OFFSET", first_offset(killed), 15, " s")
    checks.equal("user: restarts", marks.value("restarts"), "1")
    checks.equal("user: stopped", marks.value("stopped"), "0")
    checks.equal("user: buffer/enable afterwards", marks.value("buffer"), "0")

    checks.equal("agent: the service before", marks.value("service-before-agent"), "inactive")
    checks.equal("agent: the service afterwards", marks.value("service-with-agent"), "active")
    checks.equal("agent: runs", marks.value("agent-runs"), "active")
    checks.equal("agent: result", marks.value("agent-result"), "success")
