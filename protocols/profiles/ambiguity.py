"""Messages of a profile that cannot be told apart: each is written, and it is asked who else reads it."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import NamedTuple

from feltrig.protocols.messages import Value, Values
from feltrig.protocols.profiles.dialogue import CommandForm, Dialogue, MessageForm, Parcel, Saying
from feltrig.protocols.profiles.fields import CLOCK, ERROR, SEQ, TOKEN, fitted, reported_field
from feltrig.protocols.schema import Mismatch, shown
from feltrig.protocols.vocabulary import Error, FaultCode, Field, Kind, State, Type

NUMBERS: Mapping[str, tuple[int, ...]] = {
    "state": tuple(State),
    "fault": tuple(FaultCode),
    "error": tuple(error for error in Error if error),
}
SAMPLES: Mapping[Type, tuple[Value, ...]] = {
    Type.BOOL: (True, False),
    Type.TEXT: ("text", "A"),
    Type.BYTES: ((1, 2, 3), (1, 2, 3, 4), (1,) * 16),
}
TRIED, KEPT = 256, 12
"""Combinations of values with which a message is tried, and how many that can be written are kept."""


class Sample(NamedTuple):
    """A message as it may appear on the wire, and the key of the profile where it stands."""

    key: str
    parcel: Parcel


def check_ambiguity(kind: Kind, dialogue: Dialogue) -> None:
    """Whether every message can be told from the others. Raises Mismatch at the key of one that cannot."""
    _check_commands(kind, dialogue)
    _check_answers(kind, dialogue)
    _check_says(kind, dialogue)


def _check_commands(kind: Kind, dialogue: Dialogue) -> None:
    """The device must know which command it was told."""
    heard = {f"commands.{name}.message": form.message for name, form in dialogue.commands.items() if form.message}
    if dialogue.poll is not None:
        heard["reports.poll"] = dialogue.poll.message
    if dialogue.acknowledge is not None:
        heard["reports.acknowledge"] = dialogue.acknowledge
    fields = {f"commands.{name}.message": kind.commands[name].args for name in dialogue.commands}
    for key, message in heard.items():
        for sample in _samples(kind, key, message, fields.get(key, ())):
            for other, form in heard.items():
                if other != key and form.read(sample.parcel) is not None:
                    _clash(sample, f"is also {other}: the device cannot tell them apart")


def _check_answers(kind: Kind, dialogue: Dialogue) -> None:
    """A refusal must not look like an acceptance, and nothing that is said unasked like an answer."""
    said = [s for n, saying in enumerate(dialogue.says, 1) for s in _said(kind, f"says[{n}].message", saying)]
    for name, form in dialogue.commands.items():
        command = kind.commands[name]
        if form.refused is not None and form.answer is not None:
            for sample in _samples(kind, f"commands.{name}.refused", form.refused, (*command.args, ERROR)):
                if _accepts(kind, name, form, sample.parcel):
                    _clash(sample, "refuses the command, but also reads as the answer that accepts it")
        if form.echoes_token():
            continue  # an answer is known by its token
        for sample in said:
            if _accepts(kind, name, form, sample.parcel):
                _clash(sample, f"is said unasked, but also reads as the answer to {name}")
            if form.refused is not None and form.refused.read(sample.parcel) is not None:
                _clash(sample, f"is said unasked, but also reads as the refusal of {name}")


def _check_says(kind: Kind, dialogue: Dialogue) -> None:
    """The first message of the list that can be read is taken: none may hide another."""
    for number, saying in enumerate(dialogue.says):
        for sample in _said(kind, f"says[{number + 1}].message", saying):
            for earlier, other in enumerate(dialogue.says[:number], 1):
                same = (other.event, other.status, other.values) == (saying.event, saying.status, saying.values)
                if not same and _fits(kind, other, sample.parcel):
                    _clash(sample, f"is also says[{earlier}], which is tried first; put the more special one first")
            nothing = dialogue.poll.nothing if dialogue.poll is not None else None
            if nothing is not None and nothing.read(sample.parcel) is not None:
                _clash(sample, "is also reports.nothing")


def _accepts(kind: Kind, name: str, form: CommandForm, parcel: Parcel) -> bool:
    read = None if form.answer is None else form.answer.read(parcel)
    if read is None:
        return False
    fields = {field.name: field for field in kind.commands[name].reply}
    return all(fitted(fields[key], value) is not None for key, value in read.items() if key in fields)


def _fits(kind: Kind, saying: Saying, parcel: Parcel) -> bool:
    read = saying.message.read(parcel)
    if read is None:
        return False
    own = kind.events[saying.event].fields if saying.event is not None else ()
    fields = {field.name: field for field in own}
    for name, value in read.items():
        field = fields.get(name) or reported_field(kind, name)
        if field is not None and fitted(field, value) is None:
            return False
    return True


def _said(kind: Kind, key: str, saying: Saying) -> Iterator[Sample]:
    fields = kind.events[saying.event].fields if saying.event is not None else ()
    return _samples(kind, key, saying.message, fields)


def _samples(kind: Kind, key: str, message: MessageForm, fields: Iterable[Field]) -> Iterator[Sample]:
    """The message with values of every sort that it can carry."""
    own = {field.name: field for field in fields}
    names = sorted(message.pattern.names)
    choices = [_values(own.get(name) or reported_field(kind, name), name) for name in names]
    written = (_written(message, dict(zip(names, values, strict=True))) for values in islice(product(*choices), TRIED))
    for parcel in islice(dict.fromkeys(parcel for parcel in written if parcel is not None), KEPT):
        yield Sample(key, parcel)


def _values(field: Field | None, name: str) -> tuple[Value, ...]:
    if name in CLOCK:
        return ("12:34:56",)
    if field is None:
        return (1,) if name in (SEQ, TOKEN) else (1, "text")
    return SAMPLES.get(field.type) or NUMBERS.get(field.name) or (1, 2, 5, 54)


def _written(message: MessageForm, values: Values) -> Parcel | None:
    try:
        return message.write(values)
    except (ValueError, TypeError, KeyError):  # the pattern of a codec may be less careful
        return None


def _clash(sample: Sample, why: str) -> None:
    raise Mismatch(sample.key, f"{shown(sample.parcel.payload.decode('latin-1'))} {why}")
