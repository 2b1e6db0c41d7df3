# SPDX-License-Identifier: Apache-2.0
"""A machine for one test: private buses, mock power supplies, and parallaxd itself."""
import json
import os
import queue
import shutil
import socket
import subprocess
import tempfile
import threading
import time

import dbus

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARALLAXD = os.environ.get("PARALLAXD") or os.path.join(ROOT, ".build/debug/parallaxd")
MOCK_PORTAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mock_portal.py")
MOCK_PROFILES = os.path.join(os.path.dirname(MOCK_PORTAL), "mock_profiles.py")
PROFILES = "/usr/libexec/power-profiles-daemon"
UPOWER = "/usr/libexec/upowerd"

BUS = """<busconfig><type>system</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/>
<allow send_type="method_call"/><allow send_type="signal"/>
<allow send_type="method_return"/><allow send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="signal"/>
<allow receive_type="method_return"/><allow receive_type="error"/></policy></busconfig>"""


# A test fails after this many seconds without what it waits for.
PATIENCE = 60
# What must not wait for something takes less, also on a busy machine; what waits for one of the daemon's
# deadlines takes 5 s or more.
PROMPT = 4


def wait(what, condition, seconds=PATIENCE):
    """Polls until a condition holds, for what another process does without a notification."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("not within %d s: %s" % (seconds, what))
        time.sleep(0.005)


class Bus:
    """A private dbus-daemon."""

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        self.address = "unix:path=" + self.path
        self.configuration = self.path + ".conf"
        with open(self.configuration, "w") as file:
            file.write(BUS % self.path)
        self.process = None
        self.start()

    def start(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.process = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", "--print-address",
             "--config-file=" + self.configuration],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout.readline(), "dbus-daemon does not start"

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None

    def connect(self):
        return dbus.bus.BusConnection(self.address)

    def has(self, name):
        connection = self.connect()
        try:
            return connection.name_has_owner(name)
        finally:
            connection.close()


class MuteBus:
    """A bus that accepts connections and never answers."""

    def __init__(self, folder, name):
        self.address = "unix:path=" + os.path.join(folder, name)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(folder, name))
        self.listener.listen(16)

    def kill(self):
        self.listener.close()


class Machine:
    """Buses, services and parallaxd, all of which end with close()."""

    def __init__(self, system=Bus, session=Bus, devices=None):
        """devices: a umockdev testbed, which sets C's environment but not Python's."""
        self.devices = {"UMOCKDEV_DIR": devices.get_root_dir()} if devices else {}
        self.folder = tempfile.mkdtemp(prefix="parallax.")
        self.system = system(self.folder, "system")
        self.session = session(self.folder, "session")
        self.processes = []

    def close(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        self.system.kill()
        self.session.kill()
        shutil.rmtree(self.folder)

    def environment(self, **more):
        own = dict(
            DBUS_SYSTEM_BUS_ADDRESS=self.system.address,
            DBUS_SESSION_BUS_ADDRESS=self.session.address, XDG_RUNTIME_DIR=self.folder,
            XDG_CONFIG_HOME=self.folder)
        return {**os.environ, **own, **self.devices, **more}

    def start(self, command, bus=None, name=None, **more):
        """Starts a program and waits until it owns its bus name."""
        process = subprocess.Popen(
            command, env=self.environment(**more), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.processes.append(process)
        if name:
            wait(name, lambda: process.poll() is None and bus.has(name))
        return process

    def stop(self, process):
        process.kill()
        process.wait()
        self.processes.remove(process)

    # Programs

    def start_polkit(self):
        """Starts a polkit that allows everything."""
        self.start(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "polkitd"],
            self.system, "org.freedesktop.PolicyKit1")
        authority = self.system.connect().get_object(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority")
        authority.AllowUnknown(True, dbus_interface="org.freedesktop.DBus.Mock")

    def start_profiles(self):
        return self.start(
            [PROFILES], self.system, "net.hadess.PowerProfiles",
            POWER_PROFILE_DAEMON_FAKE_DRIVER="1")

    def set_profile(self, profile):
        daemon = self.system.connect().get_object(
            "net.hadess.PowerProfiles", "/net/hadess/PowerProfiles")
        daemon.Set(
            "net.hadess.PowerProfiles", "ActiveProfile", profile,
            dbus_interface="org.freedesktop.DBus.Properties")

    def start_mock_profiles(self, *names):
        """Starts a daemon like power-profiles-daemon 0.20 and newer, with these bus names."""
        return self.start(["/usr/bin/python3", MOCK_PROFILES] + list(names), self.system, names[-1])

    def set_mock_profile(self, name, profile):
        mock = self.system.connect().get_object(name, "/org/example/Mock")
        mock.Change(profile, dbus_interface="org.example.Mock")

    def start_upower(self):
        return self.start([UPOWER], self.system, "org.freedesktop.UPower")

    def start_portal(self, version, *settings, session=None):
        """settings: words such as `org.freedesktop.appearance reduced-motion u 1`."""
        session = session or self.session
        return self.start(
            ["/usr/bin/python3", MOCK_PORTAL, str(version)] + list(settings), session,
            "org.freedesktop.portal.Desktop", DBUS_SESSION_BUS_ADDRESS=session.address)

    def set_portal(self, namespace, key, value, session=None):
        portal = (session or self.session).connect().get_object(
            "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
        portal.Change(namespace, key, value, dbus_interface="org.example.Mock")

    def start_parallaxd(self, *settings, **more):
        path = os.path.join(self.folder, "parallax.sock")
        command = [PARALLAXD]
        for setting in ["source.kind=synthetic", "socket.path=" + path] + list(settings):
            command += ["--set", setting]
        log = open(os.path.join(self.folder, "log"), "w")
        process = subprocess.Popen(
            command, env=self.environment(PARALLAX_CONTROL="", **more), stdout=log, stderr=log)
        log.close()
        self.processes.append(process)
        # The file exists a moment before it can be connected to.
        wait("parallaxd listens", lambda: "listening on" in self.log() and process.poll() is None)
        return process

    def log(self):
        with open(os.path.join(self.folder, "log")) as file:
            return file.read()

    def subscribe(self, user=None):
        """Connects, as a user if one is given, which needs root: the kernel reports it to parallaxd."""
        path = os.path.join(self.folder, "parallax.sock")
        if user is None:
            return Subscriber(path)
        os.seteuid(user)
        try:
            return Subscriber(path)
        finally:
            os.seteuid(0)


class Subscriber:
    """Reads the stream, each line with its time of arrival."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.gates = queue.Queue()
        self.offsets = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with self.socket.makefile() as lines:
            for line in lines:
                now = time.monotonic()
                message = json.loads(line)
                if message["class"] == "GATE":
                    self.gates.put((now, message["reasons"]))
                elif message["class"] == "OFFSET":
                    self.offsets.append((now, message["x"], message["y"]))

    def gate(self, seconds=PATIENCE):
        """Returns the time of arrival and the reasons of the next GATE."""
        try:
            return self.gates.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError("no GATE within %d s" % seconds)

    def wait_gate(self, *reasons):
        """Waits for a GATE with these reasons and returns its time of arrival."""
        while True:
            now, found = self.gate()
            if found == list(reasons):
                return now

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
