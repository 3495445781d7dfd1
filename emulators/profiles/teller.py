"""A machine that talks as a profile says: messages in, messages out. Knows no line."""

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime

from feltrig.emulators.machine import Machine
from feltrig.emulators.profiles.memory import Memory
from feltrig.protocols.messages import Event, Reply, Request, Value, Values
from feltrig.protocols.profiles.dialogue import CommandForm, Dialogue, Parcel, Saying
from feltrig.protocols.profiles.fields import CLOCK, ERROR, SEQ, TOKEN, fitted
from feltrig.protocols.vocabulary import Command, Error

UNCOUNTED = 1 << 32

LONGEST_TEXT, SHORTER_TEXTS = 1024, (32, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1)
"""Characters to which the texts of an answer are cut until it fits."""

Wall = Callable[[], datetime]
"""The time of day, for messages that carry it."""


class Teller:
    """Answers commands, and says what happened and how things stand."""

    def __init__(self, machine: Machine, dialogue: Dialogue, wall: Wall) -> None:
        self._machine = machine
        self._dialogue = dialogue
        self._wall = wall
        self._memory = Memory(machine)
        self._seq = 0
        self._token = 0
        self._refusals = [form.refused for form in dialogue.commands.values() if form.refused is not None]

    def hear(self, parcel: Parcel, now: float) -> Parcel | None:
        """Act on a message; its answer, if it gets one."""
        for name, form in self._dialogue.commands.items():
            read = None if form.message is None else form.message.read(parcel)
            if read is not None:
                return self._obey(self._machine.kind.commands[name], form, read, now)
        return self.refuse(Error.UNKNOWN_COMMAND)

    def refuse(self, error: Error) -> Parcel | None:
        """The message that refuses what was no command; None when the wire has none for it."""
        for message in self._refusals:
            try:
                return message.write({ERROR.name: int(error)})
            except ValueError:
                continue
        return None

    def news(self, now: float) -> Iterator[Parcel]:
        """The messages that report the new events."""
        for event in self._memory.follow(now):
            saying = self._saying(event)
            if saying is not None:
                parcel = self._write(saying, {**self._memory.values(now, saying.modulus or UNCOUNTED), **event.values})
                if parcel is not None:
                    yield parcel

    def report(self, saying: Saying, now: float) -> Parcel | None:
        """A report of the current state by one message of the profile; None when it cannot express it."""
        return self._write(saying, self._memory.values(now, saying.modulus or UNCOUNTED))

    def _obey(self, command: Command, form: CommandForm, read: Values, now: float) -> Parcel | None:
        fields = {field.name: field for field in command.args}
        values = {name: fitted(fields[name], value) for name, value in read.items() if name in fields}
        token = read.get(TOKEN, 0)
        self._token = token if isinstance(token, int) else 0
        if None in values.values():
            return self._answer(form, read, Reply(Error.BAD_ARGUMENT))
        given = {name: value for name, value in values.items() if value is not None}
        return self._answer(form, read, self._machine.handle(Request(command.name, {**form.values, **given}), now))

    def _answer(self, form: CommandForm, read: Values, reply: Reply) -> Parcel | None:
        message, said = (
            (form.answer, dict(reply.values))
            if reply.error is Error.OK
            else (form.refused, {ERROR.name: int(reply.error)})
        )
        if message is None:
            return None
        for size in (LONGEST_TEXT, *SHORTER_TEXTS):  # an emulator's name may be longer than that of the machine
            with contextlib.suppress(ValueError):
                return message.write({**read, **{name: _cut(value, size) for name, value in said.items()}})
        return None  # the profile has no message for it: the machine stays silent

    def _saying(self, event: Event) -> Saying | None:
        """The first saying that reports such an event."""
        for saying in self._dialogue.says:
            if (
                saying.event == event.name
                and all(event.values.get(name) == value for name, value in saying.values.items())
                and all(span.holds(event.values.get(name)) for name, span in saying.when.items())
            ):
                return saying
        return None

    def _write(self, saying: Saying, values: Values) -> Parcel | None:
        numbered = SEQ in saying.message.pattern.names
        seq = (self._seq + 1) % self._dialogue.modulus if numbered else 0
        wall = self._wall()
        clock: dict[str, Value] = {name: wall.strftime(form) for name, form in CLOCK.items()}
        try:
            parcel = saying.message.write({**values, **clock, SEQ: seq, TOKEN: self._token})
        except ValueError:
            return None
        if numbered:
            self._seq = seq
        return parcel


def _cut(value: Value, size: int) -> Value:
    return value[:size] if isinstance(value, str) else value
