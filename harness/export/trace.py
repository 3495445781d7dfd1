"""The wires of a run as a trace for Wireshark: every frame a packet, with the journal record in its comment."""

from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from feltrig.harness.export.pcapng import Capture
from feltrig.harness.journal.reader import Torn, scan
from feltrig.harness.journal.records import BytesPassed, DeviceConnected
from feltrig.harness.wires import WIRES
from feltrig.harness.wires.wire import RAW, Dissector
from feltrig.protocols.framed import Framed, Unframed

DISSECTOR = Path(__file__).with_name("feltrig.lua")
"""Reads frames of the open serial protocol in Wireshark."""


@dataclass(slots=True)
class _Wire:
    """One device's wire, and the record with the last bytes on it."""

    dissector: Dissector = RAW
    framed: Framed = field(default_factory=Unframed)
    seq: int = 0
    time: str = ""


def write_trace(journal: Path, file: BinaryIO) -> None:
    """Write every byte of every wire: frames with their dissector, the rest as data. Raises JournalError."""
    capture = Capture(file, f"feltrig {version('feltrig')}")
    wires = _wires(journal)
    for record in scan(journal):
        if isinstance(record, Torn) or not isinstance(record.body, BytesPassed):
            continue
        passed = record.body
        wire = wires.setdefault(passed.device, _Wire())
        wire.seq, wire.time = record.seq, record.t
        for piece in wire.framed.hear(passed.outgoing, bytes.fromhex(passed.bytes)):
            _write(capture, passed.device, wire, piece.outgoing, piece.data, piece.is_frame)
    for name, wire in wires.items():
        for piece in wire.framed.end():
            _write(capture, name, wire, piece.outgoing, piece.data, piece.is_frame)


def _write(capture: Capture, device: str, wire: _Wire, outgoing: bool, data: bytes, is_frame: bool) -> None:
    dissector = wire.dissector if is_frame else RAW
    capture.packet(device, wire.time, outgoing, dissector, data, f"journal record {wire.seq}")


def _wires(journal: Path) -> dict[str, _Wire]:
    """The wires of the devices that have identified themselves: their first bytes pass before that."""
    found: dict[str, _Wire] = {}
    for record in scan(journal):
        if not isinstance(record, Torn) and isinstance(record.body, DeviceConnected) and record.body.wire in WIRES:
            device, wire = record.body, WIRES[record.body.wire]
            dissector = wire.dissector._replace(name=wire.dissector.name.format(kind=device.kind))
            found[device.name] = _Wire(dissector, wire.framed(device.profile is not None))
    return found
