# SPDX-License-Identifier: Apache-2.0
"""Replays a folder of recordings on a Spark cluster: `parallax replay -` in the executors, a task a recording.

    spark-submit replay_job.py [--glob GLOB] [--parallax PATH] [--buckets N] FOLDER OUTPUT [-- REPLAY-OPTION ...]

FOLDER is one that the driver and all executors mount; OUTPUT is a folder or an address that Spark can write, and
does not exist. README.md beside this file describes the tables.
"""
import argparse
import errno
import os
import pathlib
import subprocess
import sys
import tempfile

PIECE_BYTES = 1 << 20
MESSAGE_BYTES = 1 << 16
# A mistake in the options or in a configuration file, which every recording would repeat.
USAGE, CONFIGURATION = 64, 78
INVALID, NO_INPUT, CANNOT_CREATE, READ_FAILED, NO_PERMISSION = 65, 66, 73, 74, 77
# What would change the table, or send it elsewhere.
REFUSED = {"-o", "--output", "--format", "--summary", "--realtime", "--speed", "--loop", "--compare"}
# Sensor Logger gives all its files the same header. `parallax replay FILE` sees the name, standard input has none.
OTHER_SENSORS = ("accel", "gravity", "magnet")


def replay(folder, name, program, options):
    """Yields the pieces of one recording: (name, first frame, lines, None, None), and last
    (name, frames, None, exit code, message)."""
    frames = 0
    other = next((word for word in OTHER_SENSORS if word in os.path.basename(name).lower()), None)
    if other:
        yield name, 0, None, INVALID, "the name says %s...: select the gyroscope's files with --glob" % other
        return
    try:
        recording = open(os.path.join(folder, name), "rb")
    except OSError as error:
        code = {errno.ENOENT: NO_INPUT, errno.EACCES: NO_PERMISSION}.get(error.errno, READ_FAILED)
        yield name, 0, None, code, error.strerror
        return
    with recording, tempfile.TemporaryFile() as errors:
        # An executor without the program ends the job: OSError.
        with subprocess.Popen([program, "replay", "-", *options], stdin=recording, stdout=subprocess.PIPE,
                              stderr=errors) as process:
            process.stdout.readline()
            rest = b""
            while block := process.stdout.read(PIECE_BYTES):
                # Without what follows the last newline: a line cut short is not a frame.
                lines, newline, rest = (rest + block).rpartition(b"\n")
                if newline:
                    yield name, frames, lines.decode(), None, None
                    frames += lines.count(b"\n") + 1
        errors.seek(0)
        message = errors.read(MESSAGE_BYTES).decode(errors="replace").strip()
    code = process.returncode
    if code in (USAGE, CONFIGURATION):
        raise RuntimeError("parallax replay: " + message)
    # As a shell writes it.
    yield name, frames, None, code if code >= 0 else 128 - code, message or None


def write_tables(spark, folder, names, output, program, options, buckets):
    """Writes OUTPUT/offsets, OUTPUT/recordings and OUTPUT/failures. Returns the numbers of frames and failures."""
    from pyspark import StorageLevel
    from pyspark.sql import functions as f

    pieces = spark.createDataFrame(
        spark.sparkContext.parallelize(names, len(names)).flatMap(
            lambda name: replay(folder, name, program, options)),
        "recording string, frame long, lines string, exit_code int, message string")
    # Three tables, one replay. The driver holds a row for each recording.
    pieces.persist(StorageLevel.DISK_ONLY)
    ends = pieces.where("exit_code is not null").select("recording", "frame", "exit_code", "message").collect()
    columns = ["t", "x", "y"] + (["vx", "vy"] if "--velocity" in options else [])
    fields = f.split("line", ",")
    offsets = (
        # What the tasks have left is read by few: a task costs more than its piece.
        pieces.coalesce(max(buckets, 2 * spark.sparkContext.defaultParallelism)).where("lines is not null")
        .select("recording", "frame", f.posexplode(f.split("lines", "\n")).alias("place", "line"))
        .select("recording", (f.col("frame") + f.col("place")).alias("frame"),
                *(fields[index].cast("double").alias(column) for index, column in enumerate(columns)),
                (f.crc32("recording") % buckets).cast("int").alias("bucket")))
    (offsets.repartition(buckets, "bucket").sortWithinPartitions("bucket", "recording", "frame")
     .write.partitionBy("bucket").parquet(output + "/offsets"))
    failures = [(name, code, message) for name, _, code, message in ends if code != 0]
    for rows, table, schema in (
            (ends, "recordings", "recording string, frames long, exit_code int, message string"),
            (failures, "failures", "recording string, exit_code int, message string")):
        spark.createDataFrame(rows, schema).coalesce(1).write.parquet("%s/%s" % (output, table))
    return sum(row[1] for row in ends), len(failures)


def exists(spark, address):
    """Whether the address exists. Spark itself looks only after the work."""
    path = spark._jvm.org.apache.hadoop.fs.Path(address)
    return path.getFileSystem(spark._jsc.hadoopConfiguration()).exists(path)


def main():
    arguments = sys.argv[1:]
    own, options = arguments, []
    if "--" in arguments:
        own, options = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parser = argparse.ArgumentParser(
        prog="replay_job.py", description="Replay a folder of recordings on a Spark cluster.",
        usage="%(prog)s [options] FOLDER OUTPUT [-- REPLAY-OPTION ...]")
    parser.add_argument("folder", metavar="FOLDER", help="folder of recordings, which all executors mount")
    parser.add_argument("output", metavar="OUTPUT", help="new folder or address for the tables")
    parser.add_argument("--glob", default="**/*.csv", help="recordings below FOLDER (default: %(default)s)")
    parser.add_argument("--parallax", default="parallax", metavar="PATH", help="the program on the executors")
    parser.add_argument("--buckets", type=int, default=16, metavar="N",
                        help="partitions of the offsets (default: %(default)s)")
    given = parser.parse_args(own)
    refused = [option for option in options
               if option.split("=")[0] in REFUSED or option.startswith("--plot")]
    if refused:
        parser.error("%s: has no use in this job; omit it" % refused[0])
    if given.buckets < 1:
        parser.error("--buckets: must be at least 1")
    folder = pathlib.Path(given.folder).absolute()
    names = sorted(str(path.relative_to(folder)) for path in folder.glob(given.glob) if not path.is_dir())
    if not names:
        print("replay_job.py: %s: no recording matches %s" % (folder, given.glob), file=sys.stderr)
        return NO_INPUT

    from pyspark.sql import SparkSession
    # With ANSI rules a field that is not a number ends the job; otherwise it would become null.
    spark = (SparkSession.builder.appName("parallax replay").config("spark.sql.ansi.enabled", "true").getOrCreate())
    output = given.output.rstrip("/")
    if exists(spark, output):
        print("replay_job.py: %s: exists; name a new folder" % output, file=sys.stderr)
        return CANNOT_CREATE
    frames, failures = write_tables(
        spark, str(folder), names, output, given.parallax, options, given.buckets)
    print("%d recordings, %d frames, %d failures" % (len(names), frames, failures))
    spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
