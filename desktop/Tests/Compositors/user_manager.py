# SPDX-License-Identifier: Apache-2.0
"""A service manager of a user's session, as systemd runs it, in a mount namespace and control groups of its own."""
import os
import subprocess
import time

from compositor import USER, Skip

# systemd --user asks for a machine that was booted with systemd, and for a control group of its own.
START = """
mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system || exit 69
for group in $(ls -d /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup/cgroup.procs 2>/dev/null); do
  group=${group%%/cgroup.procs}/parallax-test-%(pid)d
  mkdir "$group" && chown -R %(user)d:%(user)d "$group" && echo $$ >"$group/cgroup.procs" || exit 69
done
exec setpriv --reuid=%(user)d --regid=%(user)d --clear-groups /lib/systemd/systemd --user --unit=basic.target
"""


class UserManager:
    def __init__(self, compositor):
        self.compositor = compositor
        self.units = os.path.join(compositor.folder, ".config/systemd/user")
        os.makedirs(self.units, exist_ok=True)
        # It may write links to enabled units.
        subprocess.run(["chown", "-R", str(USER), os.path.join(compositor.folder, ".config")], check=True)
        environment = {name: value for name, value in compositor.environment.items() if name != "WAYLAND_DISPLAY"}
        self.process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", START % {"pid": os.getpid(), "user": USER}], env=environment,
            stdin=subprocess.DEVNULL, stdout=compositor.log, stderr=compositor.log)
        end = time.monotonic() + 20
        while not os.path.exists(os.path.join(compositor.folder, "systemd/private")):
            if self.process.poll() is not None or time.monotonic() > end:
                self.close()
                raise Skip("systemd --user does not run here")
            time.sleep(0.05)

    def write(self, name, text):
        with open(os.path.join(self.units, name), "w") as file:
            file.write(text)

    def control(self, *words):
        """Runs systemctl; returns its output."""
        result = subprocess.run(
            ["nsenter", "--mount", "--target", str(self.process.pid), "setpriv", "--reuid=%d" % USER, "--regid=%d" % USER,
             "--clear-groups", "systemctl", "--user", *words],
            env=self.compositor.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return result.stdout.strip()

    def show(self, unit, name):
        return self.control("show", "--value", "--property=" + name, unit)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
        for group in ("systemd", "unified", "."):
            for folder, _, _ in os.walk("/sys/fs/cgroup/%s/parallax-test-%d" % (group, os.getpid()), topdown=False):
                os.rmdir(folder)
