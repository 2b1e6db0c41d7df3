# SPDX-License-Identifier: Apache-2.0
"""sessions.sh: who may read and who may control, with real logins."""
from checks import Marks, Stream, read

# Who and where: stream, STATUS, INHIBIT and SET of a new connection.
ROWS = [
    ("root, no session", "yes yes yes yes"),
    ("ann, not logged in", "denied denied denied denied"),
    ("mia, no session, group parallax", "yes yes denied denied"),
    ("otto, no session, control-users", "denied yes denied yes"),
    ("ann, console, in front", "yes yes yes denied"),
    ("rita, session without a seat", "denied denied denied denied"),
    ("lena, lingering", "denied denied denied denied"),
    ("ann, console, in the background", "denied denied denied denied"),
    ("ben, console, in front", "yes yes yes denied"),
    ("ben, console, in the background", "denied denied denied denied"),
    ("ann, logged out, a job left", "denied denied denied denied"),
    ("ben, console, in front again", "yes yes yes denied"),
    ('rita, session without a seat, access = "all"', "yes yes denied denied"),
    ("rita, session without a seat", "denied denied denied denied"),
    ('ben, console of seat0, seat = "seat1"', "denied denied denied denied"),
]


def gate(stream, marks, name):
    """Returns the reasons in the last GATE before a mark, or None."""
    at = marks.at(name)
    lines = stream.of("GATE", end=at) if at else []
    return lines[-1][1]["reasons"] if lines else None


def last(stream):
    """Returns the code of the ERROR with which a connection ended, or None."""
    if not stream.lines or stream.end is None:
        return None
    return stream.lines[-1][1].get("code")


def check(folder, _, checks):
    marks = Marks(folder)
    checks.equal("sessions: awaited lines that did not come", marks.missing(), [])
    found = read(folder, "table.txt").splitlines()
    for number, (where, expected) in enumerate(ROWS):
        row = found[number] if number < len(found) else ""
        checks.equal("stream, STATUS, INHIBIT, SET", row, "%s: %s" % (where, expected))
    session = marks.value("session-ann") or ""
    checks.that("Seat=seat0" in session and "VTNr=2" in session and "Service=login" in session,
                "logind's session of a console", session, "seat0, VT 2, login")

    ann, control, root = (Stream("%s/%s" % (folder, name))
                          for name in ("ann.stream", "ann.control", "root.stream"))
    checks.equal("INHIBIT in front", gate(root, marks, "inhibited"), ["inhibit"])
    checks.equal("INHIBIT in the background", gate(root, marks, "background"), [])
    checks.equal("INHIBIT in front again", gate(root, marks, "front"), ["inhibit"])
    checks.equal("INHIBIT after the logout", gate(root, marks, "logout"), [])
    checks.equal("INHIBIT after the logout: its connection", last(control), "denied")
    checks.equal("in the background: gate", gate(ann, marks, "background"), ["inactive"])
    background, front = marks.at("background"), marks.at("front")
    moved = [line for line in ann.offsets(background or 0, front or 0) if line["x"] or line["y"]]
    checks.equal("in the background: offsets other than (0, 0)", len(moved), 0)
    checks.equal("logged out: the seat's file", marks.value("seat-after-logout"), "ACTIVE_UID=60001")
    checks.equal("logged out: jobs left", marks.value("job-after-logout"), "1")
    checks.equal("logged out: the stream", last(ann), "denied")
    rita = Stream(folder + "/rita.stream")
    checks.that(len(rita.of("OFFSET")) > 0, "access = \"all\": offsets without a seat",
                len(rita.of("OFFSET")), "> 0")
    checks.equal("narrowed access: the stream", last(rita), "denied")
