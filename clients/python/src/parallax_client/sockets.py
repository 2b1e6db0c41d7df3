# SPDX-License-Identifier: Apache-2.0
"""Where the daemon's sockets are."""
import os
from typing import List, Mapping, Optional


def candidates(
        control: bool = False, explicit: Optional[str] = None,
        environment: Optional[Mapping[str, str]] = None, uid: Optional[int] = None) -> List[str]:
    """Returns the paths to try, in order.

    `explicit`, or else the socket that the environment names, is the only one: the offsets of another daemon would
    mislead. Otherwise they are the user's ($XDG_RUNTIME_DIR, or else /run/user/UID) and the system's."""
    if explicit is not None:
        return [explicit]
    values = os.environ if environment is None else environment
    name = "control.sock" if control else "parallax.sock"
    stream = values.get("PARALLAX_SOCKET", "")
    path = values.get("PARALLAX_CONTROL", "") if control else stream
    if path:
        return [path]
    if control and stream:
        return [os.path.join(os.path.dirname(stream), name)]
    runtime = values.get("XDG_RUNTIME_DIR", "") or "/run/user/%d" % (os.getuid() if uid is None else uid)
    return ["%s/parallax/%s" % (runtime, name), "/run/parallax/" + name]
