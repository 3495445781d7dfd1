"""What all machines have, written from docs/serial.md alone, whatever the wire: state, events, tokens, power, time."""

import asyncio
import hashlib
import hmac
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

IDLE, BUSY, READY, FAULT, LOCKED = range(5)
OK, UNKNOWN, ARGUMENT, STATE, EMPTY, MALFORMED = range(6)
JAM, STOPPED, INCOMPLETE = 1, 2, 3
ALWAYS = (IDLE, BUSY, READY, FAULT, LOCKED)

Types = tuple[tuple[str, str], ...]
"""The names and types of fields."""


@dataclass(frozen=True)
class Command:
    """A row of the vocabulary, and the states in which it is obeyed."""

    code: int
    acts: bool
    states: tuple[int, ...]
    args: Types = ()
    reply: Types = ()


IDENTITY: Types = (("vendor", "text"), ("model", "text"), ("serial", "text"), ("firmware", "text"), ("digest", "text"))
STATUS: Types = (("state", "u8"), ("fault", "u8"), ("oldest", "u32"), ("latest", "u32"))

COMMANDS = {
    "identify": Command(0x01, False, ALWAYS, (), (("kind", "u8"), *IDENTITY)),
    "status": Command(0x02, False, ALWAYS, (), STATUS),
    "events": Command(0x03, False, ALWAYS, (("after", "u32"),)),
    "reset": Command(0x04, True, ALWAYS),
    "challenge": Command(0x05, False, ALWAYS, (("nonce", "list"),), (("proof", "list"),)),
}
EVENTS: dict[str, tuple[int, Types]] = {
    "started": (0x01, ()),
    "faulted": (0x02, (("fault", "u8"),)),
    "cleared": (0x03, ()),
}

SIZES = {"u8": 1, "bool": 1, "u16": 2, "u32": 4}
"""Bytes of a number."""


class Card:
    """A card of one deck."""

    def __init__(self, deck: str, code: int) -> None:
        self.deck, self.code, self.up = deck, code, False


class Refusal(Exception):
    """Why a command is not carried out."""


class Machine:
    """What all machines have: state, events, tokens, power."""

    kind = 0
    own_commands: ClassVar[dict[str, Command]] = {}
    own_events: ClassVar[dict[str, tuple[int, Types]]] = {}

    def __init__(self, tray: list[Card], settings: dict[str, object]) -> None:
        self.tray = tray
        self.work = float(settings.get("work", 0.0))  # seconds of an operation
        self.slow = float(settings.get("answer", 0.0))  # seconds until an answer
        self.nvram = bool(settings.get("nvram", True))
        self.most = int(settings.get("events", 64))  # events that it keeps
        self.remembers = int(settings.get("tokens", 8))
        self.has_button = bool(settings.get("button", True))
        self.commands = {**COMMANDS, **self.own_commands}
        self.kinds_of_event = {**EVENTS, **self.own_events}
        self.random = random.SystemRandom()
        self.image = f"firmware of machine {self.kind}".encode()
        self.number, self.events, self.answered, self.last_token = 0, [], {}, 0
        self.timers: list[asyncio.TimerHandle] = []
        self.at_work: Callable[[], None] | None = None  # what a hand waits to do half-way through the next work
        self.late = bool(settings.get("late", False))  # whether hands are always late
        self.starts = 0
        self.blocked = self.locked = False
        self.power_on()

    # power

    def power_off(self) -> None:
        self.on = False
        self.stop()

    def power_on(self) -> None:
        self.on = True
        self.starts += 1
        self.state, self.fault = (LOCKED if self.locked else IDLE), 0
        if not self.nvram:
            self.number, self.events, self.answered, self.last_token = 0, [], {}, 0
        self.started()
        self.emit("started")

    def started(self) -> None:
        """What else a start does."""

    # events and time

    def emit(self, name: str, *values: object) -> None:
        self.number += 1
        self.events = [*self.events, (self.number, name, values)][-self.most :]

    def oldest(self, most: int = 0) -> int:
        return self.events[-most:][0][0] if self.events else 0

    def begin(self, share: float, then: Callable[[], None]) -> None:
        """Work for a share of its time."""
        self.state = BUSY
        if self.at_work is not None:
            act, self.at_work = self.at_work, None
            when = 3 if self.late else share / 2
            asyncio.get_running_loop().call_later(when * self.work, act)
        self.later(share, then)

    def later(self, share: float, then: Callable[[], None]) -> None:
        if self.work == 0:
            then()
        else:
            self.timers.append(asyncio.get_running_loop().call_later(share * self.work, then))

    def stop(self) -> None:
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def fail(self, fault: int) -> None:
        self.stop()
        self.state, self.fault = FAULT, fault
        self.emit("faulted", fault)

    def press(self) -> None:
        """A hand presses the stop button. At rest that does nothing."""
        if self.state == BUSY:
            self.fail(STOPPED)

    # commands

    def run(self, name: str, token: int, arguments: list[object] | None) -> tuple[int, list[object]]:
        """The answer to a command: an error, and the values of the reply. Arguments out of range are None."""
        command = self.commands[name]
        if command.acts:
            self.last_token = token
            if token in self.answered:
                return self.answered[token]
        try:
            if self.state not in command.states:
                raise Refusal(STATE)
            if arguments is None:
                raise Refusal(ARGUMENT)
            answer = OK, list(getattr(self, name)(*arguments) or ())
        except Refusal as refusal:
            answer = refusal.args[0], []
        if command.acts:
            self.answered[token] = answer
            while len(self.answered) > self.remembers:
                del self.answered[next(iter(self.answered))]
        return answer

    def say(self, write: Callable[[], object]) -> None:
        """Answer, a little later if it is slow. Without power it says nothing."""
        start = self.starts
        if self.slow:
            loop = asyncio.get_running_loop()
            loop.call_later(self.slow, lambda: write() if self.on and self.starts == start else None)
        else:
            write()

    def identify(self) -> list[object]:
        digest = hashlib.sha256(self.image).hexdigest()
        return [self.kind, "Foreign Works", type(self).__name__, f"FW-{self.kind:04}", "3.1", digest]

    def status(self) -> list[object]:
        return [self.state, self.fault, self.oldest(), self.number]

    def reset(self) -> None:
        self.stop()
        self.state, self.fault = (LOCKED if self.locked else IDLE), 0
        self.emit("cleared")

    def challenge(self, nonce: bytes) -> list[object]:
        if not 16 <= len(nonce) <= 32:
            raise Refusal(ARGUMENT)
        return [hmac.digest(nonce, self.image, "sha256")]

    def clear(self) -> None:
        """A hand removes whatever blocks it."""
        self.blocked = False

    def cards(self) -> list[list[Card]]:
        """Where cards can lie that hands reach."""
        return []
