"""Mutants with a wrong state, a wrong refusal, events in a wrong order, or a wrong reset."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from feltrig.emulators.machine import Machine
from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import (
    Around,
    Asked,
    answers,
    around,
    obeys_in,
    refuses,
    rewritten,
    statuses,
    without,
)
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, fresh
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.vocabulary import Error, State

SLOW = 0.05
"""A speed at which a device can be seen busy."""

LAG = 0.1
"""Seconds by which a status is late."""

CARDS = ("shuffler", "shoe")


def _state(was: State, said: State) -> Change:
    return statuses(lambda status: replace(status, state=said) if status.state is was else status)


def _lagging(machine: Machine) -> Around:
    """Reports a new state a moment after it has changed."""

    class Lagging(Around):
        said = State.IDLE
        since = 0.0

        def handle(self, request: Request, now: float) -> Reply:
            reply = self.inner.handle(request, now)
            return self.status(now).reply() if request.command == "status" and not reply.error else reply

        def events(self, after: int, now: float, limit: int) -> EventBatch:
            batch = self.inner.events(after, now, limit)
            return replace(batch, status=self.status(now))

        def status(self, now: float) -> Status:
            status = self.inner.status(now)
            if status.state is self.said:
                self.since = now
            elif now - self.since > LAG:
                self.said, self.since = status.state, now
            return replace(status, state=self.said)

    return Lagging(machine)


def _refused_and(does: Callable[[Victim], None]) -> Change:
    """Refuses, and does something all the same."""

    def change(victim: Victim) -> None:
        def say(asked: Asked) -> Reply:
            reply = asked.obey()
            if reply.error and not asked.again:
                does(victim)
            return reply

        answers(say)(victim)

    return change


def _refused_as(error: Error) -> Change:
    """Gives one reason for every refusal."""

    def say(asked: Asked) -> Reply:
        reply = asked.obey()
        return Reply(error) if reply.error else reply

    return answers(say)


STATES = (
    Mutant(
        "never-busy",
        ("DEV-27", "DEV-26"),
        "reports ready while it is busy",
        _state(State.BUSY, State.READY),
        speed=SLOW,
    ),
    Mutant("idle-when-ready", ("DEV-26",), "reports idle when it is ready", _state(State.READY, State.IDLE)),
    Mutant("status-lags", ("DEV-26",), "reports a new state 0.1 s after it has changed", around(_lagging)),
    Mutant(
        "mute-when-busy",
        ("DEV-25",),
        "refuses to identify itself while busy",
        refuses(Error.WRONG_STATE, "identify", "challenge", states=(State.BUSY,)),
        speed=SLOW,
    ),
    Mutant(
        "mute-in-fault",
        ("DEV-25",),
        "refuses to identify itself in the state fault",
        refuses(Error.WRONG_STATE, "identify", "challenge", states=(State.FAULT,)),
        ("shaker", *CARDS),
    ),
    Mutant(
        "mute-when-locked",
        ("DEV-25",),
        "refuses a challenge when it is locked",
        refuses(Error.WRONG_STATE, "challenge", states=(State.LOCKED,)),
        ("shoe",),
    ),
)

REFUSALS = (
    Mutant("obeys-when-busy", ("DEV-28",), "obeys every command while it is busy", obeys_in((State.BUSY,)), speed=SLOW),
    Mutant(
        "obeys-in-fault",
        ("DEV-28",),
        "obeys every command in the state fault",
        obeys_in((State.FAULT,)),
        ("shaker", *CARDS),
    ),
    Mutant(
        "obeys-when-locked",
        ("DEV-28",),
        "dispenses when it is locked",
        obeys_in((State.LOCKED,), "dispense"),
        ("shoe",),
    ),
    Mutant(
        "refusal-goes-idle",
        ("DEV-29",),
        "becomes idle when it refuses",
        _refused_and(lambda v: v.device.board.become(State.IDLE)),
    ),
    Mutant(
        "refusal-makes-event",
        ("DEV-29",),
        "makes `cleared` when it refuses",
        _refused_and(lambda v: v.device.board.emit("cleared")),
    ),
    Mutant("refuses-as-empty", ("DEV-30",), "gives empty as the reason of every refusal", _refused_as(Error.EMPTY)),
    Mutant(
        "refuses-as-argument",
        ("DEV-30",),
        "gives bad argument as the reason of every refusal",
        _refused_as(Error.BAD_ARGUMENT),
    ),
    Mutant(
        "refuses-as-unknown",
        ("DEV-30",),
        "gives unknown command as the reason of every refusal",
        _refused_as(Error.UNKNOWN_COMMAND),
    ),
)


def _order(first: str, second: str) -> Callable[[], Change]:
    """Makes two events in the wrong order."""

    def make() -> Change:
        held: list[Event] = []

        def rewrite(event: Event) -> Iterable[Event]:
            if event.name == first:
                held.append(event)
                return ()
            return (event, held.pop()) if event.name == second and held else (event,)

        return rewritten(rewrite)

    return make


ORDER = (
    Mutant(
        "rolled-first",
        ("DEV-31",),
        "makes `rolled` before `uncovered`",
        fresh(_order("uncovered", "rolled")),
        ("shaker",),
    ),
    Mutant(
        "shuffled-first",
        ("DEV-31",),
        "makes `shuffled` before `shuffling`",
        fresh(_order("shuffling", "shuffled")),
        ("shuffler",),
    ),
    Mutant(
        "counted-first",
        ("DEV-31",),
        "makes `counted` before `shuffled`",
        fresh(_order("shuffled", "counted")),
        ("shuffler",),
    ),
    Mutant("no-shuffling", ("DEV-39", "DEV-31"), "makes no `shuffling`", without("shuffling")),
)


def _reset(then: Callable[[Victim], None]) -> Change:
    """Does something more at a reset."""

    def change(victim: Victim) -> None:
        def clear(honest: Callable[[], None]) -> None:
            honest()
            then(victim)

        parts.board("clear", clear)(victim)

    return change


def _stays_ready(victim: Victim) -> None:
    if victim.device.board.state is State.IDLE:
        victim.device.board.become(State.READY)


def _in_two_steps(victim: Victim) -> None:
    victim.device.board.emit("cleared")


RESETS = (
    Mutant("no-cleared", ("DEV-32",), "makes no `cleared`", without("cleared")),
    Mutant(
        "no-reset-when-busy",
        ("DEV-32",),
        "refuses a reset while busy",
        refuses(Error.WRONG_STATE, "reset", states=(State.BUSY,)),
        speed=SLOW,
    ),
    Mutant(
        "no-reset-when-locked",
        ("DEV-32",),
        "refuses a reset when locked",
        refuses(Error.WRONG_STATE, "reset", states=(State.LOCKED,)),
        ("shoe",),
    ),
    Mutant(
        "no-reset-when-ready",
        ("DEV-32",),
        "refuses a reset when ready",
        refuses(Error.WRONG_STATE, "reset", states=(State.READY,)),
    ),
    Mutant(
        "no-reset-in-fault",
        ("DEV-32",),
        "refuses a reset in the state fault",
        refuses(Error.WRONG_STATE, "reset", states=(State.FAULT,)),
        ("shaker", *CARDS),
    ),
    Mutant(
        "reset-unlocks",
        ("DEV-32",),
        "is unlocked by a reset",
        _reset(lambda v: v.device.board.become(State.IDLE)),
        ("shoe",),
    ),
    Mutant("reset-stays-ready", ("DEV-32",), "is ready after a reset", _reset(_stays_ready)),
    Mutant(
        "reset-goes-on",
        ("DEV-45",),
        "does not end what was under way at a reset",
        parts.board("cancel", lambda honest: None),
        speed=SLOW,
    ),
    Mutant("reset-says-twice", ("DEV-45", "DEV-15"), "makes `cleared` twice at a reset", _reset(_in_two_steps)),
)

MUTANTS = (*STATES, *REFUSALS, *ORDER, *RESETS)
