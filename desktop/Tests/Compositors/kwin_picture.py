# SPDX-License-Identifier: Apache-2.0
"""kwin_picture.py OUTPUT: writes the width and height of an output of KWin, a line feed, and its pixels, 3 bytes each.
Needs python3-dbus and KWIN_SCREENSHOT_NO_PERMISSION_CHECKS=1 in KWin's environment."""
import os
import sys
import threading

import dbus

reader, writer = os.pipe()
data = []


def read():
    while True:
        block = os.read(reader, 1 << 20)
        if not block:
            return
        data.append(block)


thread = threading.Thread(target=read)
thread.start()
try:
    screenshot = dbus.Interface(
        dbus.SessionBus().get_object("org.kde.KWin", "/org/kde/KWin/ScreenShot2"), "org.kde.KWin.ScreenShot2")
    answer = screenshot.CaptureScreen(
        sys.argv[1], {"native-resolution": dbus.Boolean(True, variant_level=1)}, dbus.types.UnixFd(writer))
finally:
    os.close(writer)
thread.join()
width, height, stride = (int(answer[name]) for name in ("width", "height", "stride"))
raw = b"".join(data)
pixels = bytearray(width * height * 3)
for y in range(height):
    row = raw[y * stride:y * stride + width * 4]
    for channel in range(3):
        # QImage's 32 bits are B, G, R, A.
        pixels[y * width * 3 + channel:(y + 1) * width * 3:3] = row[2 - channel::4]
sys.stdout.buffer.write(b"%d %d\n" % (width, height) + bytes(pixels))
