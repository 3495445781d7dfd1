"""Both directions of a Modbus line on which a device has the registers of a profile, as messages."""

from collections.abc import Callable, Mapping

from feltrig.protocols.messages import Reply, Request, Value
from feltrig.protocols.modbus.sniffer import ModbusSniffer, Question, over_rtu, over_tcp
from feltrig.protocols.profiles.modbus_cells import ReadCells, cells_of, parse
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.profiles.registers import BITS, Block, Location, RegisterMap, Ring
from feltrig.protocols.sniffing import Answered, Asked, Chatter, Message, Reported
from feltrig.protocols.vocabulary import Error


class RegisterSniffer:
    """What questions and responses mean by a profile: the last write of a command asks for it, a look at its result
    answers, and any other look reports the fields that lie in it."""

    def __init__(self, profile: Profile) -> None:
        assert isinstance(profile.talk, RegisterMap)
        self._map = profile.talk
        self._cells: dict[tuple[str, int], int] = {}
        """All that was read or written, as it was last seen."""
        self._asked: Asked | None = None

    def question(self, request: bytes) -> Question:
        """What a request asks. One that is none of Modbus is Rejected."""
        query = parse(request)
        if isinstance(query, ReadCells):
            block = query.block
            size = (block.size + 7) // 8 if block.area in BITS else 2 * block.size
            return Question(Chatter(True, f"reads {_named(block)}"), size, self._look(block))
        self._keep(query.block, query.cells)
        command = self._command(query.block)
        if command is None:
            written = " ".join(map(str, query.cells))
            return Question(Chatter(True, f"writes {_named(query.block)}: {written}"), 0, _written)
        self._asked = Asked(command)
        return Question(self._asked, 0, _written)

    def _command(self, written: Block) -> Request | None:
        """The command whose last write has just been made, with its arguments where they stand."""
        for name, command in self._map.commands.items():
            if not written.covers(command.writes[-1].place.block):
                continue
            values: dict[str, Value] = dict(command.values)
            for write in command.writes:
                value = self._value(write.place)
                if write.argument is not None and value is not None:
                    values[write.argument] = value
                elif value != (write.value or 0):
                    break
            else:
                return Request(name, values)
        return None

    def _look(self, block: Block) -> Callable[[bytes], Message]:
        asked = self._asked

        def read(data: bytes) -> Message:
            cells = cells_of(block, bytes(2) + data)
            if cells is None:
                raise ValueError(f"{_named(block)}: a response of the wrong size")
            self._keep(block, cells)
            answered = None if asked is None else self._result(asked, block)
            return answered or self._reported(block) or Chatter(False, f"{_named(block)}: {' '.join(map(str, cells))}")

        return read

    def _result(self, asked: Asked, block: Block) -> Message | None:
        """The answer to a command, when this is the place of its result and it is there."""
        command = self._map.commands[asked.request.command]
        if command.result is None or command.result.block != block:
            return None
        error = self._value(command.result)
        if not isinstance(error, int) or error not in set(Error):
            return None
        self._asked = None
        return Answered(asked, Reply(Error(error)))

    def _reported(self, block: Block) -> Message | None:
        """The fields in a block, or the event in a slot of the ring."""
        ring = self._map.ring
        if ring is not None and block in map(ring.block, range(ring.slots)):
            return self._event(ring, block)
        places: Mapping[str, Location] = self._map.fields
        if ring is not None:
            places = {**places, "latest": ring.latest}
        values = {name: self._value(place) for name, place in places.items() if block.covers(place.block)}
        known = {name: value for name, value in values.items() if value is not None}
        return Reported(None, known) if known else None

    def _event(self, ring: Ring, slot: Block) -> Message | None:
        name = self._value(ring.event.moved(slot.address))
        if not isinstance(name, str):
            return None
        of = {full.partition(".")[2]: place for full, place in ring.values.items() if full.partition(".")[0] == name}
        values = {field: self._value(place.moved(slot.address)) for field, place in of.items()}
        return Reported(name, {field: value for field, value in values.items() if value is not None})

    def _keep(self, block: Block, cells: tuple[int, ...]) -> None:
        self._cells |= {(block.area, block.address + n): cell for n, cell in enumerate(cells)}

    def _value(self, place: Location) -> Value | None:
        """What stands at a place; None where nothing was seen yet, or nothing that has a meaning."""
        block = place.block
        cells = [self._cells.get((block.area, at)) for at in range(block.address, block.address + block.size)]
        known = [cell for cell in cells if cell is not None]
        value = place.read(known) if len(known) == block.size else None
        if place.length is None or not isinstance(value, tuple):
            return value
        length = self._value(place.length)
        return value[:length] if isinstance(length, int) else value


def sniffer_for(profile: Profile, wire: str, unit: int | None = None) -> ModbusSniffer:
    """What listens to a unit that has the registers of the profile."""
    over = over_rtu if wire == "modbus-rtu" else over_tcp
    return over(RegisterSniffer(profile).question, unit)


def _written(_: bytes) -> Message:
    return Chatter(False, "written")


def _named(block: Block) -> str:
    last = block.address + block.size - 1
    return f"{block.area} {block.address}" + (f" to {last}" if block.size > 1 else "")
