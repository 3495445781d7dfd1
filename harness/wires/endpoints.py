"""Where programs find devices."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from feltrig.harness.rig.model import DeviceConfig, Rig
from feltrig.harness.wires import WIRES, wire_of


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
    """On a broker, by which `host:port` it is reached when that is not the broker's own."""

    @property
    def numbered(self) -> str:
        """What its wire calls the number."""
        return WIRES[self.wire].numbered or "number"

    def plain(self) -> dict[str, str | int]:
        number = {} if self.number is None else {self.numbered: self.number}
        broker = {} if self.broker is None else {"broker": self.broker}
        return {"kind": self.kind, "wire": self.wire, "where": self.where, **number, **broker}


def endpoint(device: DeviceConfig, where: str, disturbed: str | None = None) -> Endpoint:
    """Where a device is served, or where the noise in front of it is. A broker has that in front of itself."""
    wire = wire_of(device)
    broker = disturbed if wire.on_broker else None
    place = where if wire.on_broker else disturbed or where
    return Endpoint(device.name, device.kind, wire.name, place, wire.number(device), broker)


def numbers_taken(rig: Rig) -> frozenset[int]:
    """The addresses and units of all devices, whichever line they are on."""
    numbers = (getattr(d.wire, wire_of(d).numbered or "", None) for d in rig.devices.values())
    return frozenset(number for number in numbers if number is not None)


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
