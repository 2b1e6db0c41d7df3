# SPDX-License-Identifier: Apache-2.0
"""Replay of 300 MB recordings beside a C++ program that does the same in the fewest steps.

A is phyphox's form: 4 columns, numbers with exponents. B is Sensor Logger's: 5 columns, nanoseconds of an
epoch, 16 to 19 digits. Both repeat a real recording while their times go on.
"""
import os
import shutil
import subprocess
import sys

from harness import PARALLAX, RECORDINGS

CHAIN = ["--rate", "native", "--scale", "12", "--range=-20:20"]
EMA = ["--smoothing", "ema:0.12"]
# What the baseline calls each smoothing.
FILTERS = {"none": "none", "ema": "ema:0.12", "one-euro": "one-euro:1,0.2", "spring": "spring:0.5,0.825"}
COLUMNS = {"A": ["0", "2", "1", "s"], "B": ["0", "3", "4", "ns"]}
# About the number of instructions that matters; the time of callgrind.
SMALL = 10_000_000

PANDAS = """
import sys, numpy, pandas
t = pandas.read_csv(sys.argv[1])
time, x, y = t.iloc[:, 0], 12 * t.iloc[:, 2], 12 * t.iloc[:, 1]
out = pandas.DataFrame({"t": time - time[0], "x": x.clip(-20, 20), "y": y.clip(-20, 20)})
out[["x", "y"]] = out[["x", "y"]].ewm(com=11.5, adjust=False).mean()
out.to_csv(sys.argv[2], index=False, float_format="%.6f")
"""
POLARS = """
import sys, polars
t = polars.read_csv(sys.argv[1])
n = t.columns
ewm = lambda c: (12 * polars.col(c)).clip(-20, 20).ewm_mean(com=11.5, adjust=False)
out = t.select((polars.col(n[0]) - polars.col(n[0]).first()).alias("t"), ewm(n[2]).alias("x"), ewm(n[1]).alias("y"))
out.write_csv(sys.argv[2], float_precision=6)
"""
MAWK = r"""
NR == 1 { print "t,x,y"; next }
{ x = 12 * $3; y = 12 * $2
  x = x < -20 ? -20 : x > 20 ? 20 : x; y = y < -20 ? -20 : y > 20 ? 20 : y
  if (NR == 2) { o = $1; X = x; Y = y } else { a = 1 - exp(-($1 - p) / 0.12); X += a * (x - X); Y += a * (y - Y) }
  p = $1; printf "%.9f,%.6f,%.6f\n", $1 - o, X, Y }
"""


def make_recordings(folder, size):
    """A.csv and B.csv of about that many bytes."""
    paths = {"A": os.path.join(RECORDINGS, "phyphox-walk", "Gyroscope.csv"),
             "B": os.path.join(RECORDINGS, "sensorlogger-uncal", "GyroscopeUncalibrated.csv")}
    made = {}
    for name, path in paths.items():
        with open(path) as file:
            header, *rows = file.read().splitlines()
        rows = [row.split(",") for row in rows if row]
        times = [float(row[0]) if name == "A" else int(row[0]) for row in rows]
        period = times[-1] - times[0] + times[1] - times[0]
        made[name] = os.path.join(folder, name + ".csv")
        with open(made[name], "w") as file:
            written, turn = file.write(header + "\n"), 0
            while written < size:
                lines = []
                for row, time in zip(rows, times):
                    if name == "A":
                        mantissa, exponent = ("%.9E" % (time + turn * period)).split("E")
                        lines.append("%sE%d,%s\n" % (mantissa, int(exponent), ",".join(row[1:])))
                    else:
                        elapsed = repr(float(row[1]) + turn * period * 1e-9)
                        lines.append("%d,%s,%s\n" % (time + turn * period, elapsed, ",".join(row[2:])))
                written += file.write("".join(lines))
                turn += 1
    return made


def small(path):
    """The beginning of a recording, to a whole line."""
    copy = path.replace(".csv", "-10.csv")
    with open(path, "rb") as file, open(copy, "wb") as target:
        data = file.read(SMALL)
        target.write(data[:data.rindex(b"\n") + 1])
    return copy


def measure(bench):
    baseline = bench.baseline("replay.cpp")
    yardstick = bench.baseline("yardstick.cpp")
    # The recordings, and two tables.
    bench.touch_memory(2_000_000_000)
    recordings = make_recordings(bench.folder, 300_000_000)
    ours, theirs = bench.path("ours.csv"), bench.path("theirs.csv")

    def replay(path, *options, smoothing=EMA, output=ours):
        return [PARALLAX, "replay", path, "-o", output, *CHAIN, *smoothing, *options]

    def plain(name, smoothing="ema"):
        return [baseline, recordings[name], theirs, *COLUMNS[name], smoothing]

    # The baseline writes two digits at a time, the yardstick one: it takes 10 to 20 % longer.
    for name, cpu_bound, yardstick_bound in (("A", 1.15, 1.05), ("B", 0.85, 0.8)):
        path = recordings[name]
        programs = {"parallax": lambda: bench.usage(replay(path, "--jobs", "1")),
                    "threads": lambda: bench.usage(replay(path, "--jobs", "2")),
                    "C++": lambda: bench.usage(plain(name)),
                    "yardstick": lambda: bench.usage([yardstick, path, theirs, *COLUMNS[name]])}
        runs = bench.interleaved(bench.runs, programs)
        cpu = {key: [run[0] for run in values] for key, values in runs.items()}
        wall = {key: [run[1] for run in values] for key, values in runs.items()}
        bench.ratio("replay %s, CPU" % name, cpu["parallax"], cpu["C++"], "s", bound=cpu_bound)
        bench.ratio("replay %s, CPU beside the yardstick" % name, cpu["parallax"], cpu["yardstick"], "s",
                    bound=yardstick_bound)
        bench.ratio("replay %s, wall on 2 threads" % name, wall["threads"], wall["C++"], "s", bound=0.65)
        tables = []
        for jobs in "1234":
            table = bench.path("table-" + jobs)
            bench.usage(replay(path, "--jobs", jobs, output=table))
            tables.append(table)
        same = all(subprocess.run(["cmp", "-s", tables[0], other]).returncode == 0 for other in tables[1:])
        bench.value("replay %s, tables of 1 to 4 threads that differ" % name, [0 if same else 1], "", bound=0)
        for table in tables:
            os.remove(table)
        for jobs in "124":
            bench.value("replay %s, anonymous memory with --jobs %s" % (name, jobs),
                        [bench.peak_megabytes(replay(path, "--jobs", jobs))], "MiB", bound=4)
        bench.instructions("replay %s, 10 MB" % name, replay(small(path), "--jobs", "1"))

    for name, smoothing in FILTERS.items():
        cpu = bench.interleaved(bench.runs, {
            "parallax": lambda: bench.cpu(replay(recordings["A"], "--jobs", "1", smoothing=["--smoothing", smoothing])),
            "C++": lambda: bench.cpu(plain("A", name))})
        bench.ratio("replay A with %s, CPU" % name, cpu["parallax"], cpu["C++"], "s", bound=1.25)

    # Ten times as many bytes, from a pipe: memory is flat.
    command = " ".join("tail -n +2 '%s';" % recordings["A"] for _ in range(9))
    with subprocess.Popen(["sh", "-c", "cat '%s'; %s" % (recordings["A"], command)],
                          stdout=subprocess.PIPE) as stream:
        peak = bench.peak_megabytes(replay("-", "--skip-bad-rows", output="/dev/null"), stdin=stream.stdout)
    bench.value("replay of 3 GB, anonymous memory", [peak], "MiB", bound=4)

    def python(source):
        return [sys.executable, "-c", source, recordings["A"], theirs]

    for name, source, module in (("polars", POLARS, "polars"), ("pandas", PANDAS, "pandas")):
        known = subprocess.run([sys.executable, "-c", "import " + module], stderr=subprocess.DEVNULL).returncode == 0
        bench.peer("replay A, CPU", name, [bench.cpu(python(source))] if known else None, "s")
    if shutil.which("mawk"):
        with open(theirs, "w") as file:
            seconds = bench.cpu(["mawk", "-F,", MAWK, recordings["A"]], stdout=file)
        bench.peer("replay A, CPU", "mawk", [seconds], "s")
    else:
        bench.peer("replay A, CPU", "mawk", None, "s")
