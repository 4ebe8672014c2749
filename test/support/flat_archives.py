"""Changes of mobile archives in FlatBuffers."""

import struct

_SOURCES = 8
"""The number of the field that holds source."""


def without_sources(data: bytes) -> bytes:
    """The file with bytecode alone: the table at its root has no such field any more."""
    changed = bytearray(data)
    root = struct.unpack_from("<I", changed, 0)[0]
    fields = root - struct.unpack_from("<i", changed, root)[0]
    struct.pack_into("<H", changed, fields + 4 + 2 * _SOURCES, 0)
    return bytes(changed)
