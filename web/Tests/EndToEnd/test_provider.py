# SPDX-License-Identifier: Apache-2.0
"""parallax-provider with parallax-web, and with a server that misbehaves."""
import json
import os
import signal
import socket
import subprocess
import threading
import time
import unittest

from misbehaving import GOOD, MisbehavingServer, certificate, tls
from programs import NUDGE, PROGRAMS, Folder, Program, Provider, Server, fetch

# The way in which the server misbehaves, the provider's message, and the range of seconds it may take.
QUICK = (0, 4)
TIME_LIMIT = (4.9, 6.5)
WAYS = [
    ("failing", "the server answered 500", QUICK),
    ("forbidden", "the server answered 403", QUICK),
    ("reasoned", "the server answered 503: it rains", QUICK),
    ("slow", "the server did not answer within 5 s", TIME_LIMIT),
    ("slow-head", "the server did not answer within 5 s", TIME_LIMIT),
    ("mute", "the server did not answer within 5 s", TIME_LIMIT),
    ("huge", "the limit is 1048576", QUICK),
    ("huge-chunked", "the document has more than 1048576 bytes", QUICK),
    ("endless-head", "the answer is not HTTP", QUICK),
    ("html", "the content type is text/html; expected application/json", QUICK),
    ("text", "the content type is text/plain; expected application/json", QUICK),
    ("untyped", "no content type; expected application/json", QUICK),
    ("packed", "unexpected content encoding 'gzip'", QUICK),
    ("broken", "invalid document: 1:", QUICK),
    ("array", "invalid document: 1:1: expected a JSON object", QUICK),
    ("empty", "invalid document: 1:1: empty document", QUICK),
    ("loop", "redirect loop", QUICK),
    ("endless", "more than 5 redirects", QUICK),
    ("elsewhere", "unsupported scheme 'file'", QUICK),
    ("nowhere", "the server redirects without a location", QUICK),
    ("gone", "the server closed the connection too early", QUICK),
    ("gone-without-length", "invalid document: 1:", QUICK),
    ("gone-chunked", "the server closed the connection too early", QUICK),
    ("gone-early", "the server closed the connection too early", QUICK),
    ("garbage", "the answer is not HTTP", QUICK),
]


class ProviderTests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def provider(self, *options, **environment):
        provider = Provider(self.folder, *options, **environment)
        self.addCleanup(provider.kill)
        return provider

    def misbehaving(self, **more):
        server = MisbehavingServer(**more)
        self.addCleanup(server.close)
        return server

    def assert_error(self, answer, name, words):
        head, body, seconds = answer
        self.assertEqual((head["class"], head.get("id"), body), ("ERROR", name, None), head)
        self.assertIn(words, head["message"])
        self.assertNotIn("\n", head["message"])
        self.assertLess(len(head["message"]), 300)
        return head["message"]

    def assert_document(self, answer, origin, text=GOOD):
        head, body, _ = answer
        self.assertEqual((head["class"], head.get("origin"), body), ("DOCUMENT", origin, text), head)
        return head.get("note")

    # parallax-web

    def test_parallax_web(self):
        """A document that is new, unchanged, changed and removed; then a stopped server."""
        self.folder.write("documents/nudge.json", NUDGE)
        server = Server(self.folder, self.folder("documents"))
        self.addCleanup(server.kill)
        provider = self.provider()
        text = json.dumps(NUDGE).encode()
        self.assert_document(provider.fetch(server.base, "nudge"), "network", text)
        self.assert_document(provider.fetch(server.base, "nudge"), "cache", text)
        self.folder.write("documents/nudge.json", '{"parallax": 1}')
        self.assert_document(provider.fetch(server.base, "nudge"), "network", b'{"parallax": 1}')
        server.end()
        note = self.assert_document(
            provider.fetch(server.base, "nudge"), "stale", b'{"parallax": 1}')
        self.assertIn("cannot reach the server (Connection refused); using the copy checked", note)
        message = self.assert_error(
            provider.fetch(server.base, "other"), "other", "Connection refused")
        self.assertTrue(message.startswith(server.base + "/other.json: "), message)

    def test_missing_documents(self):
        self.folder.write("documents/nudge.json", NUDGE)
        server = Server(self.folder, self.folder("documents"))
        self.addCleanup(server.kill)
        provider = self.provider()
        for name in ["none", "..json", "a.b-c_d"]:
            answer = provider.fetch(server.base, name)
            self.assert_error(answer, name, "no such animation: %s (" % name)
            self.assertIs(answer[0]["missing"], True)
        # The copy of a removed document is no longer used.
        self.assert_document(
            provider.fetch(server.base, "nudge"), "network", json.dumps(NUDGE).encode())
        os.unlink(self.folder("documents/nudge.json"))
        self.assert_error(provider.fetch(server.base, "nudge"), "nudge", "no such animation")
        server.end()
        self.assert_error(provider.fetch(server.base, "nudge"), "nudge", "Connection refused")
        self.assertEqual(os.listdir(self.folder("cache")), [])

    def test_copies_survive_a_restart(self):
        server = self.misbehaving()
        provider = self.provider()
        self.assert_document(provider.fetch(server.base, "good"), "network")
        self.assert_document(provider.fetch(server.base, "untagged"), "network")
        provider.end(signal.SIGKILL)
        provider = self.provider()
        self.assert_document(provider.fetch(server.base, "good"), "cache")
        self.assertEqual(server.requests[-1][1]["if-none-match"], '"v1"')
        self.assert_document(provider.fetch(server.base, "untagged"), "network")
        self.assertNotIn("if-none-match", server.requests[-1][1])
        server.close()
        for name in ["good", "untagged"]:
            self.assert_document(provider.fetch(server.base, name), "stale")

    # Misbehaving servers

    def test_each_way_is_a_clear_error(self):
        server = self.misbehaving()
        provider = self.provider()
        self.each_at_once(
            lambda way, words, span: self.check_error(provider, server, way, words, span))
        self.assertEqual(os.listdir(self.folder("cache")), [], "nothing is cached")

    def check_error(self, provider, server, way, words, span):
        answer = provider.fetch(server.base, way)
        message = self.assert_error(answer, way, words)
        self.assertIn(server.base, message)
        self.assertNotIn("missing", answer[0])
        self.assertTrue(span[0] <= answer[2] <= span[1], "%s took %.2f s" % (way, answer[2]))

    def test_each_way_returns_the_cached_copy(self):
        server = self.misbehaving()
        provider = self.provider()
        for way, _, _ in WAYS:
            server.ways["a-" + way] = "good"
            self.assert_document(provider.fetch(server.base, "a-" + way), "network")
            server.ways["a-" + way] = way

        def check(way, words, span):
            answer = provider.fetch(server.base, "a-" + way)
            note = self.assert_document(answer, "stale")
            self.assertIn(words, note)
            self.assertIn("; using the copy checked ", note)
            self.assertTrue(span[0] <= answer[2] <= span[1], "%s took %.2f s" % (way, answer[2]))

        self.each_at_once(check)
        # When the server works again, the document is current again.
        for way, _, _ in WAYS:
            server.ways["a-" + way] = "good"
            self.assert_document(provider.fetch(server.base, "a-" + way), "cache")

    def each_at_once(self, check):
        """Checks all ways concurrently: none waits for another."""
        failures = []

        def run(way, words, span):
            try:
                check(way, words, span)
            except Exception as error:
                failures.append("%s: %r" % (way, error))

        # The quick ones first, one at a time.
        for is_slow in [False, True]:
            threads = [threading.Thread(target=run, args=way) for way in WAYS
                       if (way[2] is TIME_LIMIT) is is_slow]
            for thread in threads:
                thread.start()
                if not is_slow:
                    thread.join()
            for thread in threads:
                thread.join()
        self.assertEqual(failures, [])

    def test_not_modified_without_a_condition(self):
        server = self.misbehaving()
        provider = self.provider()
        self.assert_error(
            provider.fetch(server.base, "unconditional-304"), "unconditional-304",
            "answered 304 to an unconditional request")

    def test_redirects_are_followed(self):
        server = self.misbehaving()
        provider = self.provider()
        self.assert_document(provider.fetch(server.base, "moved"), "network")
        self.assert_document(provider.fetch(server.base, "moved"), "cache")

    def test_unreachable_servers(self):
        provider = self.provider()
        answer = provider.fetch("http://nothing.invalid/a", "nudge")
        self.assert_error(answer, "nudge", "unknown host nothing.invalid")
        answer = provider.fetch("http://127.0.0.1:1/a", "nudge")
        self.assert_error(answer, "nudge", "cannot reach the server (Connection refused)")
        self.assertLess(answer[2], 4)

    # TLS

    def test_certificates(self):
        right = certificate(self.folder, "right", "DNS:localhost,IP:127.0.0.1")
        other = certificate(self.folder, "other", "DNS:other.example")
        good, wrong = self.misbehaving(tls=tls(right)), self.misbehaving(tls=tls(other))
        provider = self.provider()
        for server in [good, wrong]:
            self.assert_error(
                provider.fetch(server.base, "good"), "good", "certificate is not trusted")
            self.assertEqual(server.requests, [], "no request was sent")
        provider.end()
        with open(self.folder("both.pem"), "w") as file:
            for path in [right, other]:
                with open(path) as one:
                    file.write(one.read())
        provider = self.provider("--ca-file", self.folder("both.pem"))
        self.assert_document(provider.fetch(good.base, "good"), "network")
        self.assert_document(provider.fetch(good.base, "good"), "cache")
        # The host name is checked too.
        self.assert_error(
            provider.fetch(wrong.base, "good"), "good", "certificate is for another host")
        self.assert_error(
            provider.fetch(good.base, "gone"), "gone", "the server closed the connection too early")
        # The cached copy is used for TLS servers too.
        wrong.close()
        good.close()
        self.assert_document(provider.fetch(good.base, "good"), "stale")

    def test_no_redirect_from_https_to_http(self):
        plain = self.misbehaving()
        secure = self.misbehaving(
            tls=tls(certificate(self.folder, "right", "IP:127.0.0.1")))
        secure.down = lambda send, fields: send(
            b"HTTP/1.1 302 Found\r\nLocation: %s/good.json\r\nContent-Length: 0\r\n\r\n"
            % plain.base.encode())
        provider = self.provider("--ca-file", self.folder("right.pem"))
        self.assert_error(
            provider.fetch(secure.base, "down"), "down", "a redirect from https to http is not allowed")
        self.assertEqual(plain.requests, [])

    def test_a_server_without_tls(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def refuse():
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                connection.recv(1000)

        threading.Thread(target=refuse, daemon=True).start()
        provider = self.provider()
        self.assert_error(
            provider.fetch("https://127.0.0.1:%d" % listener.getsockname()[1], "good"), "good",
            "the TLS handshake failed")

    # The socket

    def test_invalid_requests(self):
        provider = self.provider()
        with provider.connect() as connection, connection.makefile("rb") as answers:
            for line, words in [
                    (b"hello", "one JSON object per line"), (b"[]", "one JSON object per line"),
                    (b'{"class":"STATUS"}', "supports only FETCH"),
                    (b'{"class":"FETCH","base":"http://a"}', "an id must be 1 to 128"),
                    (b'{"class":"FETCH","base":"http://a","id":"../a"}', "an id must be 1 to 128"),
                    (b'{"class":"FETCH","base":"file:///etc","id":"passwd"}', "unsupported scheme 'file'"),
                    (b'{"class":"FETCH","id":"nudge"}', "expected a URL such as"),
                    (b"\xff\xfe", "one JSON object per line")]:
                connection.sendall(b"\r\n" + line + b"\r\n")
                answer = json.loads(answers.readline())
                self.assertEqual(answer["class"], "ERROR")
                self.assertIn(words, answer["message"])

    def test_a_line_without_an_end(self):
        provider = self.provider()
        with provider.connect() as connection, connection.makefile("rb") as answers:
            connection.sendall(b"x" * 5000)
            self.assertIn("at most 4096 bytes", json.loads(answers.readline())["message"])
            self.assertEqual(answers.read(), b"", "the connection is closed")

    def test_a_client_that_ends_its_input_gets_the_answer(self):
        provider = self.provider()
        server = self.misbehaving()
        with provider.connect() as connection:
            line = json.dumps({"class": "FETCH", "base": server.base, "id": "good"})
            connection.sendall(line.encode() + b"\n")
            connection.shutdown(socket.SHUT_WR)
            with connection.makefile("rb") as answers:
                head = json.loads(answers.readline())
                self.assertEqual(answers.read(), GOOD)
                self.assertEqual(head["bytes"], len(GOOD))

    def test_only_its_user_has_access(self):
        provider = self.provider()
        self.assertEqual(os.stat(provider.socket).st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(self.folder("cache")).st_mode & 0o777, 0o700)

    def test_idle_connections_delay_nothing(self):
        provider = self.provider()
        server = self.misbehaving()
        idle = [provider.connect() for _ in range(60)]
        answer = provider.fetch(server.base, "good")
        self.assert_document(answer, "network")
        self.assertLess(answer[2], 4)
        for connection in idle:
            connection.close()

    # Start and exit

    def test_it_exits_at_once(self):
        server = self.misbehaving()
        for number in [signal.SIGTERM, signal.SIGINT]:
            provider = self.provider()
            thread = threading.Thread(
                target=lambda: self.assertRaises(Exception, provider.fetch, server.base, "mute"))
            thread.start()
            time.sleep(0.2)
            code, seconds = provider.end(number)
            self.assertEqual(code, 0)
            self.assertLess(seconds, 2)
            self.assertFalse(os.path.exists(provider.socket))
            thread.join()

    def test_a_stale_socket_and_one_in_use(self):
        provider = self.provider()
        provider.end(signal.SIGKILL)
        self.assertTrue(os.path.exists(provider.socket))
        self.provider()
        with self.assertRaises(AssertionError) as caught:
            self.provider()
        self.assertIn("another parallax-provider is running there", str(caught.exception))

    def test_a_cache_that_cannot_be_written(self):
        self.folder.write("cache", "a file")
        provider = self.provider()
        self.assertIn("copies are kept only in memory", provider.log_text())
        server = self.misbehaving()
        self.assert_document(provider.fetch(server.base, "good"), "network")
        self.assert_document(provider.fetch(server.base, "good"), "cache")
        server.ways["good"] = "failing"
        self.assert_document(provider.fetch(server.base, "good"), "stale")

    def test_it_exits_when_idle(self):
        """--idle 1: not during a connection, and 1 s after the last one."""
        provider = self.provider("--idle", "1")
        server = self.misbehaving()
        began = time.monotonic()
        with provider.connect():
            time.sleep(1.5)
            self.assert_document(provider.fetch(server.base, "good"), "network")
        self.assertIsNone(provider.process.poll())
        self.assertEqual(provider.process.wait(timeout=10), 0)
        self.assertTrue(2.4 < time.monotonic() - began < 8)
        self.assertFalse(os.path.exists(provider.socket))

    def test_invalid_command_lines(self):
        for arguments, code, words in [
                (["x"], 64, "unexpected argument 'x'"), (["--sokcet", "x"], 64, "unknown option"),
                (["--idle", "0"], 64, "1 to 86400 s"), (["--socket"], 64, "needs a value"),
                (["--ca-file", "/none"], 66, "/none: No such file"),
                (["--socket", self.folder("none/s")], 73, "No such file or directory"),
                (["--socket", "/" + "x" * 120], 78, "1 to 107 bytes"),
                (["--socket", self.folder.write("file", "")], 73, "is not a socket")]:
            result = subprocess.run(
                [os.path.join(PROGRAMS, "parallax-provider")] + arguments, capture_output=True,
                text=True, timeout=10, env={**os.environ, "HOME": self.folder.path})
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_systemds_socket(self):
        """Passed as descriptor 3; it is not removed on exit."""
        path = self.folder("provider.sock")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(path)
        listener.listen(8)
        script = 'exec 3<&%d; export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@"' % listener.fileno()
        program = Program(
            self.folder,
            ["sh", "-c", script, "sh", os.path.join(PROGRAMS, "parallax-provider"), "--cache",
             self.folder("cache")], name="parallax-provider", pass_fds=[listener.fileno()])
        self.addCleanup(program.kill)
        server = self.misbehaving()
        self.assert_document(fetch(path, server.base, "good"), "network")
        self.assertEqual(program.end()[0], 0)
        self.assertTrue(os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
