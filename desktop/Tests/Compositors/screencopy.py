# SPDX-License-Identifier: Apache-2.0
"""Pictures of a part of an output with the times at which the compositor showed them: a client of
wlr-screencopy-unstable-v1, version 2."""
import array
import mmap
import os
import socket
import struct

DISPLAY, REGISTRY = 1, 2
VERSIONS = {b"wl_shm": 1, b"wl_output": 1, b"zwlr_screencopy_manager_v1": 2}


class Screen:
    """The compositor's first output. The region is x, y, width and height in logical px."""

    def __init__(self, path, region):
        self.region = region
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(path)
        # Of each interface, the number of its object. The server requires that new numbers follow each other.
        self.received, self.next, self.objects = b"", REGISTRY + 1, {}
        self.send(DISPLAY, 1, struct.pack("=I", REGISTRY))
        while len(self.objects) < len(VERSIONS):
            sender, event, body = self.receive()
            if (sender, event) == (REGISTRY, 0):
                self.bind(body)
        self.buffer = None

    def bind(self, body):
        """Takes a global that the registry has named, if it is of use."""
        name, length = struct.unpack_from("=II", body)
        interface = body[8:8 + length - 1]
        if interface in VERSIONS and interface not in self.objects:
            self.objects[interface] = self.new()
            padded = body[4:8 + (length + 3) // 4 * 4]
            self.send(REGISTRY, 0, struct.pack("=I", name) + padded
                      + struct.pack("=II", VERSIONS[interface], self.objects[interface]))

    def send(self, target, request, body=b"", descriptor=None):
        message = struct.pack("=IHH", target, request, 8 + len(body)) + body
        more = [] if descriptor is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        self.socket.sendmsg([message], more)

    def receive(self):
        """The next event: sender, number, arguments."""
        while True:
            if len(self.received) >= 8:
                sender, event, size = struct.unpack_from("=IHH", self.received)
                if len(self.received) >= size:
                    body, self.received = self.received[8:size], self.received[size:]
                    if (sender, event) == (DISPLAY, 0):
                        raise OSError("the compositor reports an error: %r" % body)
                    return sender, event, body
            part = self.socket.recv(65536)
            if not part:
                raise OSError("the compositor has gone")
            self.received += part

    def new(self):
        self.next += 1
        return self.next - 1

    def make_buffer(self, form, width, height, stride):
        descriptor = os.memfd_create("screen")
        os.ftruncate(descriptor, stride * height)
        self.memory = mmap.mmap(descriptor, stride * height)
        pool, self.buffer = self.new(), self.new()
        self.send(self.objects[b"wl_shm"], 0, struct.pack("=Ii", pool, stride * height), descriptor)
        self.send(pool, 0, struct.pack("=IiiiiI", self.buffer, 0, width, height, stride, form))
        os.close(descriptor)
        self.size = width, height, stride

    def next_picture(self):
        """Waits until the output shows something new. Returns the instant in s of CLOCK_MONOTONIC at which the
        compositor committed it, and its pixels, B G R X, from the upper or the lower edge on."""
        frame = self.new()
        self.send(self.objects[b"zwlr_screencopy_manager_v1"], 1,
                  struct.pack("=IiIiiii", frame, 0, self.objects[b"wl_output"], *self.region))
        while True:
            sender, event, body = self.receive()
            if sender != frame:
                continue
            if event == 0:  # buffer
                if self.buffer is None:
                    self.make_buffer(*struct.unpack("=IIII", body))
                self.send(frame, 2, struct.pack("=I", self.buffer))  # copy_with_damage
            elif event == 1:  # flags
                is_inverted = struct.unpack("=I", body)[0] & 1
            elif event == 2:  # ready
                high, low, nanoseconds = struct.unpack("=III", body)
                self.send(frame, 1)  # destroy
                return (high << 32) + low + nanoseconds / 1e9, bytes(self.memory), bool(is_inverted)
            elif event == 3:
                raise OSError("the compositor does not copy")
