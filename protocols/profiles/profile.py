"""A profile: how one model of device talks. The same description makes its emulator answer and its driver ask."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltrig.errors import FeltrigError
from feltrig.protocols.profiles.dialogue import Dialogue
from feltrig.protocols.profiles.fields import LABEL, Wire
from feltrig.protocols.profiles.framing import Framing, unchecked
from feltrig.protocols.profiles.registers import RegisterMap
from feltrig.protocols.vocabulary import FaultCode, Kind

WIRES: Mapping[str, tuple[str, ...]] = {
    "serial": ("serial",),
    "mqtt": ("mqtt",),
    "modbus": ("modbus-rtu", "modbus-tcp", "modbus-tls"),
}
"""The wires of a rig file on which a profile's wire can be used."""


class ProfileError(FeltrigError):
    """A profile that cannot be used; the message is one line for the user."""


@dataclass(frozen=True, slots=True)
class SerialSettings:
    """A serial port's settings, and the framings of both directions."""

    baud: int
    bits: int
    parity: str
    stop: float
    hears: Framing
    says: Framing


@dataclass(frozen=True, slots=True)
class Profile:
    """How one model of device talks."""

    name: str
    title: str
    about: str
    kind: Kind
    wire: Wire
    label: Mapping[str, str]
    """What is known of the device by its label."""
    talk: Dialogue | RegisterMap
    serial: SerialSettings | None
    source: str
    """The file, as the user named it."""
    digest: str
    """SHA-256 of the file's bytes, in hex."""

    def wires(self) -> tuple[str, ...]:
        """The wires of a rig file on which it can be used."""
        return WIRES[self.wire]

    def record(self) -> dict[str, object]:
        return {"name": self.name, "digest": self.digest, "lacks": list(self.lacks()), "checked": self.checked}

    @property
    def checked(self) -> bool:
        """Whether what the device says has a check that the profile describes."""
        return self.serial is not None and unchecked(self.serial.says) is not None

    def lacks(self) -> tuple[str, ...]:
        """What the wire does not carry, and what is therefore no evidence about the device: `identity.serial`,
        `numbers` (of events), `answers`, `repeats` (no profile has tokens that a device remembers), `command display`,
        `event uncovered`, `shaken.times`, …"""
        talk = self.talk
        commands = talk.carried_commands() | {"identify", "events"} | ({"status"} if talk.reports_state() else set())
        return (
            *(f"identity.{name}" for name in LABEL if name not in talk.identity()),
            *(() if talk.numbered() else ("numbers",)),
            *(() if talk.confirmed() else ("answers",)),
            "repeats",
            *(f"command {name}" for name in self.kind.commands if name not in commands),
            *(f"event {name}" for name in self.kind.events if name not in talk.events()),
            *(f"fault {fault.name.lower()}" for fault in FaultCode if fault and fault not in talk.faults()),
            *sorted(talk.assumed()),
        )
