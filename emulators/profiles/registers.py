"""A profile's machine on Modbus: its coils and registers over the machine. Knows no line and no unit."""

from collections.abc import Iterable, Iterator, Mapping

from feltrig.emulators.machine import Machine
from feltrig.emulators.profiles.memory import Memory
from feltrig.protocols.messages import Event, Reply, Request, Value
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.pdu import Refusal, Rejected
from feltrig.protocols.profiles import modbus_cells
from feltrig.protocols.profiles.fields import NTH, fitted
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.profiles.registers import Area, Block, Location, RegisterCommand, RegisterMap, Ring
from feltrig.protocols.vocabulary import Error

CellMap = dict[tuple[Area, int], int]


class RegisterServer:
    """Answers requests for the cells that the profile names; others are refused as illegal addresses."""

    def __init__(self, machine: Machine, registers: RegisterMap) -> None:
        self._machine = machine
        self._map = registers
        self._memory = Memory(machine)
        self._flags = dict(registers.initial)
        self._held: CellMap = {}
        """What stands where nothing moves by itself: what was written, results, and what the profile cannot express."""
        for place in self._settled():
            self._store(place.block, [0] * place.block.size)
        self._writable = set(_addresses(write.place.block for c in registers.commands.values() for write in c.writes))

    def respond(self, request: bytes, now: float) -> bytes:
        try:
            match modbus_cells.parse(request):
                case modbus_cells.ReadCells(block):
                    return modbus_cells.read_response(block.area, self._read(block, now))
                case modbus_cells.WriteCells(block, cells):
                    self._write(block, cells, now)
                    return request[:5]
        except Rejected as exc:
            return pdu.refusal(request[0] if request else 0, exc.refusal)

    def _settled(self) -> list[Location]:
        commands = self._map.commands.values()
        places = [write.place for command in commands for write in command.writes]
        places += [command.result for command in commands if command.result is not None]
        return places + [place for command in commands for place in command.reply.values()]

    def _read(self, block: Block, now: float) -> list[int]:
        cells = self._cells(now)
        wanted = list(_addresses([block]))
        if not all(address in cells for address in wanted):
            raise Rejected(Refusal.ILLEGAL_ADDRESS)
        return [cells[address] for address in wanted]

    def _cells(self, now: float) -> CellMap:
        for event in self._memory.follow(now):
            self._raise_flags(event)
        values = self._memory.values(now, 1 << 32)
        for name, place in self._map.fields.items():
            self._show(place, self._value(name, place, values))
        if self._map.ring is not None:
            self._show_ring(self._map.ring, now)
        return self._held

    def _raise_flags(self, event: Event) -> None:
        for name, edge in self._map.edges.items():
            if event.name in (edge.rises, edge.falls):
                self._flags[name] = event.name == edge.rises

    def _value(self, name: str, place: Location, values: Mapping[str, Value]) -> Value:
        if name in self._flags:
            return self._flags[name]
        if name.startswith("identity."):
            return str(getattr(self._machine.identity, name.removeprefix("identity.")))
        value = values[name]
        return value % place.modulus if name.endswith(f".{NTH}") and isinstance(value, int) else value

    def _show(self, place: Location, value: Value) -> None:
        """Put a value in its place; one that the registers have no code for leaves what stood there."""
        try:
            cells = place.write(value)
        except ValueError:
            cells = [self._held.get(address, 0) for address in _addresses([place.block])]
        self._store(place.block, cells)
        if place.length is not None and isinstance(value, tuple):
            self._store(place.length.block, place.length.write(len(value)))

    def _show_ring(self, ring: Ring, now: float) -> None:
        latest = self._machine.status(now).latest
        self._show(ring.latest, latest % ring.latest.modulus)
        for empty in range(ring.slots):
            self._store(ring.block(empty), [0] * ring.size)
        for event in self._machine.events(max(latest - ring.slots, 0), now, ring.slots).events:
            start = ring.block((event.number - 1) % ring.slots).address
            self._show(ring.number.moved(start), event.number % ring.number.modulus)
            self._show(ring.event.moved(start), event.name)
            for name, value in event.values.items():
                place = ring.values.get(f"{event.name}.{name}")
                if place is not None:
                    self._show(place.moved(start), value)

    def _store(self, block: Block, cells: list[int] | tuple[int, ...]) -> None:
        self._held |= dict(zip(_addresses([block]), cells, strict=True))

    def _write(self, block: Block, cells: tuple[int, ...], now: float) -> None:
        if not set(_addresses([block])) <= self._writable:
            raise Rejected(Refusal.ILLEGAL_ADDRESS)
        self._store(block, cells)
        for name, command in self._map.commands.items():
            trigger = command.writes[-1]
            if block.covers(trigger.place.block) and self._meant(command):
                self._run(name, command, now)
                if trigger.place.area == "coil":
                    self._store(trigger.place.block, [0] * trigger.place.block.size)

    def _meant(self, command: RegisterCommand) -> bool:
        """Whether all that the command writes as constants stands in its place."""
        return all(self._standing(w.place) == w.value for w in command.writes if w.argument is None)

    def _run(self, name: str, command: RegisterCommand, now: float) -> None:
        fields = {field.name: field for field in self._machine.kind.commands[name].args}
        values = dict(command.values)
        reply = Reply(Error.BAD_ARGUMENT)
        for write in command.writes:
            if write.argument is not None:
                standing = self._standing(write.place)
                value = None if standing is None else fitted(fields[write.argument], standing)
                if value is None:
                    break
                values[write.argument] = value
        else:
            reply = self._machine.handle(Request(name, values), now)
        if command.result is not None:
            self._show(command.result, int(reply.error))
        for field, place in command.reply.items():
            if field in reply.values:
                self._show(place, reply.values[field])

    def _standing(self, place: Location) -> Value | None:
        return place.read([self._held[address] for address in _addresses([place.block])])


def _addresses(blocks: Iterable[Block]) -> Iterator[tuple[Area, int]]:
    return ((block.area, block.address + n) for block in blocks for n in range(block.size))


def on_registers(profile: Profile, machine: Machine) -> RegisterServer:
    assert isinstance(profile.talk, RegisterMap)
    return RegisterServer(machine, profile.talk)
