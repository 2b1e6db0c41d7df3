# SPDX-License-Identifier: Apache-2.0
"""The clients under test. Each has a driver, a small program that prints in one common form what it sees.

`DRIVER table` reads `reset`, `line LINE` and `at SECONDS`, and prints an offset or null for each `at`. `DRIVER stream`
connects, prints {"state": ...}, {"message": ...}, {"at": ...} and {"error": ...}, and obeys `watch FIELDS`, `poll`,
`at [SECONDS]` and `close`. $DRIVER_WATCH has the fields of the first WATCH, $DRIVER_BACKOFF the bounds of the waits in
seconds, or `never`.

`DRIVER feed` sends samples, with the name $DRIVER_FEED and, where they are set, $DRIVER_CLOCK, $DRIVER_RATE and
$DRIVER_MATRIX. It prints {"state": ...}, {"message": ...} and {"error": CODE, "text": ...}, and obeys `close`,
`sample [TIME] X Y Z`, `samples TIME X Y Z ...` and `flood MOST`, which sends samples until one is dropped: these print
{"sent": NUMBER}. `wanted` prints {"wanted": ...}."""
import json
import os
import queue
import shutil
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
#: A case fails after this many seconds without the line that it waits for.
PATIENCE = 30


class Client:
    """A driver's commands. `program` is looked for in the PATH; `build` is run once, before the first case, and
    `checks` are the client's own tests."""

    def __init__(self, name, program, table, stream, feed=None, build=None, environment=None, sees_messages=True,
                 checks=(), unknown_state=None, example=None):
        self.name = name
        self.program = program
        self.commands = {"table": table, "stream": stream, "feed": feed}
        self.build = build
        self.checks = checks
        self.environment = environment or {}
        #: False: it shows properties rather than messages.
        self.sees_messages = sees_messages
        #: Of the README's example that sends samples: the README, the heading above it, the name of its file, and the
        #: command that runs it.
        self.example = example
        #: What it shows for a state of DEVICE that it does not know; None: the word itself.
        self.unknown_state = unknown_state

    def missing(self):
        """Why it cannot run here; None if it can."""
        return None if shutil.which(self.program) else "no %s" % self.program

    def has(self, what):
        """Returns whether a case that needs `checks`, `table`, `messages`, `properties`, `feed` or `example` is for it."""
        return bool({"checks": self.checks, "table": self.commands["table"], "messages": self.sees_messages,
                     "properties": not self.sees_messages, "feed": self.commands["feed"],
                     "example": self.example}[what])

    def run_table(self, text):
        """Returns the offsets that the driver prints for the commands of `text`."""
        result = subprocess.run(
            self.commands["table"], input=text, env={**os.environ, **self.environment}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True, timeout=300)
        assert result.returncode == 0, result.stderr[-1000:]
        return [json.loads(line) for line in result.stdout.splitlines()]


def within(*parts):
    return os.path.join(ROOT, "clients", *parts)


PYTHON = {"PYTHONPATH": within("python", "src"), "PYTHONDONTWRITEBYTECODE": "1"}
QML = within("qml/build")
SAMPLES = "## Samples for the daemon"
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all"
SWIFT = os.path.join(ROOT, ".build/debug/ConformanceDriver")
CLIENTS = [
    Client("swift", "swift", [SWIFT, "table"], [SWIFT, "stream"],
           build=["env", "PARALLAX_CONFORMANCE=1", "swift", "build", "--package-path", ROOT, "--product",
                  "ConformanceDriver"],
           unknown_state="none"),
    Client("python", "python3", ["python3", within("python/tests/driver.py"), "table"],
           ["python3", within("python/tests/driver.py"), "stream"],
           ["python3", within("python/tests/driver.py"), "feed"], environment=PYTHON,
           example=("python/README.md", SAMPLES, "feed.py", "python3 feed.py"),
           checks=[["python3", "-m", "unittest", "discover", "-s", within("python/tests"), "-p", "test_*.py"],
                   ["sh", "-c", "cd '%s' && mypy --cache-dir=/dev/null" % within("python")]]),
    Client("asyncio", "python3", ["python3", within("python/tests/driver.py"), "table"],
           ["python3", within("python/tests/driver.py"), "aio"],
           ["python3", within("python/tests/driver.py"), "aio-feed"], environment=PYTHON,
           example=("python/README.md", "### Samples with asyncio", "feed.py", "python3 feed.py")),
    Client("javascript", "node", ["node", within("javascript/tests/driver.mjs"), "table"],
           ["node", within("javascript/tests/driver.mjs"), "stream"],
           ["node", within("javascript/tests/driver.mjs"), "feed"],
           example=("javascript/README.md", SAMPLES, "feed.mjs",
                    "mkdir node_modules && ln -s '%s' node_modules/parallax-client && exec node feed.mjs"
                    % within("javascript")),
           checks=[["node", "--test", within("javascript/tests/core.test.mjs"),
                    within("javascript/tests/page.test.mjs")], ["tsc", "-p", within("javascript")]]),
    # With the sanitizers: what they find ends the driver.
    Client("c", "cc", [within("c/build/sanitized/driver"), "table"], [within("c/build/sanitized/driver"), "stream"],
           [within("c/build/sanitized/driver"), "feed"],
           example=("c/README.md", SAMPLES, "feed.c",
                    "cc -std=c11 -Wall -Wextra -Werror %s -I '%s' -o feed feed.c '%s' -lm && exec ./feed"
                    % (SANITIZERS, within("c"), within("c/build/sanitized/libparallax.a"))),
           build=["make", "--silent", "-C", within("c"), "BUILD=build/sanitized",
                  "CFLAGS=-O1 -g -Werror " + SANITIZERS],
           checks=[["make", "--silent", "-C", within("c"), "fuzz", "FUZZ=50000"], ["sh", within("c/tests/installed")]]),
    Client("gjs", "gjs", ["gjs", "-m", within("gjs/tests/driver.js"), "table"],
           ["gjs", "-m", within("gjs/tests/driver.js"), "stream"], ["gjs", "-m", within("gjs/tests/driver.js"), "feed"],
           example=("gjs/README.md", SAMPLES, "feeder.js", "cp '%s'/*.js . && exec gjs -m feeder.js" % within("gjs"))),
    # Its timeline is that of C; it shows properties, and the frames.
    Client("qml", "cmake", None, [QML + "/parallax-qml-driver", "stream"],
           build=["sh", "-c", "cmake -S '%s' -B '%s' -DCMAKE_BUILD_TYPE=Debug && cmake --build '%s'" % (
               within("qml"), QML, QML)],
           environment={"QT_QPA_PLATFORM": "offscreen", "QML_IMPORT_PATH": QML}, sees_messages=False,
           checks=[["sh", within("qml/tests/lint"), QML]]),
]


class Driver:
    """A running driver in `stream` mode, or in `feed` mode with the variables of `feed`."""

    def __init__(self, client, environment, watch=None, backoff="0.02:0.2", feed=None):
        values = {name: value for name, value in os.environ.items() if not name.startswith("PARALLAX_")}
        values.update(client.environment)
        values.update(environment)
        values["DRIVER_BACKOFF"] = backoff
        if watch is not None:
            values["DRIVER_WATCH"] = json.dumps(watch)
        values.update(feed or {})
        self.process = subprocess.Popen(
            client.commands["feed" if feed else "stream"], env=values, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True, bufsize=1)
        self.lines = queue.Queue()
        self.errors = []
        self.seen = []
        self.readers = [threading.Thread(target=self.read, daemon=True),
                        threading.Thread(target=self.read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def read(self):
        for line in self.process.stdout:
            try:
                self.lines.put(json.loads(line))
            except ValueError as error:
                self.errors.append("the driver printed what is not JSON: %s: %r" % (error, line[:200]))
                break
        self.lines.put(None)

    def read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def next(self):
        """Returns the driver's next line; None at its end."""
        try:
            value = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError("nothing came; before: %s %s" % (self.seen[-4:], self.errors[-6:])) from None
        self.seen.append(value)
        return value

    def until(self, fits, what):
        """Returns the next line that fits."""
        while True:
            value = self.next()
            assert value is not None, "the driver ended before %s: %s %s" % (what, self.seen[-4:], self.errors[-6:])
            if fits(value):
                return value

    def message(self, name=None):
        """Returns the next message, of that class."""
        return self.until(
            lambda value: "message" in value and name in (None, value["message"]["class"]), name or "a message")[
                "message"]

    def state(self, name):
        """Waits for a state of the connection."""
        self.until(lambda value: value.get("state") == name, "state " + name)

    def say(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()

    def at(self, seconds=None):
        """Returns the offset that it would draw at that instant; by default now."""
        self.say("at" if seconds is None else "at %r" % seconds)
        return self.until(lambda value: "at" in value, "an offset")["at"]

    def end(self):
        """Closes the stream; the driver ends without an error."""
        self.say("close")
        while self.next() is not None:
            pass
        assert self.process.wait(PATIENCE) == 0, "exit code %d: %s" % (self.process.returncode, self.errors[-6:])
