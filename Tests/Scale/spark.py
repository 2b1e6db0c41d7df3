# SPDX-License-Identifier: Apache-2.0
"""Runs clients/spark/replay_job.py on a standalone Spark cluster of two workers on this machine, over recordings of
which ten are broken, and compares every row with `parallax replay` without Spark.

    Tests/Scale/spark.py [--recordings N] [--seed N]

$PARALLAX_PROGRAMS is the folder of parallax (.build/release).
"""
import argparse
import contextlib
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import recordings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ.get("PARALLAX_PROGRAMS") or os.path.join(ROOT, ".build/release"), "parallax")
JOB = os.path.join(ROOT, "clients/spark/replay_job.py")
OPTIONS = ["--rate", "native", "--smoothing", "ema:0.12", "--velocity"]
LINE = "%.9f,%.6f,%.6f,%.6f,%.6f"


@contextlib.contextmanager
def cluster(folder):
    """Starts a master and two workers; yields the master's address, the environment of the job and the processes.

    A task waits for most of its 0.1 s: four at a time in each executor keep one processor busy."""
    import pyspark
    home = os.path.dirname(pyspark.__file__)
    environment = dict(os.environ, SPARK_HOME=home, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable,
                       SPARK_WORKER_DIR=os.path.join(folder, "work"), SPARK_LOCAL_DIRS=os.path.join(folder, "local"),
                       SPARK_DAEMON_MEMORY="256m")
    programs = []

    def start(name, *arguments):
        log = os.path.join(folder, name + ".log")
        with open(log, "wb") as output:
            programs.append(subprocess.Popen([os.path.join(home, "bin/spark-class"), *arguments], env=environment,
                                             stdout=output, stderr=subprocess.STDOUT))
        return log

    try:
        log = start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0",
                    "--webui-port", "0")
        address = found(log, r"Starting Spark master at (spark://\S+)")[0]
        for name in ("worker-1", "worker-2"):
            start(name, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "4",
                  "--memory", "1g", "--webui-port", "0", address)
        found(log, r"Registering worker \S+ with 4 cores", 2)
        yield address, environment, programs
    finally:
        for program in programs:
            program.terminate()
        for program in programs:
            program.wait()


def found(log, pattern, count=1):
    """Waits until the log has the pattern as often as asked; returns what it has."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with open(log, encoding="utf-8", errors="replace") as file:
            matches = re.findall(pattern, file.read())
        if len(matches) >= count:
            return matches
        time.sleep(0.1)
    with open(log, encoding="utf-8", errors="replace") as file:
        raise RuntimeError("no %r in the log:\n%s" % (pattern, file.read()[-2000:]))


def timed(name, command, **options):
    """Runs a command and prints its time; without a name it is not worth a line."""
    start = time.monotonic()
    result = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, **options)
    if name:
        print("test-spark: %-52s %7.2f s" % (name, time.monotonic() - start), flush=True)
    return result


def seconds_spent(processes):
    """The CPU time of processes and of those that they have waited for."""
    total = 0
    for process in processes:
        with open("/proc/%d/stat" % process.pid, encoding="utf-8") as file:
            total += sum(int(field) for field in file.read().rpartition(")")[2].split()[11:15])
    driver = resource.getrusage(resource.RUSAGE_CHILDREN)
    return total / os.sysconf("SC_CLK_TCK") + driver.ru_utime + driver.ru_stime


def replay_here(folder, names):
    """Returns {name: (exit code, rows, message)} of `parallax replay -`, one recording after the other."""
    results = {}
    start = time.monotonic()
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                done = subprocess.run([PROGRAM, "replay", "-", *OPTIONS], stdin=file, capture_output=True, check=False)
        except FileNotFoundError:
            results[name] = 66, b"", "No such file or directory"
        else:
            results[name] = done.returncode, done.stdout.partition(b"\n")[2], done.stderr.decode().strip()
    print("test-spark: %-52s %7.2f s" % ("parallax replay - in a loop of Python", time.monotonic() - start))
    return results


def read_tables(output, environment):
    """Returns the tables that the job wrote: {name: rows as text}, [recordings], [failures]."""
    os.environ.update(environment)
    from pyspark.sql import SparkSession, functions as f
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.ui.showConsoleProgress", "false").config("spark.driver.maxResultSize", "2g").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    columns = ("t", "x", "y", "vx", "vy")
    rows = {}
    offsets = spark.read.parquet(output + "/offsets").orderBy("recording", "frame")
    for row in offsets.select("recording", "frame", f.struct(*columns)).toLocalIterator(prefetchPartitions=True):
        lines = rows.setdefault(row[0], [])
        assert row[1] == len(lines), "%s: frame %d after %d others" % (row[0], row[1], len(lines))
        lines.append(LINE % tuple(row[2]))
    done = [tuple(row) for row in spark.read.parquet(output + "/recordings").collect()]
    failures = [tuple(row) for row in spark.read.parquet(output + "/failures").collect()]
    spark.stop()
    return {name: "".join(line + "\n" for line in lines).encode() for name, lines in rows.items()}, done, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recordings", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    given = parser.parse_args()
    passed = failed = 0

    def check(what, holds, detail=""):
        nonlocal passed, failed
        passed, failed = passed + bool(holds), failed + (not holds)
        print("test-spark: %s: %s" % (what, "ok" if holds else "FAILED %s" % detail), flush=True)

    with tempfile.TemporaryDirectory(prefix="plx") as folder:
        source, output = os.path.join(folder, "recordings"), os.path.join(folder, "tables")
        made = recordings.make(source, given.recordings, given.seed)
        print("test-spark: %d recordings, seed %d, %d MB" % (len(made), given.seed, sum(
            os.path.getsize(os.path.join(source, name)) for name in made if made[name] != "missing") / 1e6))
        expected = replay_here(source, made)
        timed("parallax replay FOLDER/*/*.csv -o TABLES", [
            PROGRAM, "replay", *(os.path.join(source, name) for name in made), *OPTIONS, "-o",
            os.path.join(folder, "here")], stderr=subprocess.DEVNULL)
        with cluster(folder) as (address, environment, programs):
            before = seconds_spent(programs)
            result = timed("replay_job.py on two workers, its start included", [
                os.path.join(environment["SPARK_HOME"], "bin/spark-submit"), "--master", address,
                "--conf", "spark.ui.enabled=false", "--conf", "spark.executor.memory=700m", JOB, source, output,
                "--parallax", PROGRAM, "--", *OPTIONS], env=environment, capture_output=True, text=True)
            # The executors' processes end after the job.
            time.sleep(3)
            print("test-spark: %-52s %7.2f s" % ("its CPU, without Python's", seconds_spent(programs) - before))
            print("".join("test-spark: %s\n" % line for line in result.stdout.splitlines()), end="")
            check("the job ends well", result.returncode == 0, result.stderr[-3000:])
            with open(os.path.join(folder, "master.log"), encoding="utf-8") as log:
                executors = set(re.findall(r"Launching executor (\S+) on worker", log.read()))
            check("two executors", len(executors) == 2, executors)
            again = timed(None, [
                os.path.join(environment["SPARK_HOME"], "bin/spark-submit"), "--master", address, JOB, source, output,
                "--parallax", PROGRAM], env=environment, capture_output=True, text=True)
            check("it replaces no tables", again.returncode != 0 and ": exists; name a new folder" in again.stdout,
                  again.stdout + again.stderr[-2000:])
            wrong = timed(None, [
                os.path.join(environment["SPARK_HOME"], "bin/spark-submit"), "--master", address, JOB, source,
                output + "-2", "--parallax", PROGRAM, "--", "--rate", "fast"],
                env=environment, capture_output=True, text=True)
            check("a mistake in the options ends the job with its message",
                  wrong.returncode != 0 and "RuntimeError: parallax replay: " in wrong.stdout + wrong.stderr,
                  wrong.stdout + wrong.stderr[-2000:])
        rows, done, failures = read_tables(output, environment)

    different = [name for name in made if rows.get(name, b"") != expected[name][1]]
    check("%d recordings have the rows of parallax replay, %d bytes"
          % (len(made), sum(len(one[1]) for one in expected.values())), not different and not set(rows) - set(made),
          different[:5])
    check("each recording is in the table once", sorted(row[0] for row in done) == sorted(made))
    check("its frames are counted",
          all(frames == expected[name][1].count(b"\n") for name, frames, _, _ in done))
    broken = {name: kind for name, kind in made.items() if kind}
    check("%d failures, those that were broken" % len(recordings.BROKEN),
          sorted(row[0] for row in failures) == sorted(broken), failures)
    check("their exit codes and messages are those of parallax replay",
          all((code, message) == (expected[name][0], expected[name][2]) for name, code, message in failures), failures)
    check("a broken recording's good rows are kept",
          any(rows.get(name) for name, kind in broken.items() if kind == "word for a number"))
    for name, code, message in sorted(failures):
        print("  %-18s %d %s" % (broken.get(name), code, message[:90]))
    print("test-spark: %d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
