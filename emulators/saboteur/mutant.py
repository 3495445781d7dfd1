"""A mutant: an emulated device that is honest but for one thing."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from feltrig.emulators.machine import Machine, Station
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.stations.line_port import LinePort, MakePort
from feltrig.emulators.stations.modbus_station import Master, ModbusTcpStation
from feltrig.protocols.requirements import EVERY, REQUIREMENTS, known

Bytes = Callable[[bytes], bytes | None]
"""Makes other bytes of an answer; None for silence."""


@dataclass(slots=True)
class Victim:
    """An emulated device that is about to be served, with all that a mutant can change in it. Its changes are made
    before it is served, from the inside out."""

    device: Device[Any]
    """The model itself: board, mechanism, firmware."""
    machine: Machine
    """What its station serves: the model, or what stands around it."""
    honest: Misbehave
    """What happens to its answers without a mutant."""
    answers: list[Bytes] = field(default_factory=list)
    """Change the bytes of an answer: a frame, or the payload on a broker."""
    incoming: list[Callable[[bytes], bytes]] = field(default_factory=list)
    """Change the bytes that come on its line, before the device reads them."""
    delays: list[Callable[[bytes], float]] = field(default_factory=list)
    """Seconds by which an answer comes late."""
    unasked: list[Callable[[bytes], Iterable[tuple[float, bytes]]]] = field(default_factory=list)
    """What the device says after an answer that nobody asked for: how many seconds later, and the bytes."""
    stations: list[Callable[[Any], None]] = field(default_factory=list)
    """Change the station that serves it."""
    last: list["Change"] = field(default_factory=list)
    """Changes to be made when all others are."""

    def misbehave(self, answer: bytes) -> bytes | None:
        """The bytes to send in place of an answer; None for silence."""
        said = self.honest(answer)
        for change in self.answers:
            if said is None:
                return None
            said = change(said)
        return said

    def received(self, data: bytes) -> bytes:
        """The bytes that the device reads in place of those that came."""
        for change in self.incoming:
            data = change(data)
        return data

    def send(self, answer: bytes, write: Callable[[bytes], None]) -> None:
        """Send an answer when the mutant sends it, and what nobody asked for."""
        late = sum(delay(answer) for delay in self.delays)
        said = [(late, answer), *((late + after, extra) for tell in self.unasked for after, extra in tell(answer))]
        for after, data in said:
            if after:
                asyncio.get_running_loop().call_later(after, write, data)
            else:
                write(data)

    def port(self, make: MakePort) -> MakePort:
        """The same port, with the mutant's bytes."""
        return lambda on_data: _Port(self, make(lambda data: on_data(self.received(data))))

    def prepare(self, station: Station) -> None:
        """Change the station that serves it."""
        if isinstance(station, ModbusTcpStation):
            station.make_master = lambda serving: _Master(self, serving)
        for change in self.stations:
            change(station)


class _Port:
    """A port in front of another: answers go out as the mutant sends them."""

    def __init__(self, victim: Victim, port: LinePort) -> None:
        self._victim = victim
        self._port = port

    def open(self) -> str:
        return self._port.open()

    def close(self) -> None:
        self._port.close()

    def send(self, data: bytes) -> None:
        self._victim.send(data, self._port.send)


class _Master(Master):
    """A master's connection, with the mutant's bytes."""

    __slots__ = ("_victim",)

    def __init__(self, victim: Victim, station: ModbusTcpStation) -> None:
        super().__init__(station)
        self._victim = victim

    def received(self, data: bytes) -> None:
        super().received(self._victim.received(data))

    def write(self, data: bytes) -> None:
        self._victim.send(data, super().write)


Change = Callable[[Victim], None]
"""One thing that is changed in a device."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A device that breaks a requirement: which one, how, and where that can be."""

    name: str
    breaks: tuple[str, ...]
    """The ids of the requirements that it breaks. One of them must be named when it is refused."""
    does: str
    """What it does wrong, in a sentence without a subject."""
    change: Change
    kinds: tuple[str, ...] = (EVERY,)
    """Where the first requirement holds for more kinds or wires than the mutant can be, these are named."""
    wires: tuple[str, ...] = (EVERY,)
    speed: float = 0.0
    """The factor on all mechanical times; above 0 the device is seen busy."""
    samples: int = 16
    """Samples that the statistics need to see it."""
    survives: str = ""
    """Why no plan can refuse it; empty if one must."""

    def __post_init__(self) -> None:
        known(self.breaks)

    def strike(self, device: Device[Any], honest: Misbehave) -> Victim:
        """The device as this mutant, before it is served."""
        victim = Victim(device, device, honest)
        self.change(victim)
        for change in victim.last:
            change(victim)
        return victim

    def fits(self, kind: str, wire: str) -> bool:
        """Whether a device of this kind on this wire can be this mutant: where the first requirement that it breaks
        holds, and nowhere else than it says itself."""
        if {kind, EVERY}.isdisjoint(self.kinds) or {wire, EVERY}.isdisjoint(self.wires):
            return False
        return REQUIREMENTS[self.breaks[0]].holds(kind, wire)

    def breaks_on(self, wire: str) -> bool:
        """Whether the first requirement that it breaks holds on a wire."""
        return not {wire, EVERY}.isdisjoint(REQUIREMENTS[self.breaks[0]].wires)


def fresh(make: Callable[[], Change]) -> Change:
    """A change with a memory: each device that it strikes gets its own."""

    def change(victim: Victim) -> None:
        make()(victim)

    return change


def together(*changes: Change) -> Change:
    """Several changes as one."""

    def change(victim: Victim) -> None:
        for each in changes:
            each(victim)

    return change
