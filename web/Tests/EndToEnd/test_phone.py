# SPDX-License-Identifier: Apache-2.0
"""`parallax-web phone`: its certificate, its code, who may send what, and what the daemon gets."""
import http.client
import json
import os
import re
import signal
import socket
import ssl
import stat
import statistics
import subprocess
import threading
import time
import unittest

from phone import OTHER, PHONE, PhoneServer
from programs import PARALLAX, PROGRAMS, Daemon, Folder, Program, connect, wait
from test_page import PageServer


class FakeDaemon:
    """A control socket that keeps the lines that it gets and answers FEED."""

    def __init__(self, folder, answer=({"class": "ACK"}, {"class": "DEVICE", "driver": "feed", "state": "streaming"})):
        self.stream, self.control = folder("fake.sock"), folder("fake-control.sock")
        self.answer = list(answer)
        self.connections = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.control)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        lines = []
        feed = {"lines": lines, "open": True, "client": client}
        for line in client.makefile("rb"):
            lines.append(line)
            if b'"FEED"' in line:
                self.connections.append(feed)
                self.send(client, *self.answer)
        feed["open"] = False

    @staticmethod
    def send(client, *lines):
        client.sendall("".join(json.dumps(line) + "\n" for line in lines).encode())

    def close(self):
        self.listener.close()


class PhoneTests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.daemon = self.start_daemon()

    def start_daemon(self):
        daemon = FakeDaemon(self.folder)
        self.addCleanup(daemon.close)
        return daemon

    def start(self, *options, **named):
        server = PhoneServer(self.folder, self.daemon, *options, **named)
        self.addCleanup(server.kill)
        return server

    def lines(self, index=-1, count=2):
        """The lines of a feed, at least `count`."""
        wait("a feed", lambda: len(self.daemon.connections) > (index if index >= 0 else 0))
        feed = self.daemon.connections[index]
        wait("%d lines" % count, lambda: len(feed["lines"]) >= count)
        return [json.loads(line) for line in feed["lines"]]

    def feeds(self):
        return [feed["open"] for feed in self.daemon.connections]


class CertificateTests(PhoneTests):
    def file(self):
        return self.folder(".local/state/parallax/phone.pem")

    def served(self, server):
        return ssl.get_server_certificate(("127.0.0.1", server.port))

    def openssl(self, pem, *options):
        return subprocess.run(["openssl", "x509", "-noout", *options], input=pem, capture_output=True, text=True,
                              check=True).stdout

    def test_it_is_kept(self):
        server = self.start()
        pem = self.served(server)
        self.assertIn(server.fingerprint, self.openssl(pem, "-fingerprint", "-sha256"))
        text = self.openssl(pem, "-text")
        for part in ["IP Address:127.0.0.1", "CA:FALSE", "TLS Web Server Authentication", "P-256"]:
            self.assertIn(part, text)
        self.assertEqual(stat.S_IMODE(os.stat(self.file()).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(self.file())).st_mode), 0o700)
        self.assertEqual(os.listdir(os.path.dirname(self.file())), ["phone.pem"])
        server.end()
        again = self.start()
        self.assertEqual((again.fingerprint, self.served(again)), (server.fingerprint, pem))
        self.assertNotEqual(again.token, server.token)
        self.assertNotEqual(again.push.rsplit("/", 1)[1], server.push.rsplit("/", 1)[1])

    def test_it_verifies_for_this_address_only(self):
        server = self.start()
        context = ssl.create_default_context(cadata=self.served(server))
        with socket.create_connection(("127.0.0.1", server.port)) as plain:
            with context.wrap_socket(plain, server_hostname="127.0.0.1") as encrypted:
                self.assertIn(encrypted.version(), ["TLSv1.2", "TLSv1.3"])
        with socket.create_connection(("127.0.0.1", server.port)) as plain:
            with self.assertRaises(ssl.SSLCertVerificationError):
                context.wrap_socket(plain, server_hostname="127.0.0.2")

    def test_a_damaged_foreign_or_open_file_is_replaced(self):
        server = self.start()
        first = server.fingerprint
        server.end()
        with open(self.file()) as file:
            good = file.read()
        other = subprocess.run(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout"], capture_output=True,
                               text=True, check=True).stdout
        certificate = good[:good.index("-----BEGIN PRIVATE KEY")]
        for text, mode in [("", 0o600), (good[:200], 0o600), (certificate + other, 0o600), (good, 0o644)]:
            with open(self.file(), "w") as file:
                file.write(text)
            os.chmod(self.file(), mode)
            server = self.start()
            self.assertNotEqual(server.fingerprint, first, text[:20])
            self.assertEqual(stat.S_IMODE(os.stat(self.file()).st_mode), 0o600)
            server.end()

    def test_another_address_renews_it(self):
        server = self.start()
        server.end()
        again = PhoneServer.__new__(PhoneServer)
        Program.__init__(again, self.folder, [
            os.path.join(PROGRAMS, "parallax-web"), "phone", "--port", "0", "--address", "localhost", "--control",
            self.daemon.control], XDG_STATE_HOME="")
        self.addCleanup(again.kill)
        wait("output", lambda: again.process.poll() is not None or b"https" in again.process.stdout.readline())
        with open(self.file()) as file:
            self.assertIn("DNS:localhost", self.openssl(file.read(), "-text"))

    def test_without_a_state_folder_it_lasts_for_once(self):
        self.folder.write("state", "a file")
        server = self.start(XDG_STATE_HOME=self.folder("state"))
        self.assertIn("will warn about a new certificate", server.log_text())
        self.assertEqual(server.samples()[0], 200)


class CodeTests(PhoneTests):
    def test_the_code_in_the_terminal_has_the_address(self):
        server = self.start()
        rows = [line for line in server.output.split("\n") if re.fullmatch(r"[ █▀▄]+", line)]
        width = len(rows[0])
        self.assertTrue(all(len(row) == width for row in rows))
        pixels = []
        for row in rows:
            pixels.append([int(module in "█▀") for module in row])
            pixels.append([int(module in "█▄") for module in row])
        scale = 8
        image = "P1\n%d %d\n" % (width * scale, len(pixels) * scale)
        for row in pixels:
            line = " ".join(str(module) for module in row for _ in range(scale)) + "\n"
            image += line * scale
        path = self.folder.write("code.pbm", image)
        found = subprocess.run(["zbarimg", "--quiet", "--raw", path], capture_output=True, text=True).stdout.strip()
        self.assertEqual(found, server.address)

    def test_no_daemon_no_server(self):
        self.daemon.close()
        result = subprocess.run(
            [os.path.join(PROGRAMS, "parallax-web"), "phone", "--address", "127.0.0.1", "--port", "0", "--control",
             self.folder("none")], capture_output=True, text=True, timeout=20)
        self.assertEqual((result.returncode, result.stdout), (69, ""))
        self.assertIn("no daemon answers", result.stderr)
        self.assertIn("parallax run", result.stderr)

    def test_wrong_options(self):
        for options, part in [
                (["--port", "x"], "0 to 65535"), (["--patience", "0"], "1 to 3600"), (["--name", ""], "printable"),
                (["--address", "0.0.0.0"], "means all addresses"), (["x"], "expected no arguments")]:
            result = subprocess.run([os.path.join(PROGRAMS, "parallax-web"), "phone", *options], capture_output=True,
                                    text=True, timeout=20)
            self.assertEqual(result.returncode, 64, options)
            self.assertIn(part, result.stderr)

    def test_a_port_in_use(self):
        server = self.start()
        result = subprocess.run(
            [os.path.join(PROGRAMS, "parallax-web"), "phone", "--address", "127.0.0.1", "--port", str(server.port),
             "--control", self.daemon.control], capture_output=True, text=True, timeout=20,
            env={**os.environ, "XDG_STATE_HOME": self.folder.path})
        self.assertEqual(result.returncode, 69)
        self.assertIn("already in use", result.stderr)

    def test_parallax_phone_runs_it(self):
        server = self.start(command=[PARALLAX, "phone"])
        self.assertEqual(server.samples()[0], 200)
        code, _ = server.end(signal.SIGINT)
        self.assertEqual(code, 0)


class AccessTests(PhoneTests):
    def setUp(self):
        super().setUp()
        self.server = self.start()

    def test_only_samples_reach_the_daemon_and_only_numbers_of_them(self):
        body = ('{"class":"SAMPLES","name":"\\n{\\"class\\":\\"STOP\\"}","samples":[[1.5,1e-1,-0.25,0]]}\n'
                '{"samples":[[2,0,0,3.0]],"class":"SAMPLES"}\n')
        self.assertEqual(self.server.ask("/samples", "POST", body)[0], 200)
        lines = self.lines()
        self.assertEqual(lines, [
            {"class": "FEED", "name": "phone", "clock": "sender"},
            {"class": "SAMPLES", "samples": [[1.5, 0.1, -0.25, 0], [2, 0, 0, 3]]}])
        for line in ['{"class":"SET","key":"scale","value":9}', '{"class":"STATUS"}', '{"class":"SAMPLES","samples":[]}',
                     '{"class":"SAMPLES","samples":[[1,2,3,4000]]}', "", "x"]:
            status, _, text = self.server.ask("/samples", "POST", line)
            self.assertEqual(status, 400, line)
            self.assertIn("error", json.loads(text))
        self.server.samples()
        self.assertEqual([line["class"] for line in self.lines(count=3)], ["FEED", "SAMPLES", "SAMPLES"])

    def test_the_name_is_the_model(self):
        self.server.samples(User_Agent="Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36")
        self.assertEqual(self.lines()[0]["name"], "Pixel 8")
        self.server.wait_log("Pixel 8 is connected")

    def test_the_token_is_needed(self):
        for authorization in [None, "", "Bearer", "Bearer " + "0" * 32, "Basic " + self.server.token,
                              "Bearer " + self.server.push.rsplit("/", 1)[1], "Bearer " + self.server.token + "0"]:
            for path in ["/samples", "/end", "/control", "/nothing"]:
                status, _, body = self.server.ask(path, "POST", "x", Authorization=authorization)
                self.assertEqual(status, 401, (authorization, path))
                self.assertIn("scan the one that is shown now", json.loads(body)["error"])
        self.assertEqual(self.daemon.connections, [])

    def test_the_token_permits_nothing_else(self):
        for path in ["/control", "/configuration", "/replay?name=a", "/phone"]:
            self.assertEqual(self.server.ask(path, "POST", "x")[0], 404, path)
        for path in ["/events", "/settings.json", "/main.js.", "/../index.html", "/phone/index.html", "/client/page.js"]:
            self.assertEqual(self.server.ask(path)[0], 404, path)
        for path in ["/", "/main.js", "/phone.css", "/page.css", "/icon.svg"]:
            self.assertEqual(self.server.ask(path)[0], 200, path)

    def test_other_origins_and_hosts(self):
        for origin in [None, "null", "https://attacker.example", self.server.base.replace("https", "http")]:
            self.assertEqual(self.server.samples(Origin=origin)[0], 403, origin)
        for host in ["attacker.example", "attacker.example:%d" % self.server.port, "127.0.0.1"]:
            self.assertEqual(self.server.ask("/", Host=host)[0], 421)
            self.assertEqual(self.server.samples(Host=host)[0], 421)
        self.assertEqual(self.daemon.connections, [])

    def test_plain_http_leads_to_https(self):
        status, fields, body = self.server.ask("/", encrypted=False)
        self.assertEqual((status, fields["Location"]), (308, self.server.base + "/"))
        self.assertIn(b"https://", body)
        # The token of the code is not taken without encryption.
        self.assertEqual(self.server.samples(encrypted=False)[0], 403)
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as client:
            client.sendall(b"\x00nonsense\r\n\r\n")
            self.assertNotIn(b"200", client.recv(1000).split(b"\r\n")[0])

    def test_one_phone_at_a_time(self):
        self.assertEqual(self.server.samples()[0], 200)
        status, body = self.server.samples(Parallax_Phone=OTHER)
        self.assertEqual((status, body["error"]), (409, "another phone is connected; end it there first"))
        self.assertEqual(self.server.ask("/end", "POST", "", Parallax_Phone=OTHER)[0], 204)
        # The first one goes on, also from another connection.
        self.assertEqual(self.server.samples()[0], 200)
        self.assertEqual(self.feeds(), [True])
        self.assertEqual(self.server.ask("/end", "POST", "")[0], 204)
        wait("the end of the feed", lambda: self.feeds() == [False])
        self.assertEqual(self.server.samples(Parallax_Phone=OTHER)[0], 200)
        self.assertEqual(self.feeds(), [False, True])
        self.assertEqual(self.server.samples()[0], 409)

    def test_a_phone_needs_a_name(self):
        for name in [None, "", "short", "x" * 65]:
            self.assertEqual(self.server.samples(Parallax_Phone=name)[0], 400)

    def test_limits(self):
        connection = self.server.connect()
        many = [[1, 0, 0, 0]] * 2000
        self.assertEqual(self.server.samples(*many, connection=connection)[0], 200)
        self.assertEqual(self.server.samples(*many, connection=connection)[0], 200)
        wait("too many", lambda: self.server.samples(*many, connection=connection)[0] == 429)
        connection.close()
        self.assertEqual(self.server.ask("/samples", "POST", "x" * (64 << 10) + "x")[0], 413)
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=20) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: " + b"x" * (20 << 10))
            answer = client.recv(1000)
            self.assertTrue(not answer or answer.split()[1] in [b"400", b"413", b"431"], answer)

    def test_a_peer_has_few_connections(self):
        clients = [socket.create_connection(("127.0.0.1", self.server.port), timeout=20) for _ in range(32)]
        self.addCleanup(lambda: [client.close() for client in clients])

        def closed(client):
            client.setblocking(False)
            try:
                return client.recv(1) == b""
            except BlockingIOError:
                return False
            except ConnectionError:
                return True
        wait("8 are closed", lambda: sum(closed(client) for client in clients) == 8)
        for client in clients:
            client.close()
        wait("a place", lambda: self.try_samples() == 200)

    def try_samples(self):
        try:
            return self.server.samples()[0]
        except (OSError, ssl.SSLError):
            return None

    def test_a_restart_ends_the_code(self):
        self.assertEqual(self.server.samples()[0], 200)
        token, port = self.server.token, self.server.port
        code, seconds = self.server.end()
        self.assertEqual(code, 0)
        self.assertLess(seconds, 5)
        wait("the end of the feed", lambda: self.feeds() == [False])
        again = self.start(port=port)
        status, body = again.samples(Authorization="Bearer " + token)
        self.assertEqual(status, 401)
        self.assertIn("no longer valid", body["error"])
        self.assertEqual(again.samples()[0], 200)


class PageTests(PhoneTests):
    """The server that the page of `parallax web` starts."""

    def ask(self, server, path, token=True, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self.addCleanup(connection.close)
        if token:
            fields["Authorization"] = "Bearer " + server.token
        connection.request("POST", path, headers=fields)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def listeners(self, server):
        """The addresses on which the program listens."""
        own = {os.readlink(entry.path) for entry in os.scandir("/proc/%d/fd" % server.process.pid)
               if os.path.islink(entry.path)}
        with open("/proc/net/tcp") as file:
            rows = [line.split() for line in file.readlines()[1:]]
        found = {row[1] for row in rows if row[3] == "0A" and "socket:[%s]" % row[9] in own}
        return {(socket.inet_ntoa(bytes.fromhex(address)[::-1]), int(port, 16))
                for address, port in (entry.split(":") for entry in found)}

    def test_it_listens_only_on_demand(self):
        server = PageServer(self.folder, self.daemon, "--phone-port", "0", XDG_STATE_HOME="")
        self.addCleanup(server.kill)
        page = ("127.0.0.1", server.port)
        self.assertEqual(self.ask(server, "/phone", token=False)[0], 401)
        self.assertEqual(self.ask(server, "/phone", Origin="http://attacker.example")[0], 403)
        self.assertEqual(self.listeners(server), {page})
        status, body = self.ask(server, "/phone")
        if status == 503 and b"no network address" in body:
            self.skipTest("this machine has no network")
        invitation = json.loads(body)
        host, port = re.fullmatch(r"https://([\d.]+):(\d+)/#[0-9a-f]{32}", invitation["address"]).groups()
        self.assertEqual(self.listeners(server), {page, (host, int(port))})
        self.assertRegex(invitation["push"], r"^http://%s:%s/push/[0-9a-f]{32}$" % (host, port))
        self.assertRegex(invitation["fingerprint"], r"^([0-9A-F]{2}:){31}[0-9A-F]{2}$")
        self.assertEqual({len(row) for row in invitation["rows"]}, {len(invitation["rows"])})
        # A second request changes nothing; a phone that has the code can send.
        self.assertEqual(json.loads(self.ask(server, "/phone")[1]), invitation)
        base = invitation["address"].split("/#")[0]
        phone = http.client.HTTPSConnection(host, int(port), timeout=20, context=ssl._create_unverified_context())
        self.addCleanup(phone.close)
        phone.request("POST", "/samples", '{"class":"SAMPLES","samples":[[1,0,0,0]]}', {
            "Origin": base, "Authorization": "Bearer " + invitation["address"][-32:], "Parallax-Phone": PHONE})
        answer = phone.getresponse()
        answer.read()
        self.assertEqual(answer.status, 200)
        self.assertEqual(self.feeds(), [True])
        self.assertEqual(self.ask(server, "/phone/end", token=False)[0], 401)
        self.assertEqual(self.ask(server, "/phone/end")[0], 204)
        wait("the end of the listener", lambda: self.listeners(server) == {page})
        wait("the end of the feed", lambda: self.feeds() == [False])
        # Its connection has ended, too.
        with self.assertRaises((ConnectionError, http.client.HTTPException, ssl.SSLError)):
            phone.auto_open = 0
            phone.request("POST", "/samples", '{"class":"SAMPLES","samples":[[1,0,0,0]]}', {
                "Origin": base, "Authorization": "Bearer " + invitation["address"][-32:], "Parallax-Phone": PHONE})
            phone.getresponse()
        again = json.loads(self.ask(server, "/phone")[1])
        self.assertNotEqual(again["address"], invitation["address"])
        self.assertEqual(again["fingerprint"], invitation["fingerprint"])

    def test_a_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("0.0.0.0", 0))
            taken.listen()
            server = PageServer(self.folder, self.daemon, "--phone-port", str(taken.getsockname()[1]), XDG_STATE_HOME="")
            self.addCleanup(server.kill)
            status, body = self.ask(server, "/phone")
        self.assertEqual(status, 503)
        self.assertTrue(b"in use" in body or b"no network address" in body, body)


class SilenceTests(PhoneTests):
    def test_a_silent_phone_loses_its_place_in_time(self):
        server = self.start("--patience", "1")
        self.assertEqual(server.samples()[0], 200)
        server.wait_log("silent for 1 s")
        wait("the end of the feed", lambda: self.feeds() == [False])
        self.assertEqual(server.samples(Parallax_Phone=OTHER)[0], 200)
        self.assertEqual(server.samples(Parallax_Phone=PHONE)[0], 409)

    def test_the_next_phone_has_a_feed_of_its_own(self):
        server = self.start("--patience", "1")
        self.assertEqual(server.samples(User_Agent="(Linux; Android 14; First)")[0], 200)
        # It asks more often than the server looks for a phone that is silent.
        wait("the place", lambda: server.samples(
            [2, 0, 0, 0], Parallax_Phone=OTHER, User_Agent="(Linux; Android 14; Second)")[0] == 200)
        self.assertEqual([row["name"] for row in self.lines(0, 1) if row["class"] == "FEED"], ["First"])
        self.assertEqual(self.lines(1), [{"class": "FEED", "name": "Second", "clock": "sender"},
                                         {"class": "SAMPLES", "samples": [[2, 0, 0, 0]]}])
        wait("the end of the first feed", lambda: self.feeds() == [False, True])

    def test_a_slow_connection_is_closed(self):
        """Whatever it has sent so far: nothing, a part of a handshake or of a request, or a byte now and then."""
        server = self.start("--patience", "1")
        clients = []
        for start in [b"", b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\nHost: x\r\n",
                      b"POST /push/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx", b"GET / HTTP/1.1\r\n"]:
            client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            self.addCleanup(client.close)
            client.sendall(start)
            client.setblocking(False)
            clients.append(client)

        def closed(client):
            try:
                if client is clients[-1]:
                    client.sendall(b"X")
                return client.recv(1000) == b""
            except BlockingIOError:
                return False
            except ConnectionError:
                return True
        left = list(clients)
        began = time.monotonic()

        def all_closed():
            left[:] = [client for client in left if not closed(client)]
            return not left
        wait("all are closed", all_closed)
        self.assertLess(time.monotonic() - began, 5)


class DaemonTests(PhoneTests):
    def test_what_the_daemon_refuses_is_shown(self):
        message = "the daemon reads \"iio\" only; set source.kind to \"auto\" or \"feed\""
        self.daemon.answer = [{"class": "ERROR", "code": "unavailable", "message": message}]
        server = self.start()
        for _ in range(2):
            self.assertEqual(server.samples(), (503, {"error": message}))
        self.assertEqual(server.log_text().count(message), 1)
        self.daemon.answer = [{"class": "ACK"}]
        self.assertEqual(server.samples(), (200, {"state": "idle"}))

    def test_the_end_of_a_feed_and_a_new_one(self):
        server = self.start()
        wait("streaming", lambda: server.samples() == (200, {"state": "streaming"}))
        feed = self.daemon.connections[0]
        self.daemon.send(feed["client"], {"class": "DEVICE", "driver": "feed", "state": "idle"})
        wait("idle", lambda: server.samples() == (200, {"state": "idle"}))
        # A sample that the daemon drops does not end the feed.
        self.daemon.send(feed["client"], {"class": "ERROR", "code": "bad-request", "message": "$.samples[0][1]"})
        self.assertEqual(server.samples()[0], 200)
        self.assertEqual(self.feeds(), [True])
        feed["client"].shutdown(socket.SHUT_RDWR)
        wait("a new feed", lambda: server.samples()[0] == 200 and len(self.feeds()) == 2)

    def test_a_daemon_that_does_not_answer(self):
        self.daemon.answer = []
        server = self.start()
        status, body = server.samples()
        self.assertEqual((status, body["error"]), (503, "the daemon ended the connection"))


class SensorLoggerTests(PhoneTests):
    BODY = {"messageId": 1, "sessionId": "s", "deviceId": "a-b", "payload": [
        {"name": "accelerometer", "time": 1698501144401773000, "values": {"x": 9, "y": 0, "z": 0}},
        {"name": "gyroscope", "time": 1698501144401773000, "accuracy": 3, "values": {"z": 0.3, "y": -0.2, "x": 0.1}},
        {"name": "gyroscope", "time": 1698501144411773000, "values": {"z": 0, "y": 0, "x": 0.2}}]}

    def push(self, server, body, path=None, encrypted=False, **fields):
        path = path or "/" + server.push.split("/", 3)[3]
        return server.ask(path, "POST", json.dumps(body), encrypted=encrypted, **{
            "Origin": None, "Authorization": None, "Parallax_Phone": None, **fields})[0]

    def test_its_pushes_are_samples(self):
        server = self.start()
        for encrypted in (False, True):
            self.assertEqual(self.push(server, self.BODY, encrypted=encrypted), 200)
        feed, samples = self.lines()[:2]
        self.assertEqual(feed, {"class": "FEED", "name": "Sensor Logger", "clock": "sender"})
        self.assertEqual([row[1:] for row in samples["samples"]], [[0.1, -0.2, 0.3], [0.2, 0, 0]])
        self.assertAlmostEqual(samples["samples"][0][0], 1698501144.401773, places=5)
        self.assertEqual(self.push(server, {"payload": []}), 200)
        # One phone at a time, whatever it sends by.
        self.assertEqual(server.samples()[0], 409)
        self.assertEqual(self.push(server, {**self.BODY, "deviceId": "c-d"}), 409)

    def test_others_are_refused(self):
        server = self.start()
        self.assertEqual(self.push(server, self.BODY, path="/push/" + server.token), 401)
        self.assertEqual(self.push(server, self.BODY, path="/push/"), 401)
        self.assertEqual(self.push(server, self.BODY, Origin="http://attacker.example"), 403)
        self.assertEqual(self.push(server, {"payload": 1}), 400)
        self.assertEqual(self.daemon.connections, [])


class LiveTests(PhoneTests):
    """With parallaxd."""

    def start_daemon(self):
        daemon = Daemon(self.folder, "source.kind=feed", "motion.smoothing=none", "sampling.rate=60")
        self.addCleanup(daemon.kill)
        return daemon

    def watch(self):
        stream = connect(self.daemon.stream)
        self.addCleanup(stream.close)
        stream.sendall(b'{"class":"WATCH"}\n')
        return stream

    def test_samples_become_offsets(self):
        """What turns the right edge of the phone away moves x; how long a sample takes to its OFFSET."""
        server = self.start()
        lines = self.watch().makefile("rb")
        offsets = []
        reader = threading.Thread(target=lambda: [
            offsets.append((time.monotonic(), json.loads(line))) for line in lines], daemon=True)
        reader.start()
        connection = server.connect()
        began, sent = time.monotonic(), []
        for frame in range(300):
            due = began + frame / 60
            while time.monotonic() < due:
                time.sleep(max(0, due - time.monotonic()))
            now = time.monotonic()
            sent.append(now)
            # Each sample has a rate of its own, so that its offset is known.
            status, body = server.samples([100 + now, 0, 0.5 + frame / 1000, 0], connection=connection)
            self.assertEqual(status, 200, body)
        connection.close()
        moved = [(at, line) for at, line in offsets if line["class"] == "OFFSET" and line["x"]]
        self.assertGreater(len(moved), 200)
        self.assertTrue(all(line["x"] > 0 and line["y"] == 0 for _, line in moved[5:]), moved[:8])
        # `time` is that of the newest sample in the frame, on the daemon's clock.
        late = sorted(1000 * (at - line["time"]) for at, line in moved[60:])
        p50, p99 = statistics.median(late), late[int(len(late) * 0.99)]
        print("sample to OFFSET over HTTPS: p50 %.1f ms, p99 %.1f ms" % (p50, p99))
        # The daemon shows nothing older, however busy this machine is.
        self.assertLess(p50, 250)

    def test_the_daemon_names_the_phone(self):
        server = self.start("--name", "My phone")
        lines = self.watch().makefile("rb")
        self.assertEqual(server.samples()[0], 200)
        for line in lines:
            device = json.loads(line)
            if device["class"] == "DEVICE" and device["driver"] == "feed" and device.get("name"):
                break
        self.assertEqual(device["name"], "My phone")

    def test_a_daemon_with_another_source(self):
        server = self.start()
        control = self.daemon.connect()
        self.addCleanup(control.close)
        self.assertEqual(server.samples()[0], 200)
        control.ask(**{"class": "STATUS"})
        self.daemon.end()
        other = Daemon(self.folder, "source.kind=synthetic")
        self.addCleanup(other.kill)
        status, body = server.samples()
        self.assertEqual(status, 503)
        self.assertIn("source.kind", body["error"])
        server.wait_log("source.kind")


if __name__ == "__main__":
    unittest.main()
