# SPDX-License-Identifier: Apache-2.0
"""Headless compositors, a daemon that sends the given lines, and pictures of outputs."""
import contextlib
import json
import os
import re
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


class Skip(Exception):
    """This machine cannot run a test."""


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
    """A stream socket: the greeting with the range, then the offsets that `say` is given, unless a client has disabled
    them."""

    def __init__(self, folder, reach=20):
        self.path = os.path.join(folder, "parallax.sock")
        # px, on both axes.
        self.range, self.offset, self.seq = (-reach, reach), (0.0, 0.0), 0
        self.clients, self.disabled, self.server = [], set(), None
        # What clients have sent.
        self.requests = []
        self.start()

    def start(self):
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        os.chmod(self.path, 0o666)
        self.server.listen()
        threading.Thread(target=self.accept, args=(self.server,), daemon=True).start()

    def stop(self):
        for client in self.clients:
            # Its reader keeps it open otherwise. It may have gone.
            with contextlib.suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)
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
            threading.Thread(target=self.read, args=(client,), daemon=True).start()
            self.send(client, {"class": "VERSION", "release": "0.1.0", "proto_major": 1, "proto_minor": 3})
            self.send(client, self.device())
            self.send(client, {"class": "GATE", "open": True, "gain": 1, "reasons": []})
            self.send(client, self.frame())

    def read(self, client):
        try:
            for line in client.makefile():
                self.receive(client, json.loads(line))
        except (OSError, ValueError):
            pass

    def receive(self, client, request):
        self.requests.append(request)
        if "enable" in request:
            (self.disabled.discard if request["enable"] else self.disabled.add)(client)

    def device(self):
        ends = list(self.range)
        return {"class": "DEVICE", "driver": "synthetic", "state": "streaming", "range_x": ends, "range_y": ends}

    def frame(self):
        self.seq += 1
        (x, y), (low, high) = self.offset, self.range
        nx, ny = (max(-1, min(1, value / (high if value > 0 else -low))) for value in (x, y))
        return {"class": "OFFSET", "seq": self.seq, "time": time.clock_gettime(time.CLOCK_MONOTONIC), "x": x, "y": y,
                "nx": nx, "ny": ny, "vx": 0, "vy": 0}

    def send(self, client, message):
        try:
            client.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        except OSError:
            pass

    def send_frame(self):
        for client in [client for client in self.clients if client not in self.disabled]:
            self.send(client, self.frame())

    def say(self, x, y):
        """Moves, and says so twice: from the second line on nothing of the first is left."""
        self.offset = (x, y)
        for _ in range(2):
            self.send_frame()
            time.sleep(0.1)

    def set_range(self, low, high):
        self.range = (low, high)
        for client in list(self.clients):
            self.send(client, self.device())


class Compositor:
    """A compositor without screens, run by an ordinary user, here or in the root of another system."""
    # Name: physical size, scale.
    OUTPUTS = {}
    bus = None

    def __init__(self, root=""):
        # Of the other system; its paths follow this one.
        self.root = root
        self.folder = tempfile.mkdtemp(prefix="parallax-desktop-", dir=root + "/tmp")
        # As programs in the root see it.
        self.home = self.folder[len(root):]
        os.chmod(self.folder, 0o700)
        if os.geteuid() == 0:
            os.chown(self.folder, USER, USER)
        self.environment = {
            "PATH": os.environ["PATH"] if not root else "/usr/bin:/bin", "HOME": self.home,
            "XDG_RUNTIME_DIR": self.home, "LANG": "C.UTF-8"}
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.process = self.run()

    def await_socket(self, prefix):
        """The name of the compositor's socket that begins with the prefix, once it is there."""
        def names():
            return [name for name in os.listdir(self.folder) if name.startswith(prefix) and "lock" not in name]

        wait("the compositor's socket %s" % prefix, names)
        return names()[0]

    def await_display(self):
        self.environment["WAYLAND_DISPLAY"] = self.await_socket("wayland-")

    def entering(self, command):
        """How to run a command as the user: what is run, and what to do before it."""
        if not self.root:
            return {"args": command, "env": self.environment, "preexec_fn": as_user}
        # The mounts are gone with the command.
        enter = ("mount --rbind /dev $0/dev && mount -t proc proc $0/proc && exec chroot --userspec=%d:%d $0 \"$@\"" % (USER, USER))
        return {"args": ["unshare", "--mount", "sh", "-c", enter, self.root] + list(command),
                "env": dict(self.environment, PATH=os.environ["PATH"] + ":" + self.environment["PATH"])}

    def start(self, command, errors=subprocess.PIPE):
        return subprocess.Popen(**self.entering(command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

    def start_bus(self):
        """Starts a message bus for what is started afterwards."""
        address = "unix:path=" + os.path.join(self.home, "bus")
        self.bus = self.start(["dbus-daemon", "--session", "--nofork", "--address=" + address], self.log)
        wait("the message bus", lambda: os.path.exists(os.path.join(self.folder, "bus")))
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address

    def output_of(self, *command, seconds=30):
        return subprocess.run(**self.entering(command), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=seconds).stdout

    def picture(self, output):
        """The width, the height, and the pixels of an output, 3 bytes each."""
        ppm = self.output_of("grim", "-t", "ppm", "-o", output, "-")
        _, size, _, pixels = ppm.split(b"\n", 3)
        width, height = map(int, size.split())
        return width, height, pixels

    def memory(self, name="memfd:parallax-wallpaper"):
        """The bytes of the wallpaper's buffers that the compositor has mapped."""
        total = 0
        with open("/proc/%d/maps" % self.process.pid) as file:
            for line in file:
                if name in line:
                    start, end = line.split()[0].split("-")
                    total += int(end, 16) - int(start, 16)
        return total

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                # sway 1.7 does not always end.
                self.process.kill()
                self.process.wait()
        if self.bus:
            self.bus.terminate()
            self.bus.wait(10)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class AnySway(Compositor):
    def start_sway(self):
        """Starts sway with the config in the folder."""
        self.environment.update({
            "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman", "LD_PRELOAD": self.renderer_repair()})
        self.process = self.start(["sway", "-c", os.path.join(self.home, "config")], self.log)
        del self.environment["LD_PRELOAD"]
        self.await_display()
        self.environment["SWAYSOCK"] = os.path.join(self.home, self.await_socket("sway-ipc"))
        return self.process

    def renderer_repair(self):
        """A library that the software renderer of sway before 1.9 needs (subtexture.c); empty for others."""
        version = self.output_of("sway", "--version").decode().split()[2]
        if [int(part) for part in re.findall(r"\d+", version)[:2]] >= [1, 9]:
            return ""
        library = os.path.join(self.folder, "subtexture.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "subtexture.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-O2", "-o", library, source, "-lm", "-ldl"], check=True)
        return library

    def message(self, *words):
        self.output_of("swaymsg", *words)


class Sway(AnySway):
    """Outputs of three scales, one of them fractional. Its outputs cannot be disabled."""
    OUTPUTS = {"HEADLESS-1": (1280, 720, 1), "HEADLESS-2": (1600, 1200, 2), "HEADLESS-3": (1440, 900, 1.5)}

    def run(self):
        config, left = "", 0
        for name, (width, height, scale) in self.OUTPUTS.items():
            config += "output %s resolution %dx%d position %d 0 scale %g\n" % (name, width, height, left, scale)
            # Far apart: grim mixes outputs that overlap once one is larger.
            left += 4000
        with open(os.path.join(self.folder, "config"), "w") as file:
            file.write(config)
        self.environment.update({
            "WLR_BACKENDS": "headless", "WLR_HEADLESS_OUTPUTS": str(len(self.OUTPUTS))})
        return self.start_sway()


class WindowedSway(AnySway):
    """A sway whose outputs are windows of another one: to close a window unplugs the output."""
    OUTPUTS = {"WL-1": (640, 720, 1), "WL-2": (640, 720, 1)}

    def run(self):
        self.screen = Sway()
        with open(os.path.join(self.folder, "config"), "w") as file:
            file.write("")
        self.environment.update({
            "WLR_BACKENDS": "wayland", "WLR_WL_OUTPUTS": "2",
            "WAYLAND_DISPLAY": os.path.join(self.screen.folder, self.screen.environment["WAYLAND_DISPLAY"])})
        return self.start_sway()

    def unplug(self, output):
        self.screen.message('[title="%s"]' % output, "kill")

    def close(self):
        super().close()
        self.screen.close()


class KWin(Compositor):
    """One output of a fractional scale, drawn by OpenGL in software, with fractional positions."""
    OUTPUTS = {"Virtual-0": (1440, 900, 1.5)}

    def run(self):
        self.environment.update({
            "LIBGL_ALWAYS_SOFTWARE": "1", "KWIN_COMPOSE": "O2", "KWIN_SCREENSHOT_NO_PERMISSION_CHECKS": "1"})
        self.start_bus()
        # A copy has not the capabilities of the file, which a container may not have. Its name must stay.
        program = os.path.join(self.folder, "kwin_wayland")
        shutil.copy(shutil.which("kwin_wayland"), program)
        os.chmod(program, 0o755)
        width, height, scale = self.OUTPUTS["Virtual-0"]
        self.process = self.start([
            program, "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--socket", "wayland-kwin",
            # KWin multiplies them by the scale.
            "--width", str(round(width / scale)), "--height", str(round(height / scale)), "--scale", str(scale),
            "--output-count", "1"], self.log)
        self.await_display()
        return self.process

    def picture(self, output):
        command = ("/usr/bin/python3", os.path.join(os.path.dirname(__file__), "kwin_picture.py"), output)
        try:
            raw = self.output_of(*command, seconds=5)
        except subprocess.TimeoutExpired:
            # While it starts, KWin forgets a request.
            raw = self.output_of(*command)
        size, pixels = raw.split(b"\n", 1)
        width, height = map(int, size.split())
        return width, height, pixels

def write_png(path, width, height, pixel):
    """A PNG whose pixel at (x, y) is `pixel(x, y)`, R G B A."""
    write_png_rows(path, width, height, b"".join(
        b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height)))


def write_png_rows(path, width, height, rows):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
