"""The names by which a profile speaks of what is carried, and the values that belong to them.

In a command's messages the names are those of its arguments and of its reply; in an event's, those of its fields. What
a device reports of itself has a name with a dot: `status.state` and `status.fault`, `selected.number` for a field of
the last event of a name, `selected.nth` for how many of them there have been.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from feltrig.protocols.messages import Value
from feltrig.protocols.schema import either, shown
from feltrig.protocols.vocabulary import Error, FaultCode, Field, Kind, State, Type

STATE, FAULT = "status.state", "status.fault"
NTH = "nth"
"""How many events of a name there have been; a counter of the device's that starts over at its modulus."""

SEQ, TOKEN = "seq", "token"
CLOCK: Mapping[str, str] = {"clock.time": "%H:%M:%S", "clock.date": "%m/%d/%y"}
"""Names that a message may use for the time and the date, and how they are written."""

LABEL = ("vendor", "model", "serial", "firmware", "digest")
"""What is known of a device by its label, when it does not say so itself."""

CODES: Mapping[str, type[IntEnum]] = {"state": State, "fault": FaultCode, "error": Error}
"""Fields whose numbers have names."""

NAMES: Mapping[str, IntEnum] = {member.name.lower(): member for codes in CODES.values() for member in codes}
"""Every such name; no two codes share one."""

ERROR = Field("error", Type.U8, "see Error")
LIMITS = {Type.U8: 0xFF, Type.U16: 0xFFFF, Type.U32: 0xFFFF_FFFF}


def reported_field(kind: Kind, name: str) -> Field | None:
    """The field that a name with a dot stands for; None when a device of the kind reports no such thing."""
    group, _, field = name.partition(".")
    if group == "status":
        return next((f for f in kind.commands["status"].reply[:2] if f.name == field), None)
    event = kind.events.get(group)
    if event is None:
        return None
    if field == NTH:
        return Field(NTH, Type.U32, f"how many events {group} there have been")
    return next((f for f in event.fields if f.name == field), None)


def value_of(field: Field, raw: object) -> Value:
    """What a profile says of a field, as its value. Raises ValueError with what was expected."""
    if isinstance(raw, str) and field.name in CODES:
        codes = CODES[field.name]
        if raw.upper() in codes.__members__:
            return int(codes[raw.upper()])
        raise ValueError(f"{raw!r} is not one of {', '.join(name.lower() for name in codes.__members__)}")
    if isinstance(raw, list):
        raw = tuple(raw)
    if not isinstance(raw, bool | int | str | tuple):
        raise ValueError(f"{raw!r} is not {_expected(field)}")
    value = fitted(field, raw)
    if value is None or (isinstance(raw, bool) is not (field.type is Type.BOOL)):
        raise ValueError(f"{raw!r} is not {_expected(field)}")
    return value


def fitted(field: Field, value: Value) -> Value | None:
    """A value as the field has it: truth may stand on a wire as 0 and 1. None when it does not fit."""
    match field.type:
        case Type.TEXT:
            return value if isinstance(value, str) else None
        case Type.BYTES:
            good = isinstance(value, tuple) and all(isinstance(v, int) and 0 <= v <= 0xFF for v in value)
            return value if good else None
        case Type.BOOL:
            return bool(value) if isinstance(value, int) and value in (0, 1) else None
        case number:
            if not isinstance(value, int) or not 0 <= value <= LIMITS[number]:
                return None
            if field.name in CODES and value not in set(CODES[field.name]):
                return None
            return int(value)


def check_meaning(field: Field, value: Value) -> None:
    """Whether a row of a table can mean this for a field, or for an item of a list. Raises ValueError."""
    said = value.name.lower() if isinstance(value, IntEnum) else value
    codes = CODES.get(field.name)
    if codes is not None:
        named = isinstance(value, IntEnum)
        if not (isinstance(value, codes) if named else type(value) is int and value in set(codes)):
            raise ValueError(f"{shown(said)} is not {either(shown(name.lower()) for name in codes.__members__)}")
        return
    each = Field(field.name, Type.U8, field.doc) if field.type is Type.BYTES else field
    if fitted(each, said) is None:
        raise ValueError(f"{shown(said)} is not {_expected(each)}")


def _expected(field: Field) -> str:
    return {
        Type.TEXT: "text",
        Type.BYTES: "a list of numbers up to 255",
        Type.BOOL: "true or false",
    }.get(field.type, f"a number up to {LIMITS.get(field.type)}")


@dataclass(frozen=True, slots=True)
class Span:
    """A condition on a number or a truth value."""

    low: int
    high: int | float

    def holds(self, value: Value | None) -> bool:
        """Whether the value lies within."""
        return isinstance(value, int) and self.low <= value <= self.high


def span(raw: object) -> Span:
    """`5`, `true`, `"3.."`, `"..53"` or `"2..5"`. Raises ValueError."""
    if isinstance(raw, int):
        return Span(int(raw), int(raw))
    if isinstance(raw, str):
        low, dots, high = raw.partition("..")
        if dots and all(part.isdecimal() or not part for part in (low, high)):
            return Span(int(low or 0), int(high) if high else float("inf"))
    raise ValueError(f'{raw!r} is not a number, true or false, or a span such as "..53" or "55.."')


Wire = Literal["serial", "mqtt", "modbus"]
