# SPDX-License-Identifier: Apache-2.0
"""A mock gyroscope whose scans come from a pipe, for a umockdev testbed."""
import os
import struct
import threading
import time


class Gyroscope:
    """`gyro_3d` with a trigger. Its three axes always measure the same raw values."""

    RATE = 100

    def __init__(self, testbed, raw, kind="le:s16/16>>0", layout="<3h", scale="0.001", attributes=(),
                 has_node=True):
        """raw: what the driver reports, before offset and scale. kind: the kernel's description of a
        value in a scan. layout: the same for struct.pack, with the value already shifted. Without a
        node it is polled."""
        self.testbed = testbed
        self.raw = raw
        self.layout = layout
        self.shift = int(kind.split(">>")[1])
        files = [
            ("name", "gyro_3d"), ("in_anglvel_scale", scale), ("buffer/enable", "0"),
            ("buffer/length", "2"), ("trigger/current_trigger", "gyro_3d-dev0")]
        files += attributes
        if not any(name.endswith("sampling_frequency") for name, _ in files):
            files.append(("sampling_frequency", str(self.RATE)))
        for index, axis in enumerate("xyz"):
            files += [
                ("in_anglvel_%s_raw" % axis, str(raw[index])),
                ("scan_elements/in_anglvel_%s_en" % axis, "0"),
                ("scan_elements/in_anglvel_%s_index" % axis, str(index)),
                ("scan_elements/in_anglvel_%s_type" % axis, kind)]
        self.path = testbed.add_device(
            "iio", "iio:device0", None,
            [text for name, value in files for text in (name, value + "\n")],
            ["DEVNAME", "/dev/iio:device0"])
        testbed.add_device("iio", "trigger0", None, ["name", "gyro_3d-dev0\n"], [])
        self.node = os.path.join(testbed.get_root_dir(), "dev/iio:device0")
        os.makedirs(os.path.dirname(self.node), exist_ok=True)
        if os.path.exists(self.node):
            os.unlink(self.node)
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.measure, daemon=True)
        if has_node:
            os.mkfifo(self.node)
            self.thread.start()

    def measure(self):
        pipe = os.open(self.node, os.O_RDWR | os.O_NONBLOCK)
        due = time.monotonic()
        while not self.ended.wait(max(0, due - time.monotonic())):
            due += 1 / self.rate()
            scan = struct.pack(self.layout, *[value << self.shift for value in self.raw])
            try:
                os.write(pipe, scan)
            except BlockingIOError:
                pass
        os.close(pipe)

    def rate(self):
        return float(self.file("sampling_frequency") or self.RATE)

    def file(self, name):
        """Returns the text of a file in the device's folder."""
        path = os.path.join(self.testbed.get_root_dir(), self.path.lstrip("/"), name)
        with open(path) as file:
            return file.read().strip().strip("\0")

    def close(self):
        self.ended.set()
        if self.thread.is_alive():
            self.thread.join()
