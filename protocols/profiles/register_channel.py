"""The driver's end of a profile on Modbus: it looks at the fields, and finds out what has happened since."""

import asyncio
import ssl
from collections.abc import Iterable, Iterator, Mapping

from feltrig.protocols.errors import Garbage, NoAnswer, WireError
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.lines.line import SharedPort
from feltrig.protocols.malformed import Envelope, MalformedMessage
from feltrig.protocols.messages import EventBatch, Reply, Request, Tap, Value, Values
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import encode_rtu, encode_tcp
from feltrig.protocols.modbus.link import ModbusLink, RtuWire, TcpWire
from feltrig.protocols.profiles import modbus_cells
from feltrig.protocols.profiles.eventlog import EventLog
from feltrig.protocols.profiles.fields import LABEL, fitted, reported_field
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.profiles.registers import Block, Location, RegisterCommand, RegisterMap, Ring
from feltrig.protocols.profiles.snapshots import Snapshots, carried_or_assumed
from feltrig.protocols.vocabulary import Error, FaultCode, State

NO_FUNCTION = 0x64
"""A function code that the Modbus protocol leaves to nobody."""
LOOKS = 3
"""How often the fields are read anew when a counter moves while they are read."""
PAUSE = 0.01
"""Seconds between two looks at a result that is not there yet."""


class RegisterChannel:
    """A Channel to a device whose registers a profile describes. The deadline is that of each question, and one look
    may take several. A write is sent once, for it may act; a read is asked again on silence."""

    def __init__(self, profile: Profile, link: ModbusLink, deadline: float) -> None:
        assert isinstance(profile.talk, RegisterMap)
        self._profile = profile
        self._kind = profile.kind
        self._map = profile.talk
        self._blocks = profile.talk.blocks()
        self._link = link
        self._deadline = deadline
        self._lock = asyncio.Lock()
        self._log = EventLog()
        self._snapshots = Snapshots(profile.kind, profile.talk.report(), self._log)
        self._told: dict[str, Value] = {}
        self._seen: int | None = None
        self._anew = False
        """Whether the device has just begun anew: the log tells of that, whether the ring does or not."""
        self._quiet_until = 0.0
        self._unconfirmed: tuple[str, int] | None = None

    async def open(self) -> None:
        await self._link.open()

    async def close(self) -> None:
        await self._link.close()

    async def request(self, request: Request) -> Reply:
        """Carry out a command by writes, or answer it from what can be read."""
        async with self._lock:
            if request.command == "identify":
                return await self._identify()
            if request.command == "status":
                await self._look()
                return self._log.status().reply()
            if request.command in self._map.remembered:
                fields = await self._look()
                sources = self._map.remembered[request.command].items()
                return Reply(Error.OK, {field: fields[source] for field, source in sources})
            command = self._map.commands.get(request.command)
            return Reply(Error.UNKNOWN_COMMAND) if command is None else await self._carry(command, request)

    async def events(self, after: int) -> EventBatch:
        """Look at the fields, or at the ring, and return what happened after a number."""
        async with self._lock:
            await self._look()
            return self._log.after(after)

    async def idle(self, seconds: float) -> None:
        """Wait: on this wire a device speaks only when asked."""
        await asyncio.sleep(seconds)

    async def provoke(self, wrong: MalformedMessage) -> None:
        """Send a frame that is wrong on purpose. Whatever the device answers is its own affair. Raises WireError."""
        async with self._lock, self._link.turn:
            await self._link.provoke(wrong, 0)
        self._rest()

    async def still_answers(self) -> bool:
        """Whether the fields can be read."""
        try:
            async with self._lock:
                await self._look()
        except WireError:
            return False
        return True

    def wrong_frames(self, command: str) -> Iterator[MalformedMessage]:
        """The last write of a command, which makes the device act, in frames and requests that are wrong."""
        write = self._map.commands[command].writes[-1]
        value = write.value if write.value is not None else 1
        request = modbus_cells.write(write.place.block, write.place.write(value))

        def framed(request: bytes, envelope: Envelope) -> bytes:
            if self._link.numbered:
                return encode_tcp(envelope.number, envelope.to, request)
            return encode_rtu(envelope.to, request)

        yield MalformedMessage(f"{command}, unknown function", lambda e: framed(bytes((NO_FUNCTION,)) + request[1:], e))
        yield MalformedMessage(f"{command}, broken off", lambda e: framed(request[:-1], e))
        if not self._link.numbered:
            yield MalformedMessage(f"{command}, wrong checksum", lambda e: _spoilt(framed(request, e)))

    async def _identify(self) -> Reply:
        said: dict[str, Value] = {}
        for name in LABEL:
            place = self._map.fields.get(f"identity.{name}")
            if place is not None:
                said[name] = self._decoded(name, place, await self._cells([place.block]))
        return Reply(Error.OK, {"kind": self._kind.code, **self._profile.label, **said})

    async def _carry(self, command: RegisterCommand, request: Request) -> Reply:
        if self._unconfirmed == (request.command, request.token) and self._kind.commands[request.command].acts:
            raise NoAnswer(
                f"{self._link.name}: {request.command}: the line was lost; if it is written again it might run twice"
            )
        if any(request.values.get(name) != value for name, value in command.values.items()):
            return Reply(Error.BAD_ARGUMENT)
        try:
            cells = [
                write.place.write(request.values[write.argument] if write.argument else write.value or 0)
                for write in command.writes
            ]
        except ValueError:
            return Reply(Error.BAD_ARGUMENT)
        self._told |= {f"{request.command}.{name}": value for name, value in request.values.items()}
        self._unconfirmed = (request.command, request.token)
        for write, content in zip(command.writes, cells, strict=True):
            await self._ask(modbus_cells.write(write.place.block, content), tries=1)
        error = await self._result(command)
        self._unconfirmed = None
        if error:
            return Reply(error)
        values = {}
        for name, place in command.reply.items():
            values[name] = self._decoded(name, place, await self._cells([place.block]))
        return Reply(Error.OK, values)

    async def _result(self, command: RegisterCommand) -> Error:
        until = asyncio.get_running_loop().time() + self._deadline
        while command.result is not None:
            value = self._decoded("result", command.result, await self._cells([command.result.block]))
            if isinstance(value, int):
                return Error(value) if value in set(Error) else self._raise(f"result {value} is not an error code")
            if asyncio.get_running_loop().time() + PAUSE > until:
                raise NoAnswer(f"{self._link.name}: no result within {self._deadline:g} s")
            await asyncio.sleep(PAUSE)
        return Error.OK

    def _raise(self, why: str) -> Error:
        raise Garbage(f"{self._link.name}: {why}")

    async def _look(self) -> Values:
        """Read the fields, and note what they tell."""
        fields = await self._fields()
        if self._map.ring is None:
            self._snapshots.observe(fields, self._told)
        else:
            state, fault = fields.get("status.state", State.IDLE), fields.get("status.fault", FaultCode.NONE)
            assert isinstance(state, int)
            assert isinstance(fault, int)
            await self._follow(self._map.ring)
            self._log.state, self._log.fault = State(state), FaultCode(fault)
        return fields

    async def _fields(self) -> Values:
        """All fields as they stood at one moment: read again when the first block has moved meanwhile."""
        for _ in range(LOOKS):
            cells = await self._cells(self._blocks)
            if len(self._blocks) < 2 or await self._cells(self._blocks[:1]) == _part(cells, self._blocks[0]):
                break
        else:
            raise Garbage(f"{self._link.name}: its fields change while they are read")
        values = {}
        for name, place in self._map.fields.items():
            if not name.startswith("identity."):
                values[name] = self._fitted(name, self._listed(name, place, cells))
        return values

    def _listed(self, name: str, place: Location, cells: Mapping[tuple[str, int], int]) -> Value:
        value = self._decoded(name, place, cells)
        if place.length is None or not isinstance(value, tuple):
            return value
        length = self._decoded(name, place.length, cells)
        if not isinstance(length, int) or length > len(value):
            raise Garbage(f"{self._link.name}: {name}: {length} values, and there is room for {len(value)}")
        return value[:length]

    def _fitted(self, name: str, value: Value) -> Value:
        field = reported_field(self._kind, name)
        fits = value if field is None else fitted(field, value)
        if fits is None:
            raise Garbage(f"{self._link.name}: {name}: {value!r} is not one of its values")
        return fits

    async def _follow(self, ring: Ring) -> None:
        """Fetch the events that are new in the ring. The first look starts behind those of the past. A number that
        starts over at the size of its field goes on; one that fell back by less than half of that began anew."""
        latest = self._decoded("latest", ring.latest, await self._cells([ring.latest.block]))
        assert isinstance(latest, int)
        if self._seen is None:
            self._seen = latest
            self._log.begin(latest)
        modulus = ring.latest.modulus
        ahead = (latest - self._seen) % modulus
        if ahead > modulus // 2:
            self._log.restart()
            self._seen, self._anew, ahead = 0, True, latest
        last = self._seen + ahead
        for number in range(max(self._seen, last - ring.slots) + 1, last + 1):
            block = ring.block((number - 1) % ring.slots)
            self._take(ring, number, await self._cells([block]), block.address)

    def _take(self, ring: Ring, number: int, cells: Mapping[tuple[str, int], int], start: int) -> None:
        def at(name: str, place: Location) -> Value:
            return self._listed(name, place.moved(start), cells)

        if at("number", ring.number) != number % ring.number.modulus:
            raise Garbage(f"{self._link.name}: event {number} is not in its slot")
        name = at("event", ring.event)
        assert isinstance(name, str)
        known = {full: self._fitted(full, at(full, place)) for full, place in ring.values.items() if _of(name, full)}
        fields = self._kind.events[name].fields
        values = {
            f.name: carried_or_assumed(f"{name}.{f.name}", known, self._map.assumed_values, self._told) for f in fields
        }
        assert self._seen is not None
        if not (self._anew and (number, name) == (1, "started")):
            self._log.add(name, values, number - self._seen - 1)
        self._seen, self._anew = number, False

    def _decoded(self, name: str, place: Location, cells: Mapping[tuple[str, int], int]) -> Value:
        value = place.read(tuple(_part(cells, place.block).values()))
        if value is None:
            raise Garbage(f"{self._link.name}: {name}: its value means nothing in the profile")
        return value

    async def _cells(self, blocks: Iterable[Block]) -> dict[tuple[str, int], int]:
        cells: dict[tuple[str, int], int] = {}
        for block in blocks:
            found = modbus_cells.cells_of(block, await self._ask(modbus_cells.read(block)))
            if found is None:
                raise Garbage(f"{self._link.name}: a response of the wrong size")
            cells |= {(block.area, block.address + n): cell for n, cell in enumerate(found)}
        return cells

    async def _ask(self, request: bytes, tries: int = TRIES) -> bytes:
        """The response to a request. On a line whose answers carry no number, a late one could pass for the next: after
        a question that was not answered at once, the line is left in peace for as long as an answer may take."""
        loop = asyncio.get_running_loop()
        quiet = self._quiet_until - loop.time()
        if quiet > 0:
            await asyncio.sleep(quiet)
        good, refused = modbus_cells.expected(request)
        async with self._link.turn:
            try:
                response = await self._link.ask(request, (good, refused), loop.time() + self._deadline, tries)
            except BaseException:  # also when the caller gave up: the answer may still come
                self._rest()
                raise
        if self._link.tries() > 1:
            self._rest()
        if response[0] & pdu.EXCEPTION:
            code = response[1] if len(response) > 1 else 0
            raise Garbage(f"{self._link.name}: Modbus exception {code} to function {request[0]}")
        return response

    def _rest(self) -> None:
        if not self._link.numbered:
            self._quiet_until = asyncio.get_running_loop().time() + self._deadline


def _part(cells: Mapping[tuple[str, int], int], block: Block) -> dict[tuple[str, int], int]:
    return {(block.area, n): cells[block.area, n] for n in range(block.address, block.address + block.size)}


def _spoilt(frame: bytes) -> bytes:
    return frame[:-1] + bytes((frame[-1] ^ 1,))


def _of(event: str, name: str) -> bool:
    return name.partition(".")[0] == event


def tcp_channel(
    profile: Profile,
    host: str,
    port: int,
    unit: int = 1,
    deadline: float = 2.0,
    tap: Tap | None = None,
    *,
    tls: ssl.SSLContext | None = None,
    server_name: str | None = None,
) -> RegisterChannel:
    """The driver's end of a profile on Modbus TCP, or with `tls` on Modbus/TCP Security."""
    wire = TcpWire(host, port, unit, deadline, tls, server_name)
    return RegisterChannel(profile, ModbusLink(wire, unit, deadline, tap), deadline)


def rtu_channel(
    profile: Profile,
    port: str | SharedPort,
    unit: int = 1,
    baud: int = 19200,
    deadline: float = 2.0,
    tap: Tap | None = None,
) -> RegisterChannel:
    wire = RtuWire(port, unit, baud, "N", 1, deadline)
    return RegisterChannel(profile, ModbusLink(wire, unit, deadline, tap), deadline)
