# SPDX-License-Identifier: Apache-2.0
"""pads.sh: a controller's gyroscope through evdev."""
import csv
import json
import math
import os
import re
import statistics

from checks import Marks, Stream, check_losses, fit_sine, read, read_json

# A raw unit of the controller is 0.062 degrees/s.
UNIT = 0.0011


def columns(folder, name):
    """Returns the columns t, x, y and z of a recording, in s and rad/s."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return [], [], [], []
    with open(path) as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(line for line in file if line[0] in "-0123456789")]
    return tuple(zip(*rows)) if rows else ([], [], [], [])


def rate(times):
    return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else None


def settled(recording):
    """Returns a recording without its first half second. The emulated machine delivers the first reports late, and
    until one that is not late, their times are late, too."""
    return tuple(column[125:] for column in recording)


def check(folder, parallax, checks):
    marks = Marks(folder)
    checks.equal("pads: awaited lines that did not come", marks.missing(), [])
    devices = read_json(folder, "devices.json")
    checks.equal("devices: interface", devices.get("interface"), "evdev")
    checks.equal("devices: number", devices.get("uniq"), "00:11:22:33:44:55")
    checks.equal("devices: reading", devices.get("reading"), "buffered")
    checks.within("devices: scale", devices.get("scale"), 3.14159265 / 180 / 1024, 1e-9, " rad/s")
    checks.holds_text("doctor: access", read(folder, "doctor.txt"), "ok +access")

    times, *axes = settled(columns(folder, "constant.csv"))
    checks.within("record: rate", rate(times), 250, 2.5, " Hz")
    for name, expected, values in zip("xyz", (0.5, -0.25, 0.125), axes):
        checks.within("record: constant rate about " + name, values and statistics.fmean(values), expected,
                      abs(expected) * 0.01, " rad/s")
    times, *axes = columns(folder, "sine.csv")
    for name, hertz, amplitude, values in zip("xyz", (0.5, 0.5, 1), (0.5, 0.5, 0.25), axes):
        found, size, _ = fit_sine(times, values, hertz)
        checks.within("record: frequency about " + name, found, hertz, hertz * 0.01, " Hz")
        checks.within("record: amplitude about " + name, size, amplitude, amplitude * 0.01, " rad/s")

    life = Stream(folder + "/life.stream")
    status = read_json(folder, "status.json")
    checks.within("measured rate", status.get("device", {}).get("measured_rate"), 250, 5, " Hz")
    checks.equal("driver", status.get("device", {}).get("driver"), "evdev")
    held = read_json(folder, "held.json").get("drops", {}).get("lost", 0)
    before = status.get("drops", {}).get("lost", 0)
    sent = [int(count) for count in re.findall(r"sent (\d+)", read(folder, "hub.txt"))]
    first, last = sent if len(sent) == 2 else (0, 0)
    checks.within("lost while the daemon was held up for 2 s", held - before, last - first, (last - first) * 0.1)
    check_losses(checks, "unplugged twice, asleep and stalled", life, 4)
    checks.equal("the kernel's node of a controller that is asleep", marks.value("sleep:"), "gone")

    checks.holds_text("log: no rate is stated", read(folder, "bias.log"), r"Motion Sensors \(event\d+\) gives samples$")
    bias = read_json(folder, "bias.json").get("bias", {})
    for name, expected in zip("xyz", (0.02, -0.01, 0.03)):
        checks.within("bias about " + name, bias.get(name), expected, UNIT / 2, " rad/s")

    times, *axes = settled(columns(folder, "ds4.csv"))
    checks.within("DualShock 4: rate", rate(times), 250, 2.5, " Hz")
    for name, expected, values in zip("xyz", (-0.5, 0.25, 0.125), axes):
        checks.within("DualShock 4: constant rate about " + name, values and statistics.fmean(values), expected,
                      abs(expected) * 0.01, " rad/s")
    drivers = {device.get("uniq"): device.get("driver") for device in map(json.loads, read(folder, "all.json").splitlines())}
    checks.equal("DualShock 4: driver", drivers.get("0a:0b:0c:0d:0e:0f"), "sony")

    auto = Stream(folder + "/auto.stream")
    drivers = []
    for _, line in auto.of("DEVICE"):
        if line["state"] == "streaming" and line["driver"] not in drivers[-1:]:
            drivers.append(line["driver"])
    checks.equal("auto: a feed, else the machine's sensor, else the controller", drivers,
                 ["iio", "feed", "iio", "evdev", "feed", "evdev"])
    for name in "iio", "evdev":
        devices = auto.of("DEVICE", marks.at("begin fed-" + name))
        begun = min((at for at, line in devices if line["driver"] == "feed"), default=math.inf)
        ended = min((at for at, line in devices if line["driver"] == name and at > begun), default=math.inf)
        # 0.5 rad/s about x, at 5 px per rad/s.
        furthest = max((abs(line["y"]) for line in auto.offsets(begun, ended)), default=0)
        checks.within("auto: the feed before %s moves the picture" % name, furthest, 2.5, 0.25, " px")
        sent = read(folder, "feed-%s.txt" % name)
        checks.holds_text("the feeder's DEVICE", sent, r'"driver":"feed".*"state":"streaming"')
