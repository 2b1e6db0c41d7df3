# SPDX-License-Identifier: Apache-2.0
"""Portrait photos like those of phones: HEIC files with a depth image. libheif 1.15 writes none, so that heif-enc writes two
images, and this module makes the second one the depth image of the first (ISO/IEC 23008-12, 6.5.8 and 6.5.10)."""
import struct
import subprocess


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def boxes(data):
    """The boxes in data: kind, content."""
    start = 0
    while start < len(data):
        size, kind = struct.unpack_from(">I4s", data, start)
        yield kind, data[start + 8:start + size]
        start += size


def items(iinf):
    """The numbers of the items."""
    for kind, content in boxes(iinf[6:]):
        yield struct.unpack_from(">H", content, 4)[0]


def with_properties(content, added):
    """iprp with one more property for each item: added is {item: box}."""
    parts = dict(boxes(content))
    count = len(list(boxes(parts[b"ipco"])))
    properties, indexes = parts[b"ipco"], {}
    for item, new in added:
        properties += new
        count += 1
        indexes.setdefault(item, []).append(count)
    ipma = parts[b"ipma"]
    assert ipma[:4] == bytes(4), "ipma of another version"
    entries, = struct.unpack_from(">I", ipma, 4)
    result, at = ipma[:8], 8
    for _ in range(entries):
        item, known = struct.unpack_from(">HB", ipma, at)
        new = bytes(0x80 | index for index in indexes.get(item, []))
        result += struct.pack(">HB", item, known + len(new)) + ipma[at + 3:at + 3 + known] + new
        at += 3 + known
    return box(b"ipco", properties) + box(b"ipma", result)


def moved(iloc, distance):
    """iloc with all offsets moved."""
    version, sizes, bases = iloc[0], iloc[4], iloc[5]
    assert version in (0, 1) and sizes == 0x44, "iloc of another kind"
    count, = struct.unpack_from(">H", iloc, 6)
    result, at = bytearray(iloc), 8
    for _ in range(count):
        is_in_file = version == 0 or iloc[at + 3] & 15 == 0  # Otherwise in the box idat.
        at += 2 + (2 if version == 1 else 0) + 2 + (bases >> 4)
        extents, = struct.unpack_from(">H", iloc, at)
        at += 2
        for _ in range(extents):
            offset, = struct.unpack_from(">I", iloc, at)
            if is_in_file:
                struct.pack_into(">I", result, at, offset + distance)
            at += 8
    return bytes(result)


def write(photo, depth, target, quarter_turns=0):
    """Writes a HEIC of two PNG files. Viewers turn both images anticlockwise by quarter turns."""
    subprocess.run(["heif-enc", "-q", "95", "-o", target, photo, depth], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    with open(target, "rb") as file:
        top = list(boxes(file.read()))
    meta = dict(top)[b"meta"]
    parts = list(boxes(meta[4:]))
    first, = struct.unpack_from(">H", dict(parts)[b"pitm"], 4)
    second = max(items(dict(parts)[b"iinf"]))  # The last image; those before may be its parts.
    added = [(second, box(b"auxC", bytes(4) + b"urn:mpeg:hevc:2015:auxid:2\0"))]
    if quarter_turns:
        added += [(item, box(b"irot", bytes([quarter_turns]))) for item in (first, second)]

    def rebuilt(distance):
        content, references = meta[:4], bytes(4)
        for kind, old in parts:
            if kind == b"iprp":
                old = with_properties(old, added)
            if kind == b"iloc":
                old = moved(old, distance)
            if kind == b"iref":
                references = old
            else:
                content += box(kind, old)
        return content + box(b"iref", references + box(b"auxl", struct.pack(">HHH", second, 1, first)))

    distance = len(rebuilt(0)) - len(meta)
    with open(target, "wb") as file:
        file.write(b"".join(box(kind, rebuilt(distance) if kind == b"meta" else old) for kind, old in top))
