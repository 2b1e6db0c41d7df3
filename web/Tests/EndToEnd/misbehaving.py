# SPDX-License-Identifier: Apache-2.0
"""A web server that misbehaves in the way that a document's id names."""
import gzip
import json
import socket
import ssl
import subprocess
import threading
import time

GOOD = json.dumps({"parallax": 1, "animation": {"move": {"by": [1, 2]}, "duration": 0.1}}).encode()
TAG = '"v1"'


def head(status, *fields):
    return ("HTTP/1.1 %s\r\n%s\r\n" % (status, "".join(f + "\r\n" for f in fields))).encode()


def whole(body, status="200 OK", kind="application/json", *fields):
    return head(status, "Content-Type: " + kind, "Content-Length: %d" % len(body), *fields) + body


class MisbehavingServer:
    """`ways` maps an id to another way to misbehave. Ends with `close`."""

    def __init__(self, tls=None):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.tls = tls
        self.port = self.listener.getsockname()[1]
        self.base = "%s://127.0.0.1:%d/a" % ("https" if tls else "http", self.port)
        self.ways = {}
        self.requests = []
        self.is_open = True
        self.connections = []
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        if not self.is_open:
            return
        self.is_open = False
        # A thread in accept() or recv() would keep the port or the connection open.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self):
        while self.is_open:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            connection.settimeout(20)
            self.connections.append(connection)
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as lines:
                while True:
                    request = lines.readline().decode("latin-1")
                    if not request:
                        return
                    fields = {}
                    while True:
                        line = lines.readline().decode("latin-1").strip()
                        if not line:
                            break
                        name, _, value = line.partition(":")
                        fields[name.strip().lower()] = value.strip()
                    path = request.split()[1]
                    self.requests.append((path, fields))
                    name = path.partition("?")[0].rsplit("/", 1)[-1].removesuffix(".json")
                    way = getattr(self, self.ways.get(name, name).replace("-", "_"), self.missing)
                    if way(connection.sendall, fields) is False:
                        return
        except OSError:
            pass

    # Ways to answer; False closes the connection.

    def good(self, send, fields):
        if fields.get("if-none-match") == TAG:
            send(head("304 Not Modified", "ETag: " + TAG))
        else:
            send(whole(GOOD, "200 OK", "application/json", "ETag: " + TAG))

    def untagged(self, send, fields):
        send(whole(GOOD))

    def missing(self, send, fields):
        send(whole(b"{}", "404 Not Found"))

    def forbidden(self, send, fields):
        send(whole(b"{}", "403 Forbidden"))

    def failing(self, send, fields):
        send(whole(b"{}", "500 Internal Server Error"))

    def reasoned(self, send, fields):
        send(whole(b"it rains\n" + b"x" * 5000, "503 Service Unavailable", "text/plain"))

    def slow(self, send, fields):
        send(head("200 OK", "Content-Type: application/json", "Content-Length: %d" % len(GOOD)))
        for byte in GOOD:
            send(bytes([byte]))
            time.sleep(1)

    def slow_head(self, send, fields):
        for byte in whole(GOOD):
            send(bytes([byte]))
            time.sleep(1)

    def mute(self, send, fields):
        time.sleep(15)
        return False

    def huge(self, send, fields):
        send(whole(b'{"a":"' + b"x" * (2 << 20) + b'"}'))

    def huge_chunked(self, send, fields):
        send(head("200 OK", "Content-Type: application/json", "Transfer-Encoding: chunked"))
        for part in [b'{"a":"'] + [b"x" * 65536] * 32 + [b'"}']:
            send(b"%x\r\n%s\r\n" % (len(part), part))
        send(b"0\r\n\r\n")

    def endless_head(self, send, fields):
        send(b"HTTP/1.1 200 OK\r\n")
        for index in range(100_000):
            send(b"X-%d: %s\r\n" % (index, b"x" * 1000))

    def html(self, send, fields):
        send(whole(b"<!DOCTYPE html><p>Sign in", kind="text/html"))

    def text(self, send, fields):
        send(whole(GOOD, kind="text/plain"))

    def untyped(self, send, fields):
        send(head("200 OK", "Content-Length: %d" % len(GOOD)) + GOOD)

    def packed(self, send, fields):
        send(whole(gzip.compress(GOOD), "200 OK", "application/json", "Content-Encoding: gzip"))

    def broken(self, send, fields):
        send(whole(GOOD[:-3]))

    def array(self, send, fields):
        send(whole(b"[" + GOOD + b"]"))

    def empty(self, send, fields):
        send(whole(b""))

    def loop(self, send, fields):
        send(head("302 Found", "Location: loop2.json", "Content-Length: 0"))

    def loop2(self, send, fields):
        send(head("302 Found", "Location: loop.json", "Content-Length: 0"))

    def endless(self, send, fields):
        send(head("302 Found", "Location: /a/endless.json?%d" % len(self.requests),
                  "Content-Length: 0"))

    def elsewhere(self, send, fields):
        send(head("302 Found", "Location: file:///etc/passwd", "Content-Length: 0"))

    def nowhere(self, send, fields):
        send(head("302 Found", "Content-Length: 0"))

    def moved(self, send, fields):
        send(head("301 Moved", "Location: ../a/good.json", "Content-Length: 0"))

    def gone(self, send, fields):
        send(head("200 OK", "Content-Type: application/json", "Content-Length: 1000") + GOOD)
        return False

    def gone_without_length(self, send, fields):
        send(head("200 OK", "Content-Type: application/json", "Connection: close") + GOOD[:-9])
        return False

    def gone_chunked(self, send, fields):
        send(head("200 OK", "Content-Type: application/json", "Transfer-Encoding: chunked"))
        send(b"%x\r\n%s" % (len(GOOD), GOOD[:10]))
        return False

    def gone_early(self, send, fields):
        return False

    def garbage(self, send, fields):
        send(b"220 mail.example.org ESMTP\r\n\r\n")
        return False

    def unconditional_304(self, send, fields):
        send(head("304 Not Modified"))


def certificate(folder, name, names):
    """Creates a self-signed certificate with its key and returns the path of the file.

    names: the subjectAltName, such as `DNS:localhost,IP:127.0.0.1`.
    """
    path = folder(name + ".pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", path + ".key",
         "-out", path, "-days", "2", "-subj", "/CN=" + name, "-addext", "subjectAltName=" + names],
        check=True, stderr=subprocess.DEVNULL)
    return path


def tls(path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, path + ".key")
    return context
