# SPDX-License-Identifier: Apache-2.0
"""A headless GNOME Shell in a root of a newer Debian, run by an ordinary user."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import gi
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, Gio, GLib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "desktop/Tests/Compositors"))
from compositor import Daemon, Failure, USER, wait

UUID = "parallax@parallax-motion.org"
PACKAGES = ["gnome-shell", "libgl1-mesa-dri", "dbus-daemon", "librsvg2-common", "fonts-dejavu-core", "gjs"]
# Where the folder of a test is in the root.
INSIDE = "/run/parallax-test"

# Everything ends with the shell that runs this: it is the first process of a namespace.
ENTER = """
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mkdir -m 1777 "$1/tmp/.X11-unix"
mkdir -p "$1%(inside)s"
mount --bind "$2" "$1%(inside)s"
exec chroot --userspec=%(user)d:%(user)d "$1" /usr/bin/env -i HOME=%(inside)s XDG_RUNTIME_DIR=%(inside)s LANG=C.UTF-8 \\
  PATH=/usr/bin:/bin XDG_DATA_DIRS=%(inside)s/share:/usr/share LIBGL_ALWAYS_SOFTWARE=1 GSETTINGS_BACKEND=keyfile \\
  XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=GNOME DBUS_SESSION_BUS_ADDRESS=unix:path=%(inside)s/bus \\
  DBUS_SYSTEM_BUS_ADDRESS=unix:path=%(inside)s/system-bus /bin/sh -euc "$3"
""" % {"inside": INSIDE, "user": USER}

SETTINGS = """
[org/gnome/shell]
enabled-extensions=['driver@parallax-motion.org', '%s']
welcome-dialog-last-shown-version='99'

[org/gnome/mutter]
experimental-features=['scale-monitor-framebuffer']
""" % UUID


class GnomeShell:
    """A session with virtual monitors and the extension."""

    def __init__(self, root, monitors, pictures=None):
        self.folder = tempfile.mkdtemp(prefix="parallax-gnome-")
        extensions = os.path.join(self.folder, ".local/share/gnome-shell/extensions")
        subprocess.run([ROOT + "/scripts/gnome-extension", os.path.join(extensions, UUID)], check=True)
        subprocess.run(["glib-compile-schemas", os.path.join(extensions, UUID, "schemas")], check=True)
        driver = "driver@parallax-motion.org"
        shutil.copytree(os.path.join(HERE, driver), os.path.join(extensions, driver))
        self.config = os.path.join(self.folder, ".config/parallax")
        os.makedirs(self.config)
        os.makedirs(os.path.join(self.folder, ".config/glib-2.0/settings"))
        with open(os.path.join(self.folder, ".config/glib-2.0/settings/keyfile"), "w") as file:
            file.write(SETTINGS)
        for name, write in (pictures or {}).items():
            write(os.path.join(self.config, name))
        os.makedirs(os.path.join(self.folder, "parallax"))
        os.chmod(self.folder, 0o755)
        self.daemon = Daemon(os.path.join(self.folder, "parallax"))
        self.give_to_user()
        self.log_path = os.path.join(self.folder, "log")
        self.log = open(self.log_path, "wb")
        arguments = " ".join("--virtual-monitor " + monitor for monitor in monitors)
        script = """
dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" &
dbus-daemon --session --nofork --nopidfile --address="$DBUS_SYSTEM_BUS_ADDRESS" &
until [ -S %s/bus ] && [ -S %s/system-bus ]; do sleep 0.02; done
gnome-shell --headless --wayland --force-animations %s
""" % (INSIDE, INSIDE, arguments)
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "sh", "-euc", ENTER, "sh", root, self.folder, script],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        try:
            self.connect()
        except BaseException:
            self.close()
            raise

    def connect(self):
        bus = os.path.join(self.folder, "bus")
        self.wait("the message bus", lambda: os.path.exists(bus))
        # A message bus admits only its own user.
        os.seteuid(USER)
        try:
            self.bus = Gio.DBusConnection.new_for_address_sync(
                "unix:path=" + bus, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
                | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        finally:
            os.seteuid(0)
        self.wait("the shell", lambda: self.evaluate("Main.layoutManager._startingUp", missing=True) is False, 90)
        self.evaluate("Main.overview.hide()")
        self.wait("the end of the overview", lambda: self.evaluate("Main.overview.visible") is False)

    def give_to_user(self):
        for folder, _, names in os.walk(self.folder):
            for path in [folder] + [os.path.join(folder, name) for name in names]:
                os.lchown(path, USER, USER)

    def wait(self, what, condition, seconds=30):
        def holds():
            if self.process.poll() is not None:
                raise Failure("the shell has ended:\n" + self.messages()[-3000:])
            return condition()

        wait(what, holds, seconds)

    def messages(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def call(self, name, path, interface, method, signature, arguments, seconds=30):
        return self.bus.call_sync(name, path, interface, method, GLib.Variant(signature, arguments), None,
                                  Gio.DBusCallFlags.NONE, seconds * 1000, None).unpack()

    def evaluate(self, code, missing=False):
        """The value of an expression in the shell. `extension` is the extension."""
        code = "(() => { const extension = Main.extensionManager.lookup('%s')?.stateObj; return %s; })()" % (UUID, code)
        try:
            done, value = self.call("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval", "(s)", (code,))
        except GLib.Error:
            if missing:
                return None
            raise
        if not done:
            if missing:
                return None
            raise Failure("%s: %s" % (code, value))
        return json.loads(value) if value else None

    def picture(self):
        """A screenshot of all monitors: width, height, pixels per row, pixels of 3 bytes."""
        path = "/shot.png"
        done, _ = self.call("org.gnome.Shell", "/org/gnome/Shell/Screenshot", "org.gnome.Shell.Screenshot", "Screenshot",
                            "(bbs)", (False, False, INSIDE + path))
        if not done:
            raise Failure("no screenshot")
        pixbuf = GdkPixbuf.Pixbuf.new_from_file(self.folder + path)
        return Screenshot(pixbuf)

    def close(self):
        # unshare's --kill-child has no effect on a child that changes its user. Without its first process, the
        # namespace ends.
        with open("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid)) as file:
            for child in file.read().split():
                os.kill(int(child), signal.SIGKILL)
        self.process.wait()
        self.daemon.stop()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Screenshot:
    def __init__(self, pixbuf):
        self.pixbuf, self.pixels = pixbuf, pixbuf.get_pixels()
        self.width, self.height = pixbuf.get_width(), pixbuf.get_height()

    def at(self, x, y):
        start = y * self.pixbuf.get_rowstride() + x * self.pixbuf.get_n_channels()
        return tuple(self.pixels[start:start + 3])

    def save(self, path):
        self.pixbuf.savev(path, "png", [], [])
