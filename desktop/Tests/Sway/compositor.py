# SPDX-License-Identifier: Apache-2.0
"""A headless sway, a daemon that sends the given lines, and pictures of outputs."""
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import zlib

USER = 65534  # sway does not run as root


class Failure(Exception):
    pass


def wait(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure("not within %g s: %s" % (seconds, what))
        time.sleep(0.02)


def as_user():
    if os.geteuid() == 0:
        os.setgid(USER)
        os.setuid(USER)


class Daemon:
    """A stream socket: the greeting with the range, then the offsets that `say` is given."""

    def __init__(self, folder, reach=20):
        self.path = os.path.join(folder, "parallax.sock")
        self.reach, self.offset, self.seq = reach, (0.0, 0.0), 0
        self.clients, self.server = [], None
        self.start()

    def start(self):
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        os.chmod(self.path, 0o666)
        self.server.listen()
        threading.Thread(target=self.accept, args=(self.server,), daemon=True).start()

    def stop(self):
        for client in self.clients:
            client.close()
        self.clients = []
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        os.unlink(self.path)

    def accept(self, server):
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            self.clients.append(client)
            self.send(client, {"class": "VERSION", "release": "0.1.0", "proto_major": 1, "proto_minor": 3})
            self.send(client, self.device())
            self.send(client, {"class": "GATE", "open": True, "gain": 1, "reasons": []})
            self.send(client, self.frame())

    def device(self):
        ends = [-self.reach, self.reach]
        return {"class": "DEVICE", "driver": "synthetic", "state": "streaming", "range_x": ends, "range_y": ends}

    def frame(self):
        self.seq += 1
        x, y = self.offset
        return {"class": "OFFSET", "seq": self.seq, "time": time.clock_gettime(time.CLOCK_MONOTONIC), "x": x, "y": y,
                "nx": x / self.reach, "ny": y / self.reach, "vx": 0, "vy": 0}

    def send(self, client, message):
        try:
            client.sendall((json.dumps(message) + "\n").encode())
        except OSError:
            pass

    def say(self, x, y):
        """Moves, and says so twice: from the second line on nothing of the first is left."""
        self.offset = (x, y)
        for _ in range(2):
            for client in list(self.clients):
                self.send(client, self.frame())
            time.sleep(0.1)

    def set_reach(self, reach):
        self.reach = reach
        for client in list(self.clients):
            self.send(client, self.device())


class Sway:
    """Two outputs of different scales."""
    OUTPUTS = {"HEADLESS-1": (1280, 720, 1), "HEADLESS-2": (1600, 1200, 2)}

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="parallax-sway-")
        os.chmod(self.folder, 0o700)
        if os.geteuid() == 0:
            os.chown(self.folder, USER, USER)
        config, left = "", 0
        for name, (width, height, scale) in self.OUTPUTS.items():
            config += "output %s resolution %dx%d position %d 0 scale %g\n" % (name, width, height, left, scale)
            left += width
        with open(os.path.join(self.folder, "config"), "w") as file:
            file.write(config)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "LANG": "C.UTF-8",
            "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            "WLR_HEADLESS_OUTPUTS": str(len(self.OUTPUTS)),
        }
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.sway = self.start(["sway", "-c", os.path.join(self.folder, "config")], self.log)
        wait("sway's socket", lambda: [name for name in os.listdir(self.folder)
                                       if name.startswith("wayland-") and not name.endswith(".lock")])
        self.environment["WAYLAND_DISPLAY"] = [
            name for name in os.listdir(self.folder) if name.startswith("wayland-") and not name.endswith(".lock")][0]
        self.environment["SWAYSOCK"] = [
            os.path.join(self.folder, name) for name in os.listdir(self.folder) if name.startswith("sway-ipc")][0]

    def start(self, command, errors=subprocess.PIPE):
        return subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=errors, preexec_fn=as_user)

    def message(self, *words):
        subprocess.run(["swaymsg"] + list(words), env=self.environment, preexec_fn=as_user, check=True,
                       stdout=subprocess.DEVNULL)

    def picture(self, output):
        """The width, the height, and the pixels of an output, 3 bytes each."""
        ppm = subprocess.run(["grim", "-t", "ppm", "-o", output, "-"], env=self.environment, preexec_fn=as_user,
                             check=True, stdout=subprocess.PIPE).stdout
        _, size, _, pixels = ppm.split(b"\n", 3)
        width, height = map(int, size.split())
        return width, height, pixels

    def close(self):
        self.sway.terminate()
        self.sway.wait(10)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def write_png(path, width, height, pixel):
    """A PNG whose pixel at (x, y) is `pixel(x, y)`, R G B A."""
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
