#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/compare-releases.py OLD NEW

Runs two builds of parallax and parallaxd side by side and compares everything a program may rely on:
tables of replay and preview, recordings, the configuration's text, the lines of both sockets, exit
codes. Times are masked. So is text for people: messages, help, logs and the `message` of ERROR.

OLD and NEW are directories with both programs. Prints each difference; exits with 1 if there is one.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRACES = os.path.join(ROOT, "Tests/Recordings")
# What differs between two runs of the same program.
MASKED = {"time", "uptime", "latency", "measured_rate", "message", "details", "note", "reason_text"}
failures = 0
compared = 0


def check(name, old, new):
    global failures, compared
    compared += 1
    if old == new:
        return
    failures += 1
    print("DIFFERENT: " + name)
    for left, right in zip(old, new):
        if left != right:
            print("  old: %.300r\n  new: %.300r" % (left, right))
            break
    else:
        print("  old has %d, new %d" % (len(old), len(new)))


def run(folder, program, arguments, **options):
    """Exit code, standard output, and whether anything was written to standard error."""
    home = options.pop("home")
    environment = dict(os.environ, XDG_RUNTIME_DIR=home, HOME="/nonexistent",
                       XDG_CONFIG_HOME="/nonexistent")
    result = subprocess.run([os.path.join(folder, program)] + arguments, env=environment,
                            capture_output=True, timeout=120, **options)
    output = result.stdout.replace(home.encode(), b"HOME")
    return [result.returncode, output, bool(result.stderr)]


def both(folders, name, arguments, program="parallax", **options):
    results = []
    for folder in folders:
        with tempfile.TemporaryDirectory() as home:
            results.append(run(folder, program, arguments, home=home, **options))
    check(name, *results)


def compare_replay(folders):
    golden = os.path.join(ROOT, "Tests/Golden/replay")
    for name in sorted(os.listdir(golden)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(golden, name)) as file:
            table = json.load(file)
        trace = ["replay", os.path.join(TRACES, table["trace"])] + table["options"].split()
        both(folders, "replay " + name, trace)
        both(folders, "replay ndjson " + name, trace + ["--format", "ndjson"])
        summaries = [
            subprocess.run([os.path.join(folder, "parallax")] + trace + ["--summary", "-o", "/dev/null"],
                           capture_output=True, text=True).stderr for folder in folders]
        check("replay --summary " + name, *[text.split("\n") for text in summaries])
    walk = os.path.join(TRACES, "phyphox-walk/Gyroscope.csv")
    for options in (
            "--bias auto", "--mode tilt --recenter 2", "--smoothing one-euro:1.5,0.1,2",
            "--smoothing spring:0.4,0.7", "--layers far=0.2,near=1 --format ndjson",
            "--reduce-motion", "--low-power", "--range-x=-3:8 --range-y=-20:1 --scale 9,4",
            "--mount-matrix 0,1,0;-1,0,0;0,0,1 --orientation left-up", "--resample hold --rate 50"):
        both(folders, "replay " + options, ["replay", walk] + options.split(" "))


def compare_preview(folders):
    documents = [os.path.join(ROOT, "examples/animations", name)
                 for name in sorted(os.listdir(os.path.join(ROOT, "examples/animations")))]
    for base, _, names in sorted(os.walk(os.path.join(ROOT, "Tests/Lottie/samples"))):
        documents += [os.path.join(base, name) for name in sorted(names) if name.endswith(".json")]
    for path in documents:
        for options in ([], ["--rate", "60", "--duration", "2"], ["--tracks"]):
            both(folders, "preview %s %s" % (os.path.basename(path), " ".join(options)),
                 ["preview", path] + options)


CONFIGURATION = """
[source]
kind = "synthetic"
[sampling]
rate = 60
[motion]
scale = "9,4"
range-x = "-20:20"
smoothing = "one-euro:1.5,0.1,2"
mount-matrix = "0,1,0;-1,0,0;0,0,1"
bias = "auto"
[layers]
far = 0.2
near = 1
[gates]
reduced = "subtle"
"""


def compare_configuration(folders):
    both(folders, "config show", ["config", "show"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p.toml")
        with open(path, "w") as file:
            file.write(CONFIGURATION)
        both(folders, "config show --config", ["config", "show", "--config", path])
        both(folders, "config check --config", ["config", "check", "--config", path])
        with open(path, "a") as file:
            file.write("[motion2]\nscale = 1\n[socket]\naccess = 7\n")
        both(folders, "config check, bad", ["config", "check", "--config", path])
    both(folders, "config check, shipped",
         ["config", "check", "--config", os.path.join(ROOT, "config/parallax.toml")])


def compare_exit_codes(folders):
    walk = os.path.join(TRACES, "phyphox-walk/Gyroscope.csv")
    for line in (
            "", "nonsense", "replay", "replay --nonsense", "replay /nonexistent.csv",
            "replay %s --rate 0" % walk, "replay %s --range=5:-5" % walk,
            "replay %s --smoothing ema" % walk, "replay %s --mount-matrix 1,2,3" % walk,
            "replay %s --orientation upside" % walk, "replay %s -o /nonexistent/x.csv" % walk,
            "replay %s %s" % (walk, walk), "replay %s --speed 2" % walk,
            "replay %s --columns t=a,x=b" % walk, "replay /dev/null", "subscribe --count 1",
            "subscribe --class nonsense", "status", "set", "set nonsense 1", "set scale x",
            "set smoothing ema:0.1", "recenter", "reload", "play", "play /nonexistent.json", "stop",
            "inhibit -- true", "record", "record -o /nonexistent/r.csv --duration 1", "config",
            "config check --config /nonexistent", "preview", "preview /nonexistent.json", "agent x",
            "serve-animations /nonexistent", "run --source nonsense", "run --set", "--version",
            "replay --help", "devices --nonsense", "doctor --nonsense"):
        results = []
        for folder in folders:
            with tempfile.TemporaryDirectory() as home:
                results.append([run(folder, "parallax", line.split(), home=home)[0]])
        check("exit code of parallax " + line, *results)
    for line in ("--nonsense", "--config", "--config /nonexistent", "--set x", "--set motion.scale=x",
                 "--set source.kind=nonsense", "--version", "--help", "walk.csv"):
        results = []
        for folder in folders:
            with tempfile.TemporaryDirectory() as home:
                results.append([run(folder, "parallaxd", line.split(), home=home)[0]])
        check("exit code of parallaxd " + line, *results)


class Daemon:
    """parallaxd with a trace, its sockets in a directory of its own."""

    def __init__(self, folder, *settings):
        self.home = tempfile.TemporaryDirectory()
        self.stream, self.control = (os.path.join(self.home.name, name) for name in "sc")
        arguments = ["--set", "socket.path=" + self.stream, "--set", "socket.control=" + self.control]
        for setting in settings:
            arguments += ["--set", setting]
        self.process = subprocess.Popen([os.path.join(folder, "parallaxd")] + arguments,
                                        stderr=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.home.cleanup()

    def connect(self, path):
        for _ in range(500):
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(path)
                client.settimeout(20)
                return client.makefile("rwb")
            except OSError:
                client.close()
                time.sleep(0.01)
        sys.exit("compare: no daemon at " + path)


def masked(value):
    if isinstance(value, dict):
        return {key: "-" if key in MASKED else masked(each) for key, each in value.items()}
    return [masked(each) for each in value] if isinstance(value, list) else value


def lines(file, count):
    """Lines with what differs from run to run masked; keys stay in their order."""
    result = []
    while len(result) < count:
        line = file.readline()
        if not line:
            break
        result.append(json.dumps(masked(json.loads(line))))
    return result


REQUESTS = [
    '{"class":"STATUS","tag":1}', '{"class":"SET","key":"scale","value":"7"}',
    '{"class":"SET","key":"smoothing","value":"ema:0.2","tag":"a"}',
    '{"class":"SET","key":"smoothing","value":"nonsense"}', '{"class":"SET","key":"x","value":"1"}',
    '{"class":"SET","key":"reduce-motion","value":"on"}', '{"class":"STATUS"}',
    '{"class":"SET","key":"reduce-motion","value":"auto"}', '{"class":"RECENTER"}',
    '{"class":"INHIBIT","reason":"password"}', '{"class":"INHIBIT","reason":"PASS WORD"}',
    '{"class":"AGENT","reduce_motion":true,"orientation":"left-up"}', '{"class":"STATUS"}',
    '{"class":"AGENT","reduce_motion":false,"orientation":null}', '{"class":"RELOAD","tag":9}',
    '{"class":"PLAY","id":"nothing-here"}', '{"class":"STOP"}', '{"class":"STOP","id":"x"}',
    '{"class":"NONSENSE","tag":2}', 'no JSON', '{"class":"PLAY","document":{"parallax":1}}',
]
STREAM_REQUESTS = [
    '{"class":"WATCH","rate":10,"layers":{"bg":0.2,"fg":1}}', '{"class":"WATCH","on_change":true}',
    '{"class":"WATCH","on_change":0.5,"orientation":"left-up"}', '{"class":"WATCH","rate":-1}',
    '{"class":"NONSENSE"}', '{"class":"WATCH","enable":false}', '{"class":"POLL"}',
]


def compare_daemon(folders):
    walk = os.path.join(TRACES, "phyphox-walk/Gyroscope.csv")
    for settings in (
            ["motion.mode=rate"], ["motion.mode=tilt", "motion.recenter=2"],
            ["layers.far=0.2", "layers.near=1", "motion.smoothing=spring:0.4"],
            ["gates.reduce-motion=on", "gates.reduced=subtle"], ["gates.low-power=on"],
            ["sampling.rate=60", "motion.bias=auto", "motion.scale=9,4"]):
        results = []
        for folder in folders:
            with Daemon(folder, "source.kind=trace", "source.trace=" + walk, *settings) as daemon:
                results.append(lines(daemon.connect(daemon.stream), 2 if "low-power" in settings[0] else 90))
        check("stream with " + " ".join(settings), *results)

    answers, seen, recordings = [], [], []
    for folder in folders:
        with Daemon(folder, "source.kind=trace", "source.trace=" + walk) as daemon:
            control = daemon.connect(daemon.control)
            got = []
            for request in REQUESTS:
                control.write(request.encode() + b"\n")
                control.flush()
                got += lines(control, 1)
            answers.append(got)
        with Daemon(folder, "source.kind=synthetic") as daemon:
            stream = daemon.connect(daemon.stream)
            got = []
            for request in STREAM_REQUESTS:
                stream.write(request.encode() + b"\n")
                stream.flush()
                line = ""
                while not line.startswith(('{"class": "WATCH"', '{"class": "ERROR"', '{"class": "GATE"')):
                    line = (lines(stream, 1) or ["{}"])[0]
                    if line == "{}":
                        break
                got.append(line)
            seen.append(got)
        with Daemon(folder, "source.kind=trace", "source.trace=" + walk) as daemon:
            control = daemon.connect(daemon.control)
            control.write(b'{"class":"RECORD","tag":3}\n')
            control.flush()
            recordings.append(lines(control, 200))
    check("control socket", *answers)
    check("stream requests", *seen)
    check("RECORD", *recordings)

    files = []
    for folder in folders:
        with Daemon(folder, "source.kind=trace", "source.trace=" + walk) as daemon:
            daemon.connect(daemon.control).close()
            path = os.path.join(daemon.home.name, "r.csv")
            subprocess.run([os.path.join(folder, "parallax"), "record", "--control", daemon.control,
                            "-o", path, "--duration", "1"], stderr=subprocess.DEVNULL)
            with open(path) as file:
                text = file.read().split("\n")
            files.append(text[:80])
    check("file of parallax record", *files)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folders = [os.path.abspath(path) for path in sys.argv[1:]]
    compare_exit_codes(folders)
    compare_configuration(folders)
    compare_preview(folders)
    compare_replay(folders)
    compare_daemon(folders)
    print("compare: %d compared, %d different" % (compared, failures))
    sys.exit(failures > 0)


main()
