# SPDX-License-Identifier: Apache-2.0
"""Prints where a picture with a hidden margin is, as often as a display of 60 Hz draws it."""
import time

from parallax_client import Stream

stream = Stream()
stream.start()
while True:
    offset = stream.offset_at(time.monotonic())
    if offset is not None:
        print("%+7.2f %+7.2f" % (offset.x, offset.y), flush=True)
    time.sleep(1 / 60)
