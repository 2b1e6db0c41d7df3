"""polled.sh: gyroscopes that are polled, drivers that block, what a user may not."""
import json

from checks import Marks, Stream, check_losses, fit_sine, read


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("polled: waited for in vain", marks.missing(), [])
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
    checks.holds_text("a user polls, and is told why", user.reason("streaming"), "iio:device|udev")
    mute, stop = marks.at("mute"), marks.at("stop")
    check_losses(checks, "muted, unmuted, muted", user, 2, returns=1)
    offsets = user.offsets(mute - 5, mute) if mute else []
    checks.within("a user: offsets in 5 s", len(offsets), 150, 10)
    asked = []
    for line in read(folder, "user.status").splitlines():
        parts = line.split(" ", 2)
        if len(parts) == 3 and parts[2].startswith("{"):
            asked.append((float(parts[0]), float(parts[1]), json.loads(parts[2])))
    blocked = [took for at, took, _ in asked if mute and stop and mute <= at < stop]
    checks.that(len(blocked) > 60, "STATUS while the driver blocks", "%d answers" % len(blocked),
                "> 60")
    checks.at_most("STATUS while the driver blocks, worst",
                   max(blocked, default=None) and max(blocked) * 1000, 100, " ms")
    checks.holds_text("a driver that blocks", user.reason("lost"), ".")
    checks.at_most("SIGTERM while the driver blocks, clients", stop and user.end and user.end - stop,
                   1, " s")
    ended = marks.at("ended 0", stop or 0)
    checks.at_most("SIGTERM while the driver blocks, end", stop and ended and ended - stop, 1, " s")
    closed = Stream(folder + "/closed.stream")
    checks.holds_text("raw values closed too", closed.reason("denied"), ".")

    checks.equal("doctor as root: exit code", marks.value("doctor-root"), "0")
    # It would work for this user, polled.
    checks.equal("doctor as a user: exit code", marks.value("doctor-nobody"), "0")
    checks.that(marks.value("doctor-closed") not in (None, "0"), "doctor where it is denied: exit code",
                marks.value("doctor-closed"), "not 0")
    checks.holds_text("doctor as a user: what mends it", read(folder, "doctor-nobody.txt"),
                      "adduser|udev")
    checks.equal("what mends it: exit code", marks.value("mended"), "0")
    mended = Stream(folder + "/mended.stream")
    checks.equal("mended: a user streams", mended.reason("streaming"), "")
    offsets = mended.offsets()
    begin = offsets[0]["time"] if offsets else 0
    checks.within("mended: offsets in 2 s", len(mended.offsets(begin + 1, begin + 3)), 60, 4)
    for name in "gyro_3d", "bmi160":
        checks.holds_text("devices: " + name, read(folder, "devices.txt"), name)
