# SPDX-License-Identifier: Apache-2.0
"""Makes many recordings from those of Tests/Recordings: cut at random rows and shifted in time, with a seed, some of them
broken."""
import decimal
import os
import random

SOURCES = ("sensorlogger-iphone12/Gyroscope.csv", "sensorlogger-uncal/GyroscopeUncalibrated.csv",
           "phyphox-walk/Gyroscope.csv", "xio-fusion/sensor_data.csv", "xio-gait/short_walk.csv",
           "small/gap.csv", "small/back.csv", "small/near-33.csv")
MOST_ROWS = 3000
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Recordings")


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = next(index for index, line in enumerate(lines) if not line.startswith("#")) + 1
    return lines[:first], lines[first:]


def cut(generator, sources):
    """Returns a header and a random part of the rows of a random recording, at another time."""
    header, rows = generator.choice(sources)
    count = generator.randint(min(100, len(rows)), min(MOST_ROWS, len(rows)))
    start = generator.randint(0, len(rows) - count)
    # A row of Sensor Logger has ns since 1970.
    isEpoch = rows[0].split(",")[0].isdigit() and len(rows[0].split(",")[0]) > 15
    shift = generator.randint(0, 10**6) * (10**9 if isEpoch else 1)
    shifted = []
    for row in rows[start:start + count]:
        time, comma, rates = row.partition(",")
        shifted.append(f"{decimal.Decimal(time) + shift:f}{comma}{rates}")
    return header, shifted


def break_(kind, header, rows, path):
    """Writes a recording that cannot be replayed, or not to its end."""
    text = "\n".join(header + rows) + "\n"
    middle = len(rows) // 2
    if kind == "missing":
        os.symlink("nowhere", path)
        return
    with open(path, "wb") as file:
        file.write({
            "empty": lambda: b"",
            "binary": lambda: bytes(random.Random(len(text)).randbytes(len(text))),
            "no header": lambda: "\n".join(rows).encode(),
            "cut in the header": lambda: header[-1][:9].encode(),
            "header only": lambda: "\n".join(header).encode(),
            "wrong unit": lambda: text.replace(header[-1], '"Time (s)","X (m/s^2)","Y (m/s^2)","Z (m/s^2)"').encode(),
            "UTF-16": lambda: text.encode("utf-16"),
            "stopped clock": lambda: "\n".join(
                header + [rows[0].partition(",")[0] + "," + row.partition(",")[2] for row in rows]).encode(),
            "word for a number": lambda: "\n".join(
                header + rows[:middle] + [rows[middle].partition(",")[0] + ",none,none,none,none"]
                + rows[middle:]).encode(),
        }[kind]())


BROKEN = ("empty", "binary", "no header", "cut in the header", "header only", "wrong unit", "UTF-16", "missing",
          "stopped clock", "word for a number")


def make(folder, count, seed=1):
    """Writes `count` recordings to the folder, in subfolders of 100. Returns {name: how it is broken, or None}."""
    generator = random.Random(seed)
    sources = [read(os.path.join(FOLDER, source)) for source in SOURCES]
    broken = dict(zip(generator.sample(range(count), len(BROKEN)), BROKEN))
    made = {}
    for number in range(count):
        name = "%02d/recording %d é.csv" % (number // 100, number)
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        header, rows = cut(generator, sources)
        if number in broken:
            break_(broken[number], header, rows, os.path.join(folder, name))
        else:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("\n".join(header + rows) + "\n")
        made[name] = broken.get(number)
    return made
