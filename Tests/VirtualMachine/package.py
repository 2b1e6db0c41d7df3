# SPDX-License-Identifier: Apache-2.0
"""package.sh: the Debian package under systemd, with the kernel's gyroscope."""
import json

from checks import Marks, Stream, read
from service import first_offset


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("package: awaited lines that did not come", marks.missing(), [])
    begin, end = marks.at("begin install"), marks.at("installed 0")
    checks.at_most("dpkg -i", end - begin if begin and end else None, 400, " s")
    checks.equal("after the installation: the service", marks.value("service-before"), "inactive")
    checks.equal("after the installation: the sockets", marks.value("enabled"), "enabled")
    checks.equal("after the installation: the agent", marks.value("agent"), "enabled")
    checks.equal("the gyroscope's group, without a restart", marks.value("group"), "iio")
    first = Stream(folder + "/first.stream")
    checks.at_most("first connection to first OFFSET", first_offset(first), 20, " s")
    seen = marks.at("seen OFFSETS")
    checks.at_most("package to first OFFSETs", seen - begin if begin and seen else None, 450, " s")
    states = [name for _, name, reason in first.states() if name == "streaming" and not reason]
    checks.equal("streams from the gyroscope", states[:1], ["streaming"])

    checks.equal("upgrade", marks.value("upgraded"), "0")
    checks.that(marks.value("version") != marks.value("new-version"), "upgrade: the version",
                marks.value("new-version"), "not " + str(marks.value("version")))
    checks.equal("upgrade: the daemon is a new process", marks.value("restarted"), "0")
    checks.equal("upgrade: the changed configuration is kept", marks.value("configuration-kept"), "0")
    status = json.loads(read(folder, "status.json") or "{}")
    checks.equal("upgrade: the client is back", [entry.get("reason") for entry in status.get("inhibitors", [])],
                 ["command"])
    second = Stream(folder + "/second.stream")
    checks.at_most("upgrade: first OFFSET", first_offset(second), 20, " s")

    checks.equal("purge", marks.value("purged"), "0")
    checks.equal("purge: the service", marks.value("service-after"), "inactive")
    checks.equal("purge: the sockets", marks.value("sockets-after"), "inactive")
    checks.equal("purge: files left", read(folder, "left.txt").split(), [])
