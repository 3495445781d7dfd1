"""Messages that are wrong by the profile's own framing, or in no message of it: what a device must not act on.

Each is made of a command that would show if it was obeyed. What the device answers is its own affair: the profile says
nothing of that. It must not act on it, and must answer the next question.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from feltrig.protocols.messages import Values
from feltrig.protocols.profiles.dialogue import Dialogue, MessageForm, Parcel
from feltrig.protocols.profiles.fields import TOKEN
from feltrig.protocols.profiles.framing import Cobs, Counted, Enclosed, Framing, Lines, unchecked
from feltrig.protocols.profiles.profile import Profile

LONG = 600
"""Bytes of a message that is longer than any command."""
NOISE = bytes(range(0xA5, 0xE5)) + b"GTXZ"
"""Bytes as a disturbed line may bring them: no control characters, and no word."""
NO_CODE = 0x7E
"""A byte that begins no command of a binary protocol, as far as its profile says."""


@dataclass(frozen=True, slots=True)
class WrongMessage:
    """One such message."""

    name: str
    parcel: Parcel


def wrong_messages(profile: Profile, command: str, values: Values) -> Iterator[WrongMessage]:
    """A command that is wrong in every way that the profile's wire has. None of it is a message of the profile.

    A machine may be generous: it may read a line without its opening, or by its first word. So nothing is sent that a
    generous machine could take for the command, unless a check says that it is not."""
    dialogue = profile.talk
    assert isinstance(dialogue, Dialogue)
    form = dialogue.commands[command].message
    assert form is not None
    payload = form.write({**values, TOKEN: 1}).payload
    hears = None if profile.serial is None else profile.serial.hears
    for name, data in _wrong(dialogue, form, payload, hears):
        yield WrongMessage(f"{command}, {name}", Parcel(form.topic, data))


def _wrong(dialogue: Dialogue, form: MessageForm, payload: bytes, hears: Framing | None) -> Iterator[tuple[str, bytes]]:
    another = _another(payload)
    if not _is_command(dialogue, Parcel(form.topic, another)):
        yield from _framed("another word", another, hears)
    checked = hears is not None and unchecked(hears) is not None
    yield from _framed("too long", (payload if checked else b"") + b"9" * LONG, hears)
    if hears is None:
        yield "an empty message", b""
        return
    yield from _frames(hears, payload)
    yield "noise", NOISE


def _is_command(dialogue: Dialogue, parcel: Parcel) -> bool:
    heard = [command.message for command in dialogue.commands.values() if command.message is not None]
    return any(message.read(parcel) is not None for message in heard)


def _framed(name: str, payload: bytes, hears: Framing | None) -> Iterator[tuple[str, bytes]]:
    try:
        yield name, payload if hears is None else hears.frame(payload)
    except ValueError:
        return  # the frame has no room for it


def _another(payload: bytes) -> bytes:
    """The message with another first word, or another code."""
    letters = bytes(_other(octet) if n < 2 else octet for n, octet in enumerate(payload))
    return letters if letters != payload else bytes((NO_CODE,)) + payload[1:]


def _other(octet: int) -> int:
    """A character of the same sort."""
    letter = chr(octet)
    if letter.isdecimal() and letter.isascii():
        return ord("0") + (octet - ord("0") + 5) % 10
    if letter.isalpha() and letter.isascii():
        return ord("Q") if letter != "Q" else ord("J")
    return octet


def _frames(hears: Framing, payload: bytes) -> Iterator[tuple[str, bytes]]:
    """Frames that are wrong around a command."""
    frame = hears.frame(payload)
    yield "broken off", frame[: max(1, len(frame) // 2)]
    if unchecked(hears) is None:
        return
    assert isinstance(hears, Lines | Enclosed | Counted | Cobs)
    for flips in (0x01, 0x80, 0xFF):
        yield f"check wrong by {flips:02X}", _with(hears, check=replace(hears.check, flips=flips)).frame(payload)
    match hears:
        case Enclosed():
            yield "without its start", frame[1:]
        case Counted():
            for more, words in ((1, "too great"), (-1, "too small")):
                yield f"length {words}", _with(hears, length_adds=hears.length_adds + more).frame(payload)


def _with(framing: Any, **changes: Any) -> Framing:
    changed: Framing = replace(framing, **changes)
    return changed


def carried_queries(profile: Profile) -> Mapping[str, MessageForm]:
    """The commands that only ask, take no arguments and are answered."""
    dialogue = profile.talk
    assert isinstance(dialogue, Dialogue)
    return {
        name: form.message
        for name, form in dialogue.commands.items()
        if form.message is not None
        and form.answer is not None
        and not profile.kind.commands[name].acts
        and not profile.kind.commands[name].args
    }
