# SPDX-License-Identifier: Apache-2.0
"""The memory of parallaxd beside that of the sensor and power daemons of a desktop, each at rest on a private bus."""
import os
import subprocess
import time

from harness import Unusable, memory
from live import Daemon, receive_offsets

BUS = """<busconfig><type>system</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow send_requested_reply="true"/>
<allow receive_requested_reply="true"/><allow receive_type="method_return"/><allow receive_type="signal"/>
</policy></busconfig>"""
# An accelerometer that iio-sensor-proxy polls, in the format of umockdev-run(1).
ACCELEROMETER = """P: /devices/iio:device0
N: iio:device0
E: DEVNAME=/dev/iio:device0
E: SUBSYSTEM=iio
E: IIO_SENSOR_PROXY_TYPE=iio-poll-accel
A: name=accel
A: in_accel_x_raw=0
A: in_accel_y_raw=-981
A: in_accel_z_raw=0
A: in_accel_scale=0.01

"""
PEERS = {
    "upowerd": ["/usr/libexec/upowerd"],
    "iio-sensor-proxy": ["/usr/libexec/iio-sensor-proxy", "/usr/sbin/iio-sensor-proxy"],
}


def started(bus, program, environment):
    """Starts a program that takes a name on the bus and waits until it is at rest. Returns it and its process."""
    command, pid = [program], None
    if "proxy" in program:
        command = ["umockdev-run", "--device", environment["MOCK"], "--", program]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 10
    name = os.path.basename(program)[:15]
    while time.monotonic() < deadline:
        time.sleep(1)
        found = subprocess.run(["pgrep", "-n", "-x", name], stdout=subprocess.PIPE, text=True).stdout.split()
        if process.poll() is not None:
            raise Unusable("%s: exit %d" % (program, process.returncode))
        if found and os.path.samefile("/proc/%s/exe" % found[0], program):
            pid = int(found[0])
            time.sleep(2)
            return process, pid
    process.kill()
    raise Unusable("%s does not start" % program)


def measure(bench):
    rows = {}
    with Daemon(bench.folder) as daemon, daemon.connect() as client:
        receive_offsets(client, 60)
        rows["parallaxd, one subscriber"] = memory(daemon.process.pid)
    path, mock = bench.path("bus"), bench.path("accelerometer")
    with open(path + ".conf", "w") as file:
        file.write(BUS % path)
    with open(mock, "w") as file:
        file.write(ACCELEROMETER)
    bus = subprocess.Popen(["dbus-daemon", "--nofork", "--nopidfile", "--print-address", "--config-file", path + ".conf"],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        bus.stdout.readline()
        environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS="unix:path=" + path, MOCK=mock)
        for name, places in PEERS.items():
            program = next(filter(os.path.exists, places), None)
            if program is None:
                rows[name] = None
                continue
            process, pid = started(bus, program, environment)
            rows[name] = memory(pid)
            process.terminate()
            process.wait()
    finally:
        bus.terminate()
        bus.wait()
        bus.stdout.close()
    for kind, what in ("Anonymous", "anonymous"), ("Pss", "shared parts divided (PSS)"):
        for name, values in rows.items():
            bench.peer("memory, %s" % what, name, values and [values[kind]], "MiB")
