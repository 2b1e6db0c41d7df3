# SPDX-License-Identifier: Apache-2.0
"""plasmashell on Xvfb in a root of a newer Debian, run by an ordinary user, with the wallpaper built there."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "desktop/Tests/Compositors"))
from compositor import Compositor, Daemon, Failure, wait

PLUGIN = "org.parallax.wallpaper"
PACKAGES = ["cmake", "g++", "make", "dpkg-dev", "libtomlplusplus-dev", "qt6-base-dev", "qt6-declarative-dev", "qt6-svg-plugins",
            "plasma-desktop", "plasma-workspace", "kpackagetool6", "qml-qt6", "qml6-module-org-kde-kirigami",
            "qml6-module-qtquick", "qml6-module-qtquick-controls", "qml6-module-qtquick-dialogs", "libgl1-mesa-dri", "dbus",
            "dbus-daemon", "dbus-bin", "xvfb", "imagemagick", "fonts-dejavu-core", "python3"]
# Builds and installs as docs/wallpaper-plasma.md says. The plugin of the user is tested, so the one for all users goes.
BUILD = """
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mkdir -p "$1/srv/source" "$1/usr/share/parallax"
mount --bind "$2" "$1/srv/source"
rm -rf "$1/usr/share/parallax/wallpapers"
"$2/desktop/pictures/draw.py" "$1/usr/share/parallax/wallpapers"
chmod -R a+rX "$1/usr/share/parallax"
exec chroot "$1" /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 sh -euc '
  cmake -S /srv/source/clients/qml -B /srv/build -DCMAKE_BUILD_TYPE=Release \\
    -DPARALLAX_QML_FOLDER=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/qt6/qml
  cmake --build /srv/build
  cmake --install /srv/build --prefix /usr
  rm -r /srv/plugin || true
  mv /usr/share/plasma/wallpapers/%s /srv/plugin'
""" % PLUGIN


def make_root(suite):
    root = subprocess.run([ROOT + "/scripts/debian-root", suite, "plasma"] + PACKAGES, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()
    built = subprocess.run(["unshare", "--mount", "sh", "-euc", BUILD, "sh", root, ROOT], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if built.returncode:
        raise SystemExit("test-plasma: the module cannot be built or installed:\n" + built.stdout[-3000:])
    return root


class Plasma(Compositor):
    SIZE = (1280, 720)

    def run(self):
        self.shell = None
        display = os.path.join(self.folder, "display")
        self.process = self.start(["sh", "-c", 'exec Xvfb -displayfd 3 -screen 0 %dx%dx24 3>"$HOME/display"' % self.SIZE], self.log)
        wait("Xvfb", lambda: os.path.exists(display) and open(display).read().endswith("\n"))
        self.environment.update({
            "DISPLAY": ":" + open(display).read().strip(), "QT_QPA_PLATFORM": "xcb", "XDG_CURRENT_DESKTOP": "KDE",
            "QT_FORCE_STDERR_LOGGING": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "QT_QUICK_BACKEND": "software",
            "QT_LOGGING_RULES": "qt.scenegraph.time.renderloop.debug=true",
            "PARALLAX_SOCKET": os.path.join(self.home, "parallax/parallax.sock")})
        os.mkdir(os.path.join(self.folder, "parallax"))
        self.daemon = Daemon(os.path.join(self.folder, "parallax"))
        # The bus starts services, which need the display.
        self.start_bus()
        return self.process

    def start_shell(self):
        self.shell = self.start(["plasmashell"], self.log)
        wait("plasmashell's desktop", lambda: self.evaluate("print(desktops().length)") == "1", 90)
        self.evaluate("panels().forEach(panel => panel.remove())")

    def evaluate(self, script):
        """What a script prints in plasmashell; None as long as that does not answer."""
        try:
            reply = self.output_of("dbus-send", "--session", "--print-reply=literal", "--dest=org.kde.plasmashell", "/PlasmaShell",
                                   "org.kde.PlasmaShell.evaluateScript", "string:" + script)
        except subprocess.CalledProcessError:
            return None
        return reply.decode().strip()

    def configure(self, **settings):
        self.evaluate("""for (const desktop of desktops()) {
            desktop.wallpaperPlugin = "%s"
            desktop.currentConfigGroup = ["Wallpaper", "%s", "General"]
            %s
        }""" % (PLUGIN, PLUGIN, "\n".join("desktop.writeConfig(%r, %r)" % setting for setting in settings.items())))

    def messages(self):
        with open(os.path.join(self.folder, "log"), errors="replace") as file:
            return file.read()

    def frames(self):
        """How many frames plasmashell has drawn since it started."""
        return len(re.findall(r"qt\.scenegraph\.time\.renderloop", self.messages()))

    def picture(self, output="root"):
        ppm = self.output_of("import", "-window", output, "-depth", "8", "ppm:-")
        _, size, _, pixels = ppm.split(b"\n", 3)
        width, height = map(int, size.split())
        return width, height, pixels

    def save(self, name):
        if os.environ.get("PICTURES"):
            png = self.output_of("import", "-window", "root", "png:-")
            with open(os.path.join(os.environ["PICTURES"], "plasma-%s.png" % name), "wb") as file:
                file.write(png)

    def close(self):
        if self.shell:
            self.shell.terminate()
            try:
                self.shell.wait(10)
            except subprocess.TimeoutExpired:
                self.shell.kill()
                self.shell.wait()
        self.daemon.stop()
        super().close()
