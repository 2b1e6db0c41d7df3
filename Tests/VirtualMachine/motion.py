# SPDX-License-Identifier: Apache-2.0
"""motion.sh: the service reads the motion sensors of a controller, and no keyboard."""
from checks import Marks, Stream, check_losses, read


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("motion: awaited lines that did not come", marks.missing(), [])
    nodes = [line.split(" ", 4) for line in read(folder, "nodes.txt").splitlines()]
    motion = [node for node in nodes if node[4].endswith("Motion Sensors")]
    others = [node for node in nodes if not node[4].endswith("Motion Sensors")]
    checks.equal("motion sensors: the service's user may read them", [node[1] for node in motion], ["0"])
    checks.that(any("eyboard" in node[4] for node in others), "there is a keyboard", [node[4] for node in others])
    checks.equal("other input devices that it may read", [node for node in others if node[1] == "0"], [])
    checks.equal("owner and group are as before", [node[2] for node in motion], ["root:input"])
    checks.holds_text("the entry for the group", read(folder, "acl.txt"), r"^group:iio:r--")
    checks.holds_text("other users have none", read(folder, "acl.txt"), r"^other::---")
    checks.that(marks.value("other") not in (None, "0"), "another user is refused", marks.value("other"), "not 0")
    checks.equal("doctor of another user: exit code", marks.value("doctor"), "77")
    checks.holds_text("doctor of another user", read(folder, "doctor.txt"),
                      "^first thing to do: sudo adduser [a-z]+ iio, then log in again")
    checks.equal("doctor of a user in the group: exit code", marks.value("member"), "0")
    checks.holds_text("doctor of a user in the group", read(folder, "member.txt"), r"^ok +access +[a-z]+ may read")

    checks.equal("the service's source", marks.value("driver"), "evdev")
    checks.equal("input devices that the service has open", marks.value("open"), "1")
    check_losses(checks, "plugged again in the sandbox", Stream(folder + "/stream.stream"), 1)
    checks.holds_text("exposure", read(folder, "exposure.txt"), r": 0\.6 SAFE")
