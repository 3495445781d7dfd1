"""The wires of a journal as packets."""

import io
from pathlib import Path

import pytest

from feltrig.errors import JournalError
from feltrig.harness.export import trace
from feltrig.harness.journal.records import DeviceConnected
from feltrig.harness.journal.writer import Journal
from feltrig.harness.wires.wire import Dissector


class Packets:
    """Stands for a file: what would be written to it."""

    written: list[tuple[object, ...]]

    def __init__(self, *_: object) -> None:
        Packets.written = []

    def packet(
        self, interface: str, time: str, outgoing: bool, dissector: Dissector, data: bytes, comment: str
    ) -> None:
        Packets.written.append((interface, outgoing, dissector.name, data.hex(), comment))


@pytest.fixture
def packets(monkeypatch: pytest.MonkeyPatch) -> type[Packets]:
    monkeypatch.setattr(trace, "Capture", Packets)
    return Packets


def connected(name: str, wire: str, profile: dict[str, object] | None = None) -> DeviceConnected:
    return DeviceConnected(name, "shoe", wire, True, "", {}, {}, (), profile, (), ())


def test_frames_by_their_wire_and_the_record_that_completed_them(tmp_path: Path, packets: type[Packets]) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.wire("a", True, bytes.fromhex("0006010102dfe8"))
        journal.wire("b", True, bytes.fromhex("010300"))
        journal.wire("a", True, b"\0")
        journal.wire("b", True, bytes.fromhex("00000b040d"))
        journal.wire("c", False, b"xy")
        journal.wire("d", False, b"?")
        journal.append(connected("a", "serial"))
        journal.append(connected("b", "modbus-rtu"))
        journal.append(connected("c", "serial", {"name": "own", "lacks": []}))
    trace.write_trace(tmp_path / "j", io.BytesIO())
    assert packets.written == [
        ("a", True, "feltrig_shoe", "0006010102dfe800", "journal record 3"),
        ("b", True, "mbrtu", "01030000000b040d", "journal record 4"),
        ("c", False, "data", "7879", "journal record 5"),
        ("d", False, "data", "3f", "journal record 6"),
    ]


def test_what_never_became_a_frame_comes_last(tmp_path: Path, packets: type[Packets]) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.append(connected("a", "serial"))
        journal.wire("a", False, b"\0\x06\x01")
    trace.write_trace(tmp_path / "j", io.BytesIO())
    assert packets.written == [("a", False, "data", "0601", "journal record 2")]


def test_a_journal_that_was_changed_gives_no_trace(tmp_path: Path, packets: type[Packets]) -> None:
    with Journal(tmp_path / "j") as journal:
        journal.wire("a", False, b"abc")
    path = tmp_path / "j"
    path.write_bytes(path.read_bytes().replace(b"616263", b"616264"))
    with pytest.raises(JournalError, match="line 1"):
        trace.write_trace(path, io.BytesIO())
