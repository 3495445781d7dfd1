"""Changes to the bytes on a wire: those of an answer, those that come in, and those that nobody asked for."""

import itertools
from collections.abc import Callable, Collection

from feltrig.emulators.saboteur.hooks.publications import late_on_broker
from feltrig.emulators.saboteur.mutant import Change, Victim, fresh
from feltrig.protocols.modbus.frame import crc16

Nth = Collection[int] | None
"""Which answers are changed, counted from 1; None for all."""

ZERO = b"\0"


def answer_bytes(change: Callable[[bytes], bytes | None], nth: Nth = None) -> Change:
    """Other bytes in place of an answer: a whole frame, or a payload on a broker. None for silence."""

    def tamper(victim: Victim) -> None:
        counter = itertools.count(1)
        victim.answers.append(lambda answer: change(answer) if nth is None or next(counter) in nth else answer)

    return tamper


def incoming(change: Callable[[bytes], bytes]) -> Change:
    """Other bytes in place of those that come to the device, as they come."""
    return lambda victim: victim.incoming.append(change)


def resealed_rtu(data: bytes) -> bytes:
    """An RTU frame with its CRC made right."""
    return data[:-2] + crc16(data[:-2]).to_bytes(2, "little") if len(data) > 4 else data


def late(seconds: float, nth: Nth = None) -> Change:
    """Answers late."""

    def make() -> Change:
        counter = itertools.count(1)
        return delayed(lambda _: seconds if nth is None or next(counter) in nth else 0.0)

    return fresh(make)


def delayed(delay: Callable[[bytes], float]) -> Change:
    """Answers so many seconds late, each as it is told."""

    def tamper(victim: Victim) -> None:
        victim.delays.append(delay)
        late_on_broker(victim, delay)

    return tamper


def unasked(data: bytes | Callable[[bytes], bytes], after: float = 0.0, nth: Nth = None) -> Change:
    """Says more than it is asked: these bytes after an answer, or what is made of that answer."""

    def tamper(victim: Victim) -> None:
        counter = itertools.count(1)

        def say(answer: bytes) -> tuple[tuple[float, bytes], ...]:
            if nth is not None and next(counter) not in nth:
                return ()
            return ((after, data(answer) if callable(data) else data),)

        victim.unasked.append(say)

    return tamper
