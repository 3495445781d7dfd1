"""Where devices are found by programs: said in a table for people, or in JSON for a script."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from feltrig.harness.rig.model import DeviceConfig, ModbusRtu, ModbusTcp, ModbusTls, Serial

NUMBERED = {"serial": "address", "modbus-rtu": "unit", "modbus-tcp": "unit", "modbus-tls": "unit"}
"""What the number is called by which a device is told from others on its line."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a device is served."""

    name: str
    kind: str
    wire: str
    where: str
    """A port's path or URL, `host:port`, or a topic."""
    number: int | None = None
    """Its address or unit; None where it has none."""
    broker: str | None = None
    """On MQTT, by which `host:port` it is reached when that is not the broker's own."""

    def plain(self) -> dict[str, str | int]:
        """As JSON has it."""
        number = {} if self.number is None else {NUMBERED[self.wire]: self.number}
        broker = {} if self.broker is None else {"broker": self.broker}
        return {"kind": self.kind, "wire": self.wire, "where": self.where, **number, **broker}


def number_of(device: DeviceConfig) -> int | None:
    """The address or unit of a device; None where it has none."""
    match device.wire:
        case Serial(address=number) if device.profile is None:
            return number
        case ModbusRtu(unit=number) | ModbusTcp(unit=number) | ModbusTls(unit=number):
            return number
    return None


def lines(endpoints: Iterable[Endpoint], broker: str | None) -> list[str]:
    """A table of the endpoints, and where the broker is."""
    rows = [("device", "kind", "wire", "where"), *((p.name, p.kind, p.wire, _where(p)) for p in endpoints)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (zip(row, widths, strict=True) for row in rows)
    said = ["  ".join(cell.ljust(width) for cell, width in row).rstrip() for row in padded]
    return [*said, f"MQTT broker at {broker}"] if broker else said


def announce(
    endpoints: Sequence[Endpoint],
    broker: str | None,
    doing: str,
    as_json: bool,
    *,
    ca: str | None = None,
    control: str | None = None,
) -> None:
    """Say where all are found, the file with the certificate of those with TLS, and the control interface."""
    if as_json:
        said = {"devices": {place.name: place.plain() for place in endpoints}, "broker": broker}
        more = {"ca": ca, "control": control}
        print(json.dumps(said | {key: value for key, value in more.items() if value}), flush=True)
        return
    print(*lines(endpoints, broker), sep="\n")
    if ca:
        print(f"certificates signed by {ca}")
    if control:
        print(f"control interface at {control}")
    print(f"{doing} until interrupted (Ctrl-C)", flush=True)


@contextmanager
def authority_file(pem: bytes | None) -> Iterator[str | None]:
    """A file with the certificate by which programs know the emulated ends of TLS; None without such ends."""
    if pem is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="feltrig-") as folder:
        file = Path(folder) / "ca.pem"
        file.write_bytes(pem)
        yield str(file)


def _where(place: Endpoint) -> str:
    if place.broker is not None:
        return f"{place.where} by {place.broker}"
    return place.where if place.number is None else f"{place.where} {NUMBERED[place.wire]} {place.number}"
