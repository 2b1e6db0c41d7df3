# SPDX-License-Identifier: Apache-2.0
"""polled.sh: polled gyroscopes, blocking drivers, missing permissions."""
import json

from checks import Marks, Stream, check_losses, fit_sine, read


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("polled: awaited lines that did not come", marks.missing(), [])
    chip = Stream(folder + "/chip.stream")
    offsets = chip.offsets()
    if offsets:
        end = offsets[-1]["time"] - 0.2
        offsets = chip.offsets(end - 10, end)
    checks.within("no trigger: offsets in 10 s", len(offsets), 300, 10)
    times = [line["time"] for line in offsets]
    steps = [b - a for a, b in zip(times, times[1:])]
    checks.at_most("no trigger: longest step", max(steps, default=None), 0.1, " s")
    for key in "x", "y":
        hertz, amplitude, _ = fit_sine(times, [line[key] for line in offsets], 0.5)
        checks.within("no trigger, %s: amplitude" % key, amplitude, 2.5, 0.1, " px")
        checks.within("no trigger, %s: frequency" % key, hertz, 0.5, 0.01, " Hz")

    user = Stream(folder + "/user.stream")
    checks.holds_text("a user polls, with the reason", user.reason("streaming"), "iio:device|udev")
    mute, stop = marks.at("mute"), marks.at("stop")
    check_losses(checks, "muted, unmuted, muted", user, 2, returns=1)
    offsets = user.offsets(mute - 5, mute) if mute else []
    checks.within("a user: offsets in 5 s", len(offsets), 150, 10)
    answers = []
    for line in read(folder, "user.status").splitlines():
        parts = line.split(" ", 2)
        if len(parts) == 3 and parts[2].startswith("{"):
            answers.append((float(parts[0]), float(parts[1]), json.loads(parts[2])))
    blocked = [took for at, took, _ in answers if mute and stop and mute <= at < stop]
    checks.that(len(blocked) > 60, "STATUS while the driver blocks", "%d answers" % len(blocked),
                "> 60")
    checks.at_most("STATUS while the driver blocks, worst",
                   max(blocked, default=None) and max(blocked) * 1000, 100, " ms")
    checks.holds_text("a blocking driver: reason", user.reason("lost"), ".")
    checks.at_most("SIGTERM while the driver blocks, to the clients' EOF", stop and user.end and user.end - stop,
                   1, " s")
    ended = marks.at("ended 0", stop or 0)
    checks.at_most("SIGTERM while the driver blocks, to the exit", stop and ended and ended - stop, 1, " s")
    closed = Stream(folder + "/closed.stream")
    checks.holds_text("raw values not readable", closed.reason("denied"), ".")

    checks.equal("doctor as root: exit code", marks.value("doctor-root"), "0")
    # Polling works for this user.
    checks.equal("doctor as a user: exit code", marks.value("doctor-user"), "0")
    checks.that(marks.value("doctor-closed") not in (None, "0"), "doctor without access: exit code",
                marks.value("doctor-closed"), "not 0")
    checks.holds_text("doctor as a user: advice", read(folder, "doctor-user.txt"),
                      "adduser|udev")
    checks.equal("doctor's advice: exit code", marks.value("fixed"), "0")
    fixed = Stream(folder + "/fixed.stream")
    checks.equal("fixed: a user streams", fixed.reason("streaming"), "")
    offsets = fixed.offsets()
    begin = offsets[0]["time"] if offsets else 0
    checks.within("fixed: offsets in 2 s", len(fixed.offsets(begin + 1, begin + 3)), 60, 4)
    for name in "gyro_3d", "bmi160":
        checks.holds_text("devices: " + name, read(folder, "devices.txt"), name)
