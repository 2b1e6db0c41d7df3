# SPDX-License-Identifier: Apache-2.0
"""`parallax-web`, and `parallax serve-animations`, which executes it, over real connections."""
import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
import unittest

from programs import NUDGE, PARALLAX, PROGRAMS, Folder, Server

TEXT = json.dumps(NUDGE).encode()


class ServerTests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.folder.write("documents/nudge.json", NUDGE)
        self.folder.write("outside.json", '{"secret": 1}')
        os.symlink("../outside.json", self.folder("documents/outer.json"))
        self.server = Server(self.folder, self.folder("documents"))
        self.addCleanup(self.server.kill)

    def ask(self, path, method="GET", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        self.addCleanup(connection.close)
        connection.request(method, path, headers=fields)
        answer = connection.getresponse()
        return answer, answer.read()

    def test_a_document(self):
        answer, body = self.ask("/nudge.json")
        self.assertEqual((answer.status, body), (200, TEXT))
        self.assertEqual(answer.getheader("Content-Type"), "application/json")
        self.assertEqual(answer.getheader("Content-Length"), str(len(TEXT)))
        self.assertEqual(answer.getheader("Cache-Control"), "no-cache")
        self.assertEqual(answer.getheader("X-Content-Type-Options"), "nosniff")
        self.assertRegex(answer.getheader("ETag"), '^"[0-9a-f]+-[0-9a-f]{16}"$')

    def test_head_has_the_length_and_no_body(self):
        answer, body = self.ask("/nudge.json", "HEAD")
        self.assertEqual((answer.status, body), (200, b""))
        self.assertEqual(answer.getheader("Content-Length"), str(len(TEXT)))
        answer, body = self.ask("/none.json", "HEAD")
        self.assertEqual((answer.status, body), (404, b""))

    def test_an_unchanged_document_is_not_sent(self):
        tag = self.ask("/nudge.json")[0].getheader("ETag")
        for method in ["GET", "HEAD"]:
            answer, body = self.ask("/nudge.json", method, **{"If-None-Match": "W/\"x\", " + tag})
            self.assertEqual((answer.status, body), (304, b""))
            self.assertEqual(answer.getheader("ETag"), tag)
        self.folder.write("documents/nudge.json", '{"parallax": 1}')
        answer, body = self.ask("/nudge.json", **{"If-None-Match": tag})
        self.assertEqual((answer.status, body), (200, b'{"parallax": 1}'))

    def test_nothing_else_is_served(self):
        for path in ["/", "/nudge", "/none.json", "/outer.json", "/../outside.json",
                     "/%2e%2e/outside.json", "/..%2foutside.json", "//etc/passwd", "/documents",
                     "/nudge.json/", "/./nudge.json", "/%6eudge.json"]:
            answer, body = self.ask(path)
            self.assertEqual(answer.status, 404, path)
            self.assertNotIn(b"secret", body)
            self.assertEqual(body.count(b"\n"), 1, "one line with the reason")

    def test_other_methods(self):
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]:
            answer, _ = self.ask("/nudge.json", method)
            self.assertEqual((answer.status, answer.getheader("Allow")), (405, "GET, HEAD"))

    def test_a_file_larger_than_the_limit(self):
        self.folder.write("documents/large.json", " " * ((1 << 20) + 1))
        answer, body = self.ask("/large.json")
        self.assertEqual(answer.status, 413)
        self.assertEqual(body, b"large.json has 1048577 bytes; the limit is 1048576\n")
        self.folder.write("documents/large.json", " " * (1 << 20))
        answer, body = self.ask("/large.json")
        self.assertEqual((answer.status, len(body)), (200, 1 << 20))

    def test_several_requests_on_one_connection(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        self.addCleanup(connection.close)
        for path, status in [("/nudge.json", 200), ("/none.json", 404), ("/nudge.json", 200)]:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(answer.status, status)

    def test_invalid_http(self):
        for text in [b"hello\r\n\r\n", b"\xff" * 100 + b"\r\n\r\n", b"GET /nudge.json\r\n\r\n"]:
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as client:
                client.sendall(text)
                client.recv(1000)
        self.assertEqual(self.ask("/nudge.json")[0].status, 200)

    def test_it_listens_only_on_the_loopback_interface(self):
        with open("/proc/net/tcp") as table:
            rows = [line.split() for line in table]
        addresses = [row[1] for row in rows if row[1].endswith(":%04X" % self.server.port)
                and row[3] == "0A"]
        self.assertEqual(addresses, ["0100007F:%04X" % self.server.port])

    # Start and exit

    def test_it_exits_at_once(self):
        """With an unfinished request, unread answers and an idle connection."""
        self.folder.write("documents/large.json", " " * (1 << 20))
        port = self.server.port
        slow = socket.create_connection(("127.0.0.1", port))
        slow.sendall(b"GET /nudge.json HTTP/1.1\r\n")
        unread = socket.create_connection(("127.0.0.1", port))
        unread.sendall(b"GET /large.json HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
        idle = socket.create_connection(("127.0.0.1", port))
        time.sleep(0.2)
        code, seconds = self.server.end(signal.SIGTERM)
        self.assertEqual(code, 0)
        self.assertLess(seconds, 2)
        for connection in [slow, unread, idle]:
            connection.close()

    def run_web(self, *arguments):
        return subprocess.run(
            [os.path.join(PROGRAMS, "parallax-web")] + list(arguments), capture_output=True,
            text=True, timeout=10)

    def test_invalid_command_lines(self):
        documents, port = self.folder("documents"), str(self.server.port)
        for arguments, code, words in [
                ([], 64, "expected DIR"), ([documents, "--port", "70000"], 64, "invalid port '70000'"),
                ([documents, "--prot", "1"], 64, "unknown option '--prot'"),
                ([self.folder("none")], 66, "No such file"),
                ([self.folder("outside.json")], 66, "not a folder"),
                ([documents, "--port", port], 69, "already in use"),
                ([documents, "--host", "192.0.2.1", "--port", "0"], 64, "not an address of this")]:
            result = self.run_web(*arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertTrue(result.stderr.startswith("parallax-web: "))
        self.assertIn("usage: parallax-web", self.run_web("--help").stdout)
        for option in ("--version", "-V"):
            self.assertRegex(self.run_web(option).stdout, r"^parallax-web \d+\.\d+\.\d+\n$")

    def test_another_address(self):
        server = Server(self.folder, self.folder("documents"), "--host", "::1")
        self.addCleanup(server.kill)
        connection = http.client.HTTPConnection("::1", server.port, timeout=10)
        self.addCleanup(connection.close)
        connection.request("GET", "/nudge.json")
        self.assertEqual(connection.getresponse().read(), TEXT)

    def test_many_at_once(self):
        statuses = []

        def get():
            for _ in range(10):
                statuses.append(self.ask("/nudge.json")[0].status)

        threads = [threading.Thread(target=get) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(statuses, [200] * 200)


class CommandTests(unittest.TestCase):
    """`parallax serve-animations`, which executes parallax-web."""

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)
        self.folder.write("documents/nudge.json", NUDGE)

    def test_it_becomes_the_server(self):
        server = Server(
            self.folder, self.folder("documents"), command=[PARALLAX, "serve-animations"],
            PATH=PROGRAMS)
        self.addCleanup(server.kill)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        self.addCleanup(connection.close)
        connection.request("GET", "/nudge.json")
        self.assertEqual(connection.getresponse().read(), TEXT)
        code, seconds = server.end()
        self.assertEqual(code, 0)
        self.assertLess(seconds, 2)

    def test_invalid_command_lines_of_serve_animations(self):
        for arguments, code, words in [
                ([], 64, "missing expected argument"), (["x", "--port", "x"], 64, "invalid"),
                (["x", "--port", "70000"], 64, "0 to 65535"),
                ([self.folder("none")], 66, "No such file")]:
            result = subprocess.run(
                [PARALLAX, "serve-animations"] + arguments, capture_output=True, text=True,
                timeout=10, env={**os.environ, "PATH": PROGRAMS})
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
