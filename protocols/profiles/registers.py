"""What is carried on Modbus coils and registers: fields at places, commands as writes, a ring of events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from feltrig.protocols.messages import NOTHING, Value, Values
from feltrig.protocols.profiles.fields import FAULT, LABEL, NTH, STATE
from feltrig.protocols.profiles.snapshots import Edge, Report
from feltrig.protocols.vocabulary import FaultCode

Area = Literal["coil", "discrete", "holding", "input"]
BITS: tuple[Area, ...] = ("coil", "discrete")
WRITABLE: tuple[Area, ...] = ("coil", "holding")

CELLS = 1 << 16
"""Of each area."""
MOST_REGISTERS = 120
MOST_BITS = 1000
"""Cells that one question reads: a little less than Modbus allows, since some devices allow less."""

Cells = Sequence[int]
"""Coils as 0 and 1, registers as numbers of sixteen bits."""


class Block(NamedTuple):
    """Cells in a row."""

    area: Area
    address: int
    size: int

    def meets(self, other: "Block") -> bool:
        """Whether they have cells in common."""
        return (
            self.area == other.area
            and self.address < other.address + other.size
            and other.address < self.address + self.size
        )

    def covers(self, other: "Block") -> bool:
        """Whether the other lies within."""
        return (
            self.area == other.area
            and self.address <= other.address
            and other.address + other.size <= self.address + self.size
        )


@dataclass(frozen=True, slots=True)
class Location:
    """Where one value stands, and how: a bit, numbers of one or two registers, or text of two characters each."""

    area: Area
    address: int
    type: Literal["bit", "u16", "u32", "text"] = "u16"
    many: int | None = None
    """Values of a list; None for a single value. Text: registers."""
    low_first: bool = False
    """The low register of a u32, or the low byte of text, comes first."""
    scale: int = 1
    """What stands there is the value times this."""
    table: Mapping[int, Value] = field(default_factory=dict)
    """What numbers mean, where they are codes."""
    length: "Location | None" = None
    """Where the length of a list stands, when it varies."""

    @property
    def block(self) -> Block:
        """The cells that it takes."""
        each = 2 if self.type == "u32" else 1
        return Block(self.area, self.address, each * (self.many or 1))

    @property
    def modulus(self) -> int:
        """Where a counter here starts over."""
        return {"bit": 2, "u32": 1 << 32}.get(self.type, 1 << 16)

    def moved(self, start: int) -> "Location":
        """The same place inside a slot that begins there."""
        length = None if self.length is None else self.length.moved(start)
        return replace(self, address=start + self.address, length=length)

    def write(self, value: Value) -> list[int]:
        """The cells of a value; a list that is too short is filled with zeros. What does not fit is a ValueError."""
        if self.type == "text":
            return self._write_text(value)
        values = value if isinstance(value, tuple) else (value,)
        if len(values) > (self.many or 1) or (self.many is None) is isinstance(value, tuple):
            raise ValueError(f"{value!r} does not fit {self.many or 1} values")
        filled = (*values, *(0,) * ((self.many or 1) - len(values)))
        return [cell for each in filled for cell in self._write_number(each)]

    def read(self, cells: Cells) -> Value | None:
        """The value in its cells; None when they make none."""
        if self.type == "text":
            return self._read_text(cells)
        each = 2 if self.type == "u32" else 1
        numbers = [self._read_number(cells[at : at + each]) for at in range(0, len(cells), each)]
        if self.many is None:
            return numbers[0]
        return tuple(n for n in numbers if isinstance(n, int)) if None not in numbers else None

    def _write_number(self, value: Value) -> list[int]:
        if self.table:
            codes = [code for code, meaning in self.table.items() if meaning == value]
            if not codes:
                raise ValueError(f"{value!r} is not in the table")
            number = codes[0]
        elif isinstance(value, int):
            number = int(value) * self.scale
        else:
            raise ValueError(f"{value!r} is not a number")
        if not 0 <= number < self.modulus:
            raise ValueError(f"{number} does not fit a {self.type}")
        if self.type != "u32":
            return [number]
        high, low = divmod(number, 1 << 16)
        return [low, high] if self.low_first else [high, low]

    def _read_number(self, cells: Cells) -> Value | None:
        low, high = (cells[0], cells[-1]) if self.low_first else (cells[-1], cells[0])
        number = high << 16 | low if self.type == "u32" else low
        return self.table.get(number) if self.table else number // self.scale

    def _write_text(self, value: Value) -> list[int]:
        size = 2 * (self.many or 1)
        data = value.encode() if isinstance(value, str) else b""
        if not isinstance(value, str) or len(data) > size:
            raise ValueError(f"{value!r} is not text of at most {size} bytes")
        data = data.ljust(size, b"\0")
        order: Literal["little", "big"] = "little" if self.low_first else "big"
        return [int.from_bytes(data[at : at + 2], order) for at in range(0, size, 2)]

    def _read_text(self, cells: Cells) -> Value | None:
        order: Literal["little", "big"] = "little" if self.low_first else "big"
        data = b"".join(cell.to_bytes(2, order) for cell in cells).rstrip(b"\0")
        try:
            return data.decode()
        except UnicodeDecodeError:
            return None


@dataclass(frozen=True, slots=True)
class CommandWrite:
    """One write of a command: a constant, or the argument of a name."""

    place: Location
    value: Value | None = None
    argument: str | None = None


@dataclass(frozen=True, slots=True)
class RegisterCommand:
    """A command as writes in order, the last of which lets the device act; then perhaps a result to read."""

    writes: tuple[CommandWrite, ...]
    result: Location | None = None
    """Where the error code stands afterwards; text `pending` in its table says that it is not there yet."""
    reply: Mapping[str, Location] = field(default_factory=dict)
    values: Values = field(default_factory=lambda: NOTHING)
    """Arguments that the writes imply."""


@dataclass(frozen=True, slots=True)
class Ring:
    """Events in slots: event n is in slot (n - 1) mod the number of slots. Addresses inside a slot count from 0."""

    latest: Location
    start: Location
    slots: int
    size: int
    number: Location
    event: Location
    values: Mapping[str, Location]

    @property
    def whole(self) -> Block:
        """The cells of all slots."""
        return Block(self.start.area, self.start.address, self.slots * self.size)

    def block(self, slot: int) -> Block:
        """The cells of a slot."""
        return Block(self.start.area, self.start.address + slot * self.size, self.size)


@dataclass(frozen=True, slots=True)
class RegisterMap:
    """All the places of a profile. Flags begin as `initial` says."""

    fields: Mapping[str, Location]
    commands: Mapping[str, RegisterCommand]
    edges: Mapping[str, Edge] = field(default_factory=dict)
    initial: Mapping[str, bool] = field(default_factory=dict)
    assumed_values: Mapping[str, Value] = field(default_factory=dict)
    remembered: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Commands that are answered from the fields: for each field of the reply, the name of one."""
    ring: Ring | None = None

    def report(self) -> Report:
        """What one look at the fields holds."""
        counters = {name.removesuffix(f".{NTH}"): p.modulus for name, p in self.fields.items() if name.endswith(NTH)}
        return Report(counters, self.edges, self.assumed_values)

    def blocks(self) -> list[Block]:
        """The cells of all fields but the identity, in as few blocks as they can be read in; counters first, so that
        what belongs to a count is read after it."""
        places = [place for name, place in self.fields.items() if not name.startswith("identity.")]
        lengths = [place.length for place in places if place.length is not None]
        counters = [place for name, place in self.fields.items() if name.endswith(f".{NTH}")]
        joined = list(join(place.block for place in (*places, *lengths)))
        return sorted(joined, key=lambda block: not any(block.covers(place.block) for place in counters))

    def carried_commands(self) -> set[str]:
        return set(self.commands) | ({"identify"} if self.identity() else set())

    def answered(self) -> set[str]:
        """The commands that are answered in the device's place, from what it reports."""
        return set(self.remembered)

    def told_events(self) -> set[str]:
        """The events that show whenever they happen: a flag that is up already does not rise."""
        ring = {v for v in self.ring.event.table.values() if isinstance(v, str)} if self.ring is not None else set()
        return ring | set(self.report().counters)

    def events(self) -> set[str]:
        edges = {event for edge in self.edges.values() for event in (edge.rises, edge.falls) if event is not None}
        return edges | self.told_events() | ({"faulted", "cleared"} if self.reports_state() else set())

    def faults(self) -> set[FaultCode]:
        """The faults that the registers have codes for."""
        places = [self.fields.get(FAULT), self.ring.values.get("faulted.fault") if self.ring is not None else None]
        known = [place for place in places if place is not None]
        return {fault for fault in FaultCode if fault and any(not p.table or fault in p.table.values() for p in known)}

    def assumed(self) -> set[str]:
        return {name for name in self.assumed_values if name != FAULT}

    def identity(self) -> set[str]:
        return {name for name in LABEL if f"identity.{name}" in self.fields}

    def numbered(self) -> bool:
        """Whether every event is counted by the device."""
        return self.ring is not None or (not self.edges and bool(self.report().counters))

    def confirmed(self) -> bool:
        return all(command.result is not None for command in self.commands.values())

    def reports_state(self) -> bool:
        """Whether the state can be read."""
        return STATE in self.fields or FAULT in self.fields


def join(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same cells in fewer blocks: those that touch become one, as long as one question can read it."""
    current: Block | None = None
    for block in sorted(set(blocks)):
        if current is not None and current.area == block.area and block.address <= current.address + current.size:
            end = max(current.address + current.size, block.address + block.size)
            if end - current.address <= (MOST_BITS if block.area in BITS else MOST_REGISTERS):
                current = Block(block.area, current.address, end - current.address)
                continue
        if current is not None:
            yield current
        current = block
    if current is not None:
        yield current
