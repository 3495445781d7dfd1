"""From the tables of a profile file to a RegisterMap: every name is checked against the vocabulary of the kind."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from feltrig.protocols.messages import Value
from feltrig.protocols.profiles.fields import ERROR, LABEL, NTH, check_meaning, reported_field, value_of
from feltrig.protocols.profiles.read_dialogue import read_assumed, sensible
from feltrig.protocols.profiles.registers import (
    BITS,
    CELLS,
    WRITABLE,
    Area,
    Block,
    CommandWrite,
    Location,
    RegisterCommand,
    RegisterMap,
    Ring,
)
from feltrig.protocols.profiles.snapshots import Edge
from feltrig.protocols.profiles.template import Tables
from feltrig.protocols.schema import Choice, Mismatch, path
from feltrig.protocols.vocabulary import Command, Field, Kind, Type

AREAS: tuple[Area, ...] = ("coil", "discrete", "holding", "input")
PENDING = "pending"


def read_registers(kind: Kind, values: Mapping[str, Any], tables: Tables) -> RegisterMap:
    """The places of a profile. Raises Mismatch."""
    return _Reader(kind, values, tables).registers()


class _Reader:
    def __init__(self, kind: Kind, values: Mapping[str, Any], tables: Tables) -> None:
        self._kind = kind
        self._values = values
        self._modbus = values["modbus"]
        self._tables = tables

    def registers(self) -> RegisterMap:
        raw_fields: Mapping[str, Mapping[str, Any]] = self._modbus["fields"]
        fields = {name: self._named_place(name, raw) for name, raw in raw_fields.items()}
        edges = {
            name: Edge(self._flag_event(raw, "rises", name), self._flag_event(raw, "falls", name))
            for name, raw in raw_fields.items()
            if raw["rises"] is not None or raw["falls"] is not None
        }
        assumed = {
            name: read_assumed(self._kind, name, given, path("modbus.assumed", name))
            for name, given in self._modbus["assumed"].items()
        }
        ring = None if self._modbus["ring"] is None else self._ring(self._modbus["ring"])
        self._check_events(fields, edges, assumed, ring)
        _check_apart(fields, edges, ring)
        raw_commands: Mapping[str, Mapping[str, Any]] = self._values["commands"]
        remembered = {
            name: self._remembered(name, raw, fields) for name, raw in raw_commands.items() if raw["remembered"]
        }
        commands = {name: self._command(name, raw) for name, raw in raw_commands.items() if name not in remembered}
        return RegisterMap(
            fields, commands, edges, {name: raw_fields[name]["initial"] for name in edges}, assumed, remembered, ring
        )

    def _named_place(self, name: str, raw: Mapping[str, Any]) -> Location:
        key = path("modbus.fields", name)
        field = self._field(name)
        flag = raw["rises"] is not None or raw["falls"] is not None
        if field is None and not flag:
            raise Mismatch(key, "is not something that this kind of device reports, nor a flag with rises or falls")
        length = None if raw["length"] is None else self._place(raw["length"], f"{key}.length")
        return self._place(raw, key, field, length)

    def _field(self, name: str) -> Field | None:
        if name.startswith("identity."):
            label = name.removeprefix("identity.")
            return Field(label, Type.TEXT, "by the device") if label in LABEL else None
        return reported_field(self._kind, name)

    def _place(
        self,
        raw: Mapping[str, Any],
        key: str,
        field: Field | None = None,
        length: Location | None = None,
        within: Area | None = None,
    ) -> Location:
        given = [area for area in AREAS if raw.get(area) is not None]
        if within is None and len(given) != 1:
            raise Mismatch(key, f"has {len(given)} addresses; expected one of coil, discrete, holding, input")
        area = within or given[0]
        address = raw["at"] if within is not None else raw[area]
        text = field is not None and field.type is Type.TEXT
        usual = "text" if text else "bit" if area in BITS else "u16"
        how: Any = raw["type"] or usual
        if (how == "bit") is not (area in BITS) or (how == "text") is not text:
            raise Mismatch(f"{key}.type", f"{how!r} is not a type for this; expected {usual!r}")
        if field is not None and not text and (field.type is Type.BYTES) is not (raw["many"] is not None):
            raise Mismatch(f"{key}.many", "must be given for a list, and for nothing else")
        table = self._table(raw["table"], f"{key}.table", field)
        place = Location(area, address, how, raw["many"], raw["low_first"], raw["scale"], table, length)
        _check_end(place.block, f"{key}.{area}")
        return place

    def _table(self, name: str | None, key: str, field: Field | None) -> Mapping[int, Value]:
        if name is None:
            return {}
        if name not in self._tables:
            raise Mismatch(
                key, f"{name!r} is not one of the tables: {', '.join(self._tables) or 'the profile has none'}"
            )
        table: dict[int, Value] = {}
        for wire, value in self._tables[name].items():
            try:
                code = int(wire, 0)
            except ValueError as error:
                raise Mismatch(
                    path(path("tables", name), wire), "is not a number, but registers hold numbers"
                ) from error
            if field is not None and value != PENDING:
                sensible(partial(check_meaning, field, value), path(path("tables", name), wire))
            table[code] = value
        return table

    def _flag_event(self, raw: Mapping[str, Any], edge: str, name: str) -> str | None:
        event: str | None = raw[edge]
        if event is not None:
            Choice(tuple(self._kind.events)).read(event, f"{path('modbus.fields', name)}.{edge}", {})
        return event

    def _check_events(
        self, fields: Mapping[str, Location], edges: Mapping[str, Edge], assumed: Mapping[str, Value], ring: Ring | None
    ) -> None:
        """Each event's fields come from somewhere, and no event comes twice."""
        flagged = [event for edge in edges.values() for event in (edge.rises, edge.falls) if event is not None]
        counted = [name.removesuffix(f".{NTH}") for name in fields if name.endswith(f".{NTH}")]
        for event in (*flagged, *counted):
            self._complete(event, {*fields, *assumed}, "modbus.fields")
        if ring is not None:
            if flagged or counted:
                raise Mismatch("modbus.ring", "does not go with events that are counted or flagged")
            for name in ring.event.table.values():
                Choice(tuple(self._kind.events)).read(name, "modbus.ring.event.table", {})
                self._complete(str(name), {*ring.values, *assumed}, "modbus.ring.values")

    def _complete(self, event: str, given: Iterable[str], key: str) -> None:
        known = set(given)
        for field in self._kind.events[event].fields:
            if f"{event}.{field.name}" not in known:
                raise Mismatch(key, f"no value for {event}.{field.name}; expected it here, or in modbus.assumed")

    def _ring(self, raw: Mapping[str, Any]) -> Ring:
        key = "modbus.ring"
        start = self._place(raw["start"], f"{key}.start")
        area = start.area
        values = {}
        for name, slot in raw["values"].items():
            where = path(f"{key}.values", name)
            field = reported_field(self._kind, name)
            if field is None:
                raise Mismatch(where, "is not a field of an event")
            length = None if slot["length"] is None else self._place(slot["length"], where, within=area)
            values[name] = self._place(slot, where, field, length, area)
        if raw["event"]["table"] is None:
            raise Mismatch(f"{key}.event.table", "is missing; expected the name of a table")
        number = self._place(raw["number"], f"{key}.number", within=area)
        event = self._place(raw["event"], f"{key}.event", within=area)
        for name, place in (("number", number), ("event", event), *values.items()):
            if place.address + place.block.size > raw["size"]:
                raise Mismatch(f"{key}.size", f"{raw['size']} registers do not hold {name}")
        latest = self._place(raw["latest"], f"{key}.latest")
        ring = Ring(latest, start, raw["slots"], raw["size"], number, event, values)
        _check_end(ring.whole, f"{key}.slots")
        return ring

    def _remembered(self, name: str, raw: Mapping[str, Any], fields: Mapping[str, Location]) -> Mapping[str, str]:
        command = self._known(name)
        key = f"commands.{name}.remembered"
        for field in command.reply:
            source = raw["remembered"].get(field.name)
            if source not in fields:
                raise Mismatch(path(key, field.name), f"{source!r} is not one of modbus.fields")
        return dict(raw["remembered"])

    def _command(self, name: str, raw: Mapping[str, Any]) -> RegisterCommand:
        key = f"commands.{name}"
        command = self._known(name)
        args = {field.name: field for field in command.args}
        values = {}
        for arg, given in raw["values"].items():
            if arg not in args:
                raise Mismatch(path(f"{key}.values", arg), f"is not an argument of {name}")
            values[arg] = sensible(partial(value_of, args[arg], given), path(f"{key}.values", arg))
        writes = tuple(self._write(each, f"{key}.write[{n}]", args) for n, each in enumerate(raw["write"], 1))
        if not writes:
            raise Mismatch(f"{key}.write", "is missing; expected what is written")
        written = {write.argument for write in writes}
        for arg in args:
            if arg not in written and arg not in values:
                raise Mismatch(key, f"no value for {arg}; expected it in write, or in values")
        result = None if raw["result"] is None else self._place(raw["result"], f"{key}.result", ERROR)
        reply = {}
        for field in command.reply:
            if field.name not in raw["reply"]:
                raise Mismatch(f"{key}.reply", f"no value for {field.name}; expected it here")
            reply[field.name] = self._place(raw["reply"][field.name], f"{key}.reply.{field.name}", field)
        return RegisterCommand(writes, result, reply, values)

    def _known(self, name: str) -> Command:
        known = tuple(each for each in self._kind.commands if each not in ("events", "status", "identify"))
        Choice(known).read(name, "commands", {})
        return self._kind.commands[name]

    def _write(self, raw: Mapping[str, Any], key: str, args: Mapping[str, Field]) -> CommandWrite:
        given = raw["value"]
        argument = given[1:-1] if isinstance(given, str) and given == f"{{{given[1:-1]}}}" else None
        if isinstance(given, str) and argument not in args:
            raise Mismatch(f"{key}.value", f"{given!r} is not an argument; there are {', '.join(args) or 'none'}")
        place = self._place(raw, key, args.get(argument) if argument else None)
        if place.area not in WRITABLE:
            raise Mismatch(
                key, f"only a coil or a holding register can be written, and this is {place.area} {place.address}"
            )
        if argument is not None:
            return CommandWrite(place, argument=argument)
        sensible(partial(place.write, given), f"{key}.value")
        return CommandWrite(place, value=int(given))


def _check_end(block: Block, key: str) -> None:
    if block.address + block.size > CELLS:
        what = f"{block.size} cells from {block.area} {block.address} on"
        raise Mismatch(key, f"{what} run past the last address, {CELLS - 1}")


def _check_apart(fields: Mapping[str, Location], edges: Mapping[str, Edge], ring: Ring | None) -> None:
    """No cell means two things. Only fields of events may share theirs, all of them: one number for several events."""
    taken: list[tuple[str, Block, bool]] = []
    if ring is not None:
        taken.append(("modbus.ring.start", ring.whole, False))
        taken.append(("modbus.ring.latest", ring.latest.block, False))
    for name, place in fields.items():
        key = path("modbus.fields", name)
        taken.append((key, place.block, name not in edges and not name.endswith(f".{NTH}")))
        if place.length is not None:
            taken.append((f"{key}.length", place.length.block, True))
    for number, (key, block, shares) in enumerate(taken):
        for other, cells, shared in taken[:number]:
            if block.meets(cells) and not (block == cells and shares and shared):
                where = f"{block.area} {max(block.address, cells.address)}"
                raise Mismatch(key, f"is also at {where}, where {other} is")
