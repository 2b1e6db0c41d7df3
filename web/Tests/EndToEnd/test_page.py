# SPDX-License-Identifier: Apache-2.0
"""`parallax-web page` with a daemon: who may ask what, the lines of both sockets, and replays."""
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import time
import unittest

from programs import PARALLAX, PROGRAMS, ROOT, Daemon, Folder, Program, wait

RECORDING = "t,x,y,z\n" + "".join(
    "%.3f,%.4f,%.4f,0\n" % (i / 100, 0.5 * (i % 50) / 50, -0.3) for i in range(300))


class PageServer(Program):
    """parallax-web with the page, on a free port."""

    def __init__(self, folder, daemon, *options, command=None, **environment):
        command = command or [os.path.join(PROGRAMS, "parallax-web"), "page"]
        super().__init__(
            folder, command + ["--port", "0", "--socket", daemon.stream, "--control", daemon.control, *options],
            PATH=os.path.dirname(PARALLAX) + ":" + os.environ["PATH"], **environment)
        line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"http://(127.0.0.1):(\d+)/#token=([0-9a-f]{32})\n", line)
        assert found, line + self.log_text()
        self.port, self.token = int(found.group(2)), found.group(3)
        self.host = "127.0.0.1:%d" % self.port

    def memory(self):
        """The resident memory in kB."""
        with open("/proc/%d/status" % self.process.pid) as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))


class Events:
    """A page's stream of events."""

    def __init__(self, server, size=None):
        self.socket = socket.socket()
        if size:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: %s\r\n\r\n" % server.host.encode())
        self.file = self.socket.makefile("rb")
        self.head = {}
        self.status = int(self.file.readline().split()[1])
        for line in iter(self.file.readline, b"\r\n"):
            name, value = line.decode().strip().split(": ", 1)
            self.head[name.lower()] = value

    def next(self):
        """The next line of the daemon."""
        for line in self.file:
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        raise AssertionError("the stream has ended")

    def until(self, name, **fields):
        """The lines up to one of this class with these fields."""
        lines = []
        while not lines or lines[-1]["class"] != name or any(lines[-1].get(k) != v for k, v in fields.items()):
            lines.append(self.next())
        return lines

    def close(self):
        self.file.close()
        self.socket.close()


class FakeDaemon:
    """A stream that a test writes."""

    def __init__(self, folder):
        self.stream, self.control = folder("fake.sock"), folder("none")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.stream)
        self.listener.listen()

    def accept(self):
        """A connection that has been greeted, and its request."""
        client, _ = self.listener.accept()
        request = client.recv(1000)
        send(client, {"class": "VERSION", "release": "0.1.0", "proto_major": 1, "proto_minor": 3})
        return client, json.loads(request)


def send(client, *lines):
    client.sendall("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode())


class PageTests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.daemon = self.start_daemon()
        self.server = self.start_server()

    def start_daemon(self):
        daemon = Daemon(self.folder, "source.kind=synthetic")
        self.addCleanup(daemon.kill)
        return daemon

    def start_server(self, *options, **named):
        server = PageServer(self.folder, self.daemon, *options, **named)
        self.addCleanup(server.kill)
        return server

    def events(self, **options):
        events = Events(self.server, **options)
        self.addCleanup(events.close)
        return events

    def ask(self, path, method="GET", body=None, token=True, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        self.addCleanup(connection.close)
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if token and method == "POST":
            fields.setdefault("Authorization", "Bearer " + self.server.token)
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        return answer, answer.read()

    def status(self):
        control = self.daemon.connect()
        try:
            return control.ask(**{"class": "STATUS"})
        finally:
            control.close()

    def control(self, *requests, **fields):
        """The answers of the daemon to requests, all sent at once."""
        text = "".join(json.dumps(request, separators=(",", ":")) + "\n" for request in requests)
        answer, body = self.ask("/control", "POST", text, **fields)
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "application/x-ndjson"), body)
        return [json.loads(line) for line in body.splitlines()]


SET = '{"class":"SET","key":"scale","value":9}'


def setting(key, value):
    return {"class": "SET", "key": key, "value": value}


class AccessTests(PageTests):
    PATHS = ["/", "/client/page.js", "/events", "/settings.json", "/nothing"]

    def test_every_answer_has_the_fields_for_security(self):
        for path in ["/", "/settings.json", "/nothing"]:
            answer, _ = self.ask(path)
            policy = answer.getheader("Content-Security-Policy")
            for rule in ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
                         "form-action 'none'"]:
                self.assertIn(rule, policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(answer.getheader("X-Content-Type-Options"), "nosniff")
            self.assertEqual(answer.getheader("Referrer-Policy"), "no-referrer")
            self.assertEqual(answer.getheader("Cross-Origin-Opener-Policy"), "same-origin")
            self.assertEqual(answer.getheader("Cross-Origin-Resource-Policy"), "same-origin")
            self.assertIsNone(answer.getheader("Access-Control-Allow-Origin"))

    def test_a_foreign_host_is_refused(self):
        for host in ["attacker.example", "attacker.example:%d" % self.server.port, "127.0.0.1", "0.0.0.0:80", ""]:
            for path in self.PATHS:
                answer, body = self.ask(path, Host=host)
                # A server may also find an empty Host malformed.
                self.assertIn(answer.status, [421] if host else [400, 421], (host, path))
                self.assertNotIn(b"class", body)
        answer, body = self.ask("/control", "POST", SET, Host="attacker.example")
        self.assertEqual((answer.status, body.count(b"\n")), (421, 1))
        self.assertEqual(self.status()["settings"]["scale"], 5)

    def test_two_hosts_are_refused(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: %s\r\nHost: attacker.example\r\n\r\n" % self.server.host.encode())
            self.assertIn(client.recv(100).split()[1], [b"400", b"421"])

    def test_a_foreign_origin_is_refused(self):
        for origin in ["http://attacker.example", "null", "https://" + self.server.host, "http://127.0.0.1:1"]:
            for path in self.PATHS:
                self.assertEqual(self.ask(path, Origin=origin)[0].status, 403, (origin, path))
            self.assertEqual(self.ask("/control", "POST", SET, Origin=origin)[0].status, 403)
        for origin in [self.server.host, "localhost:%d" % self.server.port]:
            self.assertEqual(self.ask("/", Origin="http://" + origin)[0].status, 200)
        self.assertEqual(self.status()["settings"]["scale"], 5)

    def test_other_sites_are_refused(self):
        for site, status in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]:
            self.assertEqual(self.ask("/events" if status == 403 else "/", Sec_Fetch_Site=site)[0].status, status, site)

    def test_what_controls_needs_the_token(self):
        wrong = "0" * 32
        for path in ["/control", "/configuration", "/replay?name=a.csv", "/nothing"]:
            for authorization in [None, "", wrong, "Bearer " + wrong, "Bearer ", "Basic " + self.server.token,
                                  "Bearer " + self.server.token[:-1], self.server.token]:
                fields = {} if authorization is None else {"Authorization": authorization}
                answer, body = self.ask(path, "POST", SET, token=False, **fields)
                self.assertEqual(answer.status, 401, (path, authorization))
                self.assertIn("token", json.loads(body)["error"])
        status = self.status()
        self.assertEqual(status["settings"]["scale"], 5)
        self.assertNotIn("overrides", status)

    def test_only_three_requests_are_relayed(self):
        refused = [{"class": name} for name in ("RELOAD", "RECORD", "INHIBIT", "AGENT", "STOP", "PLAY", "SETX", "")]
        for text in [json.dumps(one, separators=(",", ":")) for one in refused] + [
                "", "\n", "x", "[]", '{"class": "STATUS"}', '{"key":"scale","class":"SET"}', '{"class":"STATUS"',
                SET + "\n" + '{"class":"RELOAD"}', "\x00" + SET, "[" * 50000, (SET + "\n") * 65]:
            answer, body = self.ask("/control", "POST", text)
            self.assertEqual(answer.status, 400, text[:50])
            self.assertIn("STATUS, SET, RECENTER", json.loads(body)["error"])
        self.assertNotIn("overrides", self.status())

    def test_a_request_has_one_class(self):
        """What parallax-web takes for the class is what the daemon takes for it."""
        for text in ['{"class":"STATUS","class":"RELOAD"}', '{"class":"STATUS","cl\\u0061ss":"RELOAD"}',
                     '{"class":"STATUS"}{"class":"RELOAD"}']:
            answer, body = self.ask("/control", "POST", text)
            self.assertIn(answer.status, (200, 400))
            if answer.status == 200:
                self.assertEqual((json.loads(body)["class"], json.loads(body)["code"]), ("ERROR", "bad-request"), text)

    def test_the_token_is_new_at_every_start(self):
        self.assertNotEqual(self.server.token, self.start_server().token)

    def test_nothing_but_the_page_is_served(self):
        for path in ["/..", "/../Package.swift", "/%2e%2e/Package.swift", "/..%2fPackage.swift", "//etc/passwd",
                     "/etc/passwd", "/client/../../README.md", "/client/", "/client/README.md", "/client/node.d.ts",
                     "/client/tests/driver.mjs", "/.git/config", "/index.html/", "/./index.html", "/%69ndex.html",
                     "/client/..%2f..%2fPackage.swift", "/page.css%00", "/" + "a" * 4000]:
            answer, body = self.ask(path)
            self.assertEqual(answer.status, 404, path)
            self.assertEqual(list(json.loads(body)), ["error"])
        for method in ["PUT", "DELETE", "OPTIONS", "PATCH"]:
            self.assertEqual(self.ask("/", method)[0].status, 401)
            answer, _ = self.ask("/", method, Authorization="Bearer " + self.server.token)
            self.assertEqual((answer.status, answer.getheader("Allow")), (405, "GET, HEAD, POST"))

    def test_other_names(self):
        self.server = self.start_server("--allow-host", "board", "--allow-host", "kiosk:8443")
        for host in ["board:%d" % self.server.port, "kiosk:8443", self.server.host]:
            self.assertEqual(self.ask("/", Host=host)[0].status, 200, host)
        for host in ["board", "kiosk", "kiosk:%d" % self.server.port]:
            self.assertEqual(self.ask("/", Host=host)[0].status, 421, host)

    def test_other_addresses(self):
        self.server = self.start_server("--host", "0.0.0.0", "--allow-host", "192.0.2.7")
        port = self.server.port
        for host, status in [("127.0.0.1:%d", 200), ("192.0.2.7:%d", 200), ("0.0.0.0:%d", 421), ("192.0.2.8:%d", 421)]:
            self.assertEqual(self.ask("/", Host=host % port)[0].status, status, host)

    def test_it_listens_only_on_the_loopback_interface(self):
        with open("/proc/net/tcp") as table:
            rows = [line.split() for line in table]
        addresses = [row[1] for row in rows if row[1].endswith(":%04X" % self.server.port) and row[3] == "0A"]
        self.assertEqual(addresses, ["0100007F:%04X" % self.server.port])

    def test_bodies_are_bounded(self):
        answer, body = self.ask("/control", "POST", " " * (1 << 20))
        self.assertEqual(answer.status, 413, body)
        # The server answers before it reads, and closes.
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as client:
            client.sendall(b"POST /replay?name=a.csv HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                           b"Content-Length: 67108865\r\n\r\n" % (self.server.host.encode(), self.server.token.encode()))
            self.assertIn(b"413", client.recv(100))
        self.assertEqual(self.ask("/")[0].status, 200)
        before = self.server.memory()
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as client:
            client.sendall(b"POST /control HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n" % (self.server.host.encode(), self.server.token.encode()))
            try:
                for _ in range(512):
                    client.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
            except OSError:
                pass
        self.assertLess(self.server.memory() - before, 16 << 10)
        self.assertEqual(self.ask("/")[0].status, 200)


class StaticTests(PageTests):
    def test_the_page_and_the_client(self):
        answer, body = self.ask("/")
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "text/html; charset=utf-8"))
        with open(os.path.join(ROOT, "web/page/index.html"), "rb") as file:
            self.assertEqual(body, file.read())
        for name in ["page.js", "stream.js", "parallax.js"]:
            answer, body = self.ask("/client/" + name)
            self.assertEqual(answer.getheader("Content-Type"), "text/javascript; charset=utf-8")
            with open(os.path.join(ROOT, "clients/javascript", name), "rb") as file:
                self.assertEqual(body, file.read())

    def test_unchanged_files_are_not_sent_again(self):
        tag = self.ask("/")[0].getheader("ETag")
        answer, body = self.ask("/", If_None_Match=tag)
        self.assertEqual((answer.status, body, answer.getheader("ETag")), (304, b"", tag))
        answer, body = self.ask("/", "HEAD")
        self.assertEqual((answer.status, body, answer.getheader("ETag")), (200, b"", tag))

    def test_other_files(self):
        self.folder.write("page/index.html", "<!doctype html><title>mine</title>")
        self.folder.write("page/a.css", "b{}")
        self.server = self.start_server("--files", self.folder("page"))
        self.assertIn(b"mine", self.ask("/")[1])
        self.assertEqual(self.ask("/a.css")[1], b"b{}")
        self.assertEqual(self.ask("/client/page.js")[0].status, 200)


class EventTests(PageTests):
    def test_a_page_is_greeted_and_follows(self):
        events = self.events()
        self.assertEqual((events.status, events.head["content-type"]), (200, "text/event-stream"))
        self.assertEqual(events.head["cache-control"], "no-store")
        lines = events.until("OFFSET")
        self.assertEqual([lines[0]["class"], lines[1]["class"]], ["CLOCK", "VERSION"])
        self.assertAlmostEqual(lines[0]["time"], time.clock_gettime(time.CLOCK_MONOTONIC), delta=5)
        self.assertEqual({line["class"] for line in lines} & {"DEVICE", "GATE"}, {"DEVICE", "GATE"})
        offsets = [line for line in (events.next() for _ in range(20)) if line["class"] == "OFFSET"]
        sequence = [line["seq"] for line in offsets]
        self.assertEqual(sequence, sorted(set(sequence)))

    def test_each_page_is_a_subscriber(self):
        self.assertEqual(self.status()["subscribers"], 0)
        pages = [self.events() for _ in range(10)]
        for page in pages:
            page.until("OFFSET")
        self.assertEqual(self.status()["subscribers"], 10)
        for page in pages[:-1]:
            page.close()
        wait("one subscriber is left", lambda: self.status()["subscribers"] == 1)
        pages[-1].until("OFFSET")
        pages[-1].close()
        wait("no subscriber is left", lambda: self.status()["subscribers"] == 0)

    def test_a_daemon_that_refuses(self):
        source = FakeDaemon(self.folder)
        self.addCleanup(source.listener.close)
        self.server = PageServer(self.folder, source)
        self.addCleanup(self.server.kill)
        events = self.events()
        client, _ = source.accept()
        send(client, {"class": "ERROR", "message": "you have too many connections", "code": "too-many"})
        client.close()
        lines = [line for line in events.until("ERROR", code="unavailable") if line["class"] == "ERROR"]
        self.assertEqual([line["code"] for line in lines], ["too-many", "unavailable"])

    def test_a_page_that_leaves_at_rest_is_noticed(self):
        self.control(setting("paused", True))
        events = self.events()
        events.until("GATE", open=False)
        self.assertEqual(self.status()["subscribers"], 1)
        events.close()
        wait("no subscriber is left", lambda: self.status()["subscribers"] == 0)

    def test_the_time_comes_before_a_line(self):
        source = FakeDaemon(self.folder)
        self.addCleanup(source.listener.close)
        self.server = PageServer(self.folder, source)
        self.addCleanup(self.server.kill)
        events = self.events()
        client, request = source.accept()
        self.addCleanup(client.close)
        self.assertEqual(request, {"class": "WATCH", "rate": 60, "on_change": 0.01})
        self.assertEqual([events.next()["class"] for _ in range(2)], ["CLOCK", "VERSION"])
        time.sleep(6)
        send(client, {"class": "GATE", "open": True, "gain": 1, "reasons": []})
        self.assertEqual([events.next()["class"] for _ in range(2)], ["CLOCK", "GATE"])

    def test_a_slow_page_costs_no_memory_and_delays_no_one(self):
        """What the page does not take stays with the daemon, which keeps the newest offsets."""
        source = FakeDaemon(self.folder)
        self.addCleanup(source.listener.close)
        self.server = PageServer(self.folder, source)
        self.addCleanup(self.server.kill)
        slow = self.events(size=2048)
        to_slow, _ = source.accept()
        self.addCleanup(to_slow.close)
        fast = self.events()
        to_fast, _ = source.accept()
        self.addCleanup(to_fast.close)
        slow.until("VERSION")
        fast.until("VERSION")
        before = self.server.memory()
        line = {"class": "OFFSET", "seq": 0, "x": 0, "y": 0, "name": "x" * 4096}
        to_slow.setblocking(False)
        sent = 0
        text = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        # 64 MiB are more than the buffers of all connections hold.
        while sent < 64 << 20:
            try:
                sent += to_slow.send(text[sent % len(text):])
            except BlockingIOError:
                if not select.select([], [to_slow], [], 1)[1]:
                    break
        self.assertLess(sent, 32 << 20)
        for number in range(500):
            send(to_fast, {**line, "seq": number})
            self.assertEqual(fast.until("OFFSET")[-1]["seq"], number)
        self.assertLess(self.server.memory() - before, 4096)
        # Nothing of what was sent is lost.
        for _ in range(sent // len(text)):
            slow.until("OFFSET")

    def test_the_daemon_goes_and_comes_back(self):
        events = self.events()
        events.until("OFFSET")
        self.daemon.kill()
        self.assertIn("the daemon", events.until("ERROR", code="unavailable")[-1]["message"])
        self.assertTrue(events.file.read().endswith(b"0\r\n\r\n"))
        late = self.events()
        self.assertIn("no daemon answers", late.until("ERROR", code="unavailable")[-1]["message"])
        answer, body = self.ask("/control", "POST", SET)
        self.assertEqual(answer.status, 503)
        self.assertIn("no daemon answers", json.loads(body)["error"])
        self.assertEqual(self.ask("/")[0].status, 200)
        self.daemon = self.start_daemon()
        self.events().until("OFFSET")

    def test_it_exits_at_once(self):
        pages = [self.events() for _ in range(5)]
        pages[0].until("OFFSET")
        code, seconds = self.server.end(signal.SIGTERM)
        self.assertEqual(code, 0)
        self.assertLess(seconds, 5)
        wait("no subscriber is left", lambda: self.status()["subscribers"] == 0)


class ControlTests(PageTests):
    def test_the_schema_has_every_setting(self):
        schema = json.loads(self.ask("/settings.json")[1])
        self.assertEqual({one["key"] for one in schema}, set(self.status()["settings"]))

    def test_requests_and_answers_are_those_of_the_daemon(self):
        answers = self.control(
            {**setting("scale", 8.5), "tag": 1}, setting("mode", "tilt"), setting("scale", "x"), {"class": "STATUS"})
        self.assertEqual(answers[:2], [{"class": "ACK", "tag": 1}, {"class": "ACK"}])
        self.assertEqual((answers[2]["class"], answers[2]["code"]), ("ERROR", "bad-request"))
        self.assertIn("invalid scale 'x'", answers[2]["message"])
        self.assertEqual((answers[3]["settings"]["scale"], answers[3]["settings"]["mode"]), (8.5, "tilt"))
        self.assertEqual(set(answers[3]["overrides"]), {"mode", "scale"})
        self.assertIn("rate mode", self.control(setting("mode", None), {"class": "RECENTER"})[1]["note"])

    def test_presets_are_taken(self):
        presets = json.loads(self.ask("/presets.json")[1])
        for name, preset in presets.items():
            for answer in self.control(*(setting(*pair) for pair in preset.items())):
                self.assertEqual(answer["class"], "ACK", (name, answer))
            # Each sets the same keys, so that what was chosen before does not matter.
            self.assertEqual(list(preset), list(presets["card"]), name)

    def test_a_daemon_that_does_not_answer(self):
        silent = socket.socket(socket.AF_UNIX)
        self.addCleanup(silent.close)
        silent.bind(self.folder("silent.sock"))
        silent.listen()
        self.daemon.control = self.folder("silent.sock")
        self.server = self.start_server()
        began = time.monotonic()
        self.assertEqual(self.ask("/control", "POST", SET)[0].status, 503)
        self.assertLess(time.monotonic() - began, 15)

    def test_the_configuration(self):
        answer, body = self.ask("/configuration", "POST")
        self.assertEqual((answer.status, json.loads(body)["error"]), (409, "nothing has been changed"))
        self.control(setting("scale", 7), setting("smoothing", "ema:0.2"), setting("rate", 45))
        answer, body = self.ask("/configuration", "POST")
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "text/plain; charset=utf-8"))
        self.assertEqual(body, b"~/parallax/parallax.toml.d/50-tune.toml\n")
        path = self.folder("parallax/parallax.toml.d/50-tune.toml")
        with open(path) as file:
            self.assertEqual(
                file.read(), "# Written by 'parallax tune'.\n\n"
                '[sampling]\nrate = 45\n\n[motion]\nscale = 7\nsmoothing = "ema:0.2"\n')
        # A later change is added.
        self.control(setting("mode", "tilt"))
        self.assertEqual(self.ask("/configuration", "POST")[0].status, 200)
        with open(path) as file:
            self.assertIn('mode = "tilt"', file.read())

    def test_a_configuration_that_cannot_be_written(self):
        self.folder.write("parallax/parallax.toml.d", "a file")
        self.control(setting("scale", 7))
        answer, body = self.ask("/configuration", "POST")
        self.assertEqual(answer.status, 409)
        self.assertRegex(json.loads(body)["error"], "50-tune.toml: .*; copy the settings")


class ReplayTests(PageTests):
    def replay(self, text, name="walk.csv"):
        answer, body = self.ask("/replay?name=" + name, "POST", text)
        return answer, body

    def own(self, text):
        return subprocess.run(
            [PARALLAX, "replay", "--format", "ndjson", "-"], input=text.encode(), capture_output=True,
            env={**os.environ, "HOME": self.folder.path, "XDG_CONFIG_HOME": self.folder.path}, check=True).stdout

    def test_it_is_what_replay_prints(self):
        answer, body = self.replay(RECORDING)
        self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "application/x-ndjson"))
        self.assertEqual(body, self.own(RECORDING))
        self.assertEqual({json.loads(line)["class"] for line in body.splitlines()} & {"OFFSET"}, {"OFFSET"})

    def test_a_recording_that_is_none(self):
        for text, words in [("a,b\n1,2\n", "walk.csv:1: no known gyroscope columns"), ("", "walk.csv: is empty")]:
            answer, body = self.replay(text)
            self.assertEqual(answer.status, 422, body)
            self.assertIn(words, json.loads(body)["error"])

    def test_an_error_after_the_first_lines(self):
        rows = ["%.3f,0.1,%.4f,0\n" % (i / 100, i % 7 / 10) for i in range(20000)]
        answer, body = self.replay("t,x,y,z\n" + "".join(rows[:15000]) + "200,x,y,z\n" + "".join(rows[15000:]))
        self.assertEqual(answer.status, 200, body[:200])
        lines = body.splitlines()
        self.assertGreater(len(lines), 1000)
        self.assertRegex(json.loads(lines[-1])["error"], "^walk.csv:15002")

    def test_the_name_is_only_shown(self):
        answer, body = self.replay("a,b\n", "..%2F..%2Fetc%2Fpasswd%0A")
        self.assertTrue(json.loads(body)["error"].startswith("passwd:1:"), body)

    def programs(self):
        """The processes of parallax replay that this server has started."""
        found = []
        for process in os.listdir("/proc"):
            try:
                with open("/proc/%s/stat" % process) as file:
                    parent, state = file.read().rsplit(")", 1)[1].split()[1::-1]
            except (OSError, IndexError, ValueError):
                continue
            if process.isdigit() and parent == str(self.server.process.pid) and state != "Z":
                found.append(int(process))
        return found

    def test_it_ends_with_its_page(self):
        rows = "".join("%.3f,0.1,%.4f,0\n" % (i / 100, i % 7 / 10) for i in range(400000))
        body = ("t,x,y,z\n" + rows).encode()
        clients = []
        for _ in range(2):
            client = socket.create_connection(("127.0.0.1", self.server.port), timeout=60)
            self.addCleanup(client.close)
            client.sendall(b"POST /replay?name=a.csv HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                           b"Content-Length: %d\r\n\r\n" % (self.server.host.encode(), self.server.token.encode(),
                                                             len(body)) + body)
            self.assertIn(b"200 OK", client.recv(2000))
            clients.append(client)
        self.assertEqual(len(self.programs()), 2)
        # No more at once; other requests are answered meanwhile.
        answer, text = self.replay(RECORDING)
        self.assertEqual(answer.status, 503)
        self.assertEqual(self.ask("/")[0].status, 200)
        for client in clients:
            client.close()
        wait("the programs have ended", lambda: not self.programs())
        self.assertEqual(self.replay(RECORDING)[0].status, 200)

    def test_an_upload_that_breaks_off(self):
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as client:
                client.sendall(b"POST /replay?name=a.csv HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                               b"Content-Length: 1000\r\n\r\nt,x,y,z\n" % (self.server.host.encode(),
                                                                        self.server.token.encode()))
                time.sleep(0.1)
        wait("a replay works again", lambda: self.replay(RECORDING)[0].status == 200)


class CommandTests(PageTests):
    def run_page(self, *arguments, program=None):
        return subprocess.run(
            (program or [os.path.join(PROGRAMS, "parallax-web"), "page"]) + list(arguments), capture_output=True,
            text=True, timeout=20)

    def test_invalid_command_lines(self):
        port = str(self.server.port)
        for arguments, code, words in [
                (["--port", "70000"], 64, "invalid port '70000'"), (["--prot", "1"], 64, "unknown option '--prot'"),
                (["folder"], 64, "unexpected argument"), (["--port", port], 69, "already in use"),
                (["--files", self.folder("none")], 66, "No such file"),
                (["--files", self.folder.path], 66, "no index.html"),
                (["--host", "192.0.2.1", "--port", "0"], 64, "not an address of this"),
                (["--port", "1", "--port", "2"], 64, "is given twice")]:
            result = self.run_page(*arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertEqual(result.stdout, "")
        self.assertIn("usage: parallax-web page", self.run_page("--help").stdout)

    def test_parallax_web_becomes_the_server(self):
        self.server = self.start_server(command=[PARALLAX, "web"])
        self.assertEqual(self.ask("/")[0].status, 200)
        self.events().until("OFFSET")
        self.assertEqual(self.server.end()[0], 0)


class DemoTests(unittest.TestCase):
    """`parallax demo --web`: a daemon and its page."""

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        # What a desktop would open the page with.
        self.folder.write("bin/xdg-open", "#!/bin/sh\necho \"$1\" >>%s\n" % self.folder("opened"))
        os.chmod(self.folder("bin/xdg-open"), 0o755)

    def demo(self, port=0, **environment):
        program = Program(
            self.folder, [PARALLAX, "demo", "--source", "synthetic", "--web", "--port", str(port)],
            TMPDIR=self.folder.path, WAYLAND_DISPLAY="", **{
                "DISPLAY": "", "PATH": ":".join([self.folder("bin"), PROGRAMS, os.environ["PATH"]]), **environment})
        self.addCleanup(program.kill)
        return program

    def places(self):
        return [name for name in os.listdir(self.folder.path) if name.startswith("parallax-demo.")]

    def mine(self):
        """The processes of the demo."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/cmdline" % process, "rb") as file:
                    if self.folder.path.encode() + b"/parallax-demo." in file.read():
                        found.append(process)
            except OSError:
                pass
        return found

    def address(self, program):
        line = program.process.stdout.readline().decode().strip()
        self.assertRegex(line, r"^http://127\.0\.0\.1:\d+/#token=[0-9a-f]{32}$", program.log_text())
        return line

    def test_the_page_of_a_demo(self):
        for number, code in [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]:
            program = self.demo()
            address = self.address(program)
            port = int(re.search(r":(\d+)/", address).group(1))
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            connection.request("GET", "/settings.json")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
            self.assertEqual(program.end(number)[0], code, program.log_text())
            wait("nothing remains", lambda: not self.places() and not self.mine())
        self.assertFalse(os.path.exists(self.folder("opened")), "there is no display")

    def test_it_opens_the_browser_of_a_desktop(self):
        program = self.demo(DISPLAY=":0")
        address = self.address(program)
        wait("it opens", lambda: os.path.exists(self.folder("opened")) and os.path.getsize(self.folder("opened")))
        with open(self.folder("opened")) as file:
            self.assertEqual(file.read().strip(), address)
        self.assertEqual(program.end(signal.SIGINT)[0], 0)

    def test_a_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            program = self.demo(taken.getsockname()[1])
            self.assertEqual(program.process.wait(20), 69)
            self.assertIn("already in use", program.log_text())
            wait("nothing remains", lambda: not self.places() and not self.mine())

    def test_the_end_of_the_daemon_ends_it(self):
        program = self.demo()
        self.address(program)
        daemons = subprocess.run(
            ["pgrep", "-f", "parallaxd.*%s/parallax-demo" % self.folder.path], capture_output=True, text=True).stdout
        os.kill(int(daemons.split()[0]), signal.SIGKILL)
        self.assertEqual(program.process.wait(20), 69)
        self.assertIn("the daemon has ended by itself with signal 9", program.log_text())
        wait("nothing remains", lambda: not self.places() and not self.mine())


if __name__ == "__main__":
    unittest.main()
