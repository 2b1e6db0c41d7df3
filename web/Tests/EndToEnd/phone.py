# SPDX-License-Identifier: Apache-2.0
"""`parallax-web phone`, and a phone that sends to it."""
import http.client
import json
import os
import re
import ssl

from programs import PARALLAX, PROGRAMS, ROOT, Program, wait

PHONE = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"


class PhoneServer(Program):
    """parallax-web for phones on 127.0.0.1, on a free port."""

    def __init__(self, folder, daemon, *options, command=None, port=0, **environment):
        command = command or [os.path.join(PROGRAMS, "parallax-web"), "phone"]
        super().__init__(
            folder, command + ["--port", str(port), "--address", "127.0.0.1", "--files", os.path.join(ROOT, "web/page"),
                               "--socket", daemon.stream, "--control", daemon.control, *options],
            name="phone", PATH=os.path.dirname(PARALLAX) + ":" + os.environ["PATH"],
            **{"XDG_STATE_HOME": "", **environment})
        self.output = ""
        while "Ctrl-C" not in self.output:
            line = self.process.stdout.readline().decode()
            assert line, self.output + self.log_text()
            self.output += line
        self.address = re.search(r"https://\S+", self.output).group(0)
        self.base, self.token = re.fullmatch(r"(https://127\.0\.0\.1:\d+)/#([0-9a-f]{32})", self.address).groups()
        self.push = re.search(r"http://\S+", self.output).group(0)
        self.fingerprint = re.search(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}", self.output).group(0)
        self.port = int(self.base.rsplit(":", 1)[1])

    def wait_log(self, text):
        wait("%r in the log" % text, lambda: text in self.log_text())

    def connect(self, encrypted=True):
        if not encrypted:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=20, context=ssl._create_unverified_context())

    def ask(self, path, method="GET", body=None, encrypted=True, connection=None, **fields):
        """The status, the fields and the body of an answer. Fields with None are not sent."""
        own = connection or self.connect(encrypted)
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if method == "POST":
            fields = {"Origin": self.base, "Authorization": "Bearer " + self.token, "Parallax-Phone": PHONE, **fields}
        own.request(method, path, body=body, headers={k: v for k, v in fields.items() if v is not None})
        answer = own.getresponse()
        text = answer.read()
        if not connection:
            own.close()
        return answer.status, dict(answer.getheaders()), text

    def samples(self, *rows, **options):
        """Posts samples as the page does. Returns the status and the object in the answer."""
        line = json.dumps({"class": "SAMPLES", "samples": rows or [[1, 0, 0, 0]]})
        status, _, body = self.ask("/samples", "POST", line, **options)
        return status, json.loads(body)
