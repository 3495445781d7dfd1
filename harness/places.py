"""Where devices are found by programs: said in a table for people, or in JSON for a script."""

from collections.abc import Iterable
from dataclasses import dataclass

from feltrig.harness.rigconfig import DeviceConfig, ModbusRtu, ModbusTcp, ModbusTls, Serial

NUMBERED = {"serial": "address", "modbus-rtu": "unit", "modbus-tcp": "unit", "modbus-tls": "unit"}
"""What the number is called by which a device is told from others on its line."""


@dataclass(frozen=True, slots=True)
class Place:
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


def lines(places: Iterable[Place], broker: str | None) -> list[str]:
    """A table of the places, and where the broker is."""
    rows = [("device", "kind", "wire", "where"), *((p.name, p.kind, p.wire, _where(p)) for p in places)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (zip(row, widths, strict=True) for row in rows)
    said = ["  ".join(cell.ljust(width) for cell, width in row).rstrip() for row in padded]
    return [*said, f"MQTT broker at {broker}"] if broker else said


def _where(place: Place) -> str:
    if place.broker is not None:
        return f"{place.where} by {place.broker}"
    return place.where if place.number is None else f"{place.where} {NUMBERED[place.wire]} {place.number}"
