# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, controlled through a pipe by the DevTools protocol; needs nothing but the program."""
import base64
import json
import os
import select
import subprocess
import tempfile
import time

SECONDS = 60


class Browser:
    """One page of a new browser."""

    def __init__(self, program="chromium"):
        self.folder = tempfile.TemporaryDirectory(prefix="plx", ignore_cleanup_errors=True)
        commands, self.write_end = os.pipe()
        self.read_end, answers = os.pipe()
        options = ["--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                   "--hide-scrollbars", "--user-data-dir=" + self.folder.name]
        if os.geteuid() == 0:
            options.append("--no-sandbox")

        # The browser reads from 3 and writes to 4.
        ends = 'exec "$@" 3</dev/fd/%d 4>/dev/fd/%d' % (commands, answers)
        self.process = subprocess.Popen(
            ["sh", "-c", ends, "sh", program, *options, "about:blank"], pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.rest = b""
        self.count = 0
        self.session = None
        #: What the console, exceptions and the security policy have reported.
        self.problems = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.folder.cleanup()

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self.receive(end)
            if answer.get("id") == self.count:
                assert "error" not in answer, "%s: %s" % (method, answer["error"])
                return answer["result"]
            self.note(answer)

    def receive(self, end):
        while b"\0" not in self.rest:
            ready = select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]
            data = os.read(self.read_end, 65536) if ready else b""
            assert data, "the browser does not answer"
            self.rest += data
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message.decode())

    def note(self, event):
        name, fields = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(fields["exceptionDetails"])[:500])
        elif name == "Log.entryAdded" and fields["entry"]["level"] in ("error", "warning"):
            self.problems.append("%(level)s: %(text)s %(url)s" % {"url": "", **fields["entry"]})
        elif name == "Runtime.consoleAPICalled" and fields["type"] in ("error", "warning"):
            self.problems.append(json.dumps(fields["args"])[:500])

    def size(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def reduce_motion(self, is_on):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-reduced-motion", "value": "reduce" if is_on else "no-preference"}])

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, "%s: %s" % (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        """Waits until an expression is true; says what it was before."""
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, "not within %d s: %s" % (seconds, expression)
            time.sleep(0.05)

    def picture(self, path, quality=82):
        data = self.call("Page.captureScreenshot", format="webp", quality=quality)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
