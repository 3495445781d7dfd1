"""The bytes of a pcapng file. That Wireshark reads them is tested in peers/test_wireshark.py."""

import io
import struct

from feltrig.harness.export.pcapng import Capture


def blocks(data: bytes) -> list[tuple[int, bytes]]:
    found, at = [], 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        assert length % 4 == 0
        assert struct.unpack_from("<I", data, at + length - 4) == (length,)
        found.append((kind, data[at + 8 : at + length - 4]))
        at += length
    return found


def test_a_section_then_each_interface_before_its_first_packet() -> None:
    file = io.BytesIO()
    capture = Capture(file, "feltrig")
    capture.packet("shoe", "2026-11-18T10:00:00.000001Z", True, ("mbrtu", 502), b"\x01\x03", "journal record 7")
    capture.packet("rng", "2026-11-18T10:00:00.000002Z", False, ("mqtt", 1883), b"\xd0\x00", "journal record 8")
    capture.packet("shoe", "2026-11-18T10:00:00.000003Z", False, ("mbrtu", 502), b"\x01\x83", "journal record 9")
    found = blocks(file.getvalue())
    assert [kind for kind, _ in found] == [0x0A0D0D0A, 1, 6, 1, 6, 6]
    assert b"shoe" in found[1][1]
    assert b"rng" in found[3][1]
    number, high, low, captured, length = struct.unpack_from("<IIIII", found[2][1])
    assert (number, captured) == (0, length)
    assert (high << 32 | low) == 1_794_996_000_000_001
    assert found[2][1][20 : 20 + captured].endswith(b"\x01\x03")
    assert b"journal record 7" in found[2][1]
    assert struct.unpack_from("<I", found[4][1]) == (1,)
