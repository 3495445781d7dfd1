"""Changes to what a device answers, reports and remembers, the same on every wire."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from feltrig.emulators.machine import Machine
from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.mutant import Change, Victim
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status, Value, Values
from feltrig.protocols.vocabulary import COMMON, Error, State

EVERY_EVENT = 1 << 31


class Around:
    """A machine around another, which does all the work."""

    def __init__(self, machine: Machine) -> None:
        self.inner = machine
        self.kind = machine.kind
        self.identity: Identity = machine.identity

    def handle(self, request: Request, now: float) -> Reply:
        return self.inner.handle(request, now)

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        return self.inner.events(after, now, limit)

    def advance(self, now: float) -> None:
        self.inner.advance(now)

    def due(self) -> float | None:
        return self.inner.due()

    def status(self, now: float) -> Status:
        return self.inner.status(now)


@dataclass(frozen=True, slots=True)
class Asked:
    """A command that came to a device."""

    request: Request
    now: float
    machine: Machine
    """The honest one."""
    count: int
    """How many such commands have come, with this one."""
    before: Status
    again: bool
    """Whether a command with this token has come before."""

    def obey(self, **changes: object) -> Reply:
        """What the honest machine does and answers, perhaps to a changed request."""
        return self.machine.handle(replace(self.request, **changes), self.now)  # type: ignore[arg-type]


def answers(say: Callable[[Asked], Reply], *commands: str, states: Collection[State] = ()) -> Change:
    """Other answers to these commands, or to all; only in these states, if any are named."""

    class Answering(Around):
        def __init__(self, machine: Machine) -> None:
            super().__init__(machine)
            self.count = 0
            self.seen: set[int] = set()

        def handle(self, request: Request, now: float) -> Reply:
            before = self.inner.status(now)
            again = request.token in self.seen
            if self.kind.commands[request.command].acts:
                self.seen.add(request.token)
            if (commands and request.command not in commands) or (states and before.state not in states):
                return self.inner.handle(request, now)
            self.count += 1
            return say(Asked(request, now, self.inner, self.count, before, again))

    return around(Answering)


def refuses(error: Error, *commands: str, states: Collection[State] = ()) -> Change:
    """Refuses these commands, and does nothing."""
    return answers(lambda _: Reply(error), *commands, states=states)


def obeys_in(states: Collection[State], *commands: str) -> Change:
    """Obeys commands, all of its kind's own if none is named, in states where they must be refused: the model's own
    table is changed."""

    def change(victim: Victim) -> None:
        own = [name for name, command in victim.device.kind.commands.items() if command not in COMMON and command.acts]
        for name in commands or own:
            step = victim.device._steps[name]
            victim.device._steps[name] = replace(step, allowed=step.allowed | frozenset(states))

    return change


def statuses(say: Callable[[Status], Status]) -> Change:
    """Another status, wherever the device reports one."""

    class Reporting(Around):
        def handle(self, request: Request, now: float) -> Reply:
            reply = self.inner.handle(request, now)
            return self.status(now).reply() if request.command == "status" and not reply.error else reply

        def status(self, now: float) -> Status:
            return say(self.inner.status(now))

        def events(self, after: int, now: float, limit: int) -> EventBatch:
            batch = self.inner.events(after, now, limit)
            return replace(batch, status=say(batch.status))

    return around(Reporting)


def batches(say: Callable[[EventBatch, int], EventBatch]) -> Change:
    """Another answer to `events`: of the batch, and of the number after which events were asked for."""

    class Telling(Around):
        def events(self, after: int, now: float, limit: int) -> EventBatch:
            return say(self.inner.events(after, now, limit), after)

    return around(Telling)


Rewrite = Callable[[Event], Iterable[Event]]
"""The events that the device makes in place of one: none, the same, another, or several. Numbers are given anew."""


def rewritten(
    rewrite: Rewrite = lambda event: (event,), *, number: Callable[[int], int] = lambda n: n, kept: int = EVERY_EVENT
) -> Change:
    """Other events than the honest machine makes, under numbers of their own, and `kept` of them at most. `number`
    gives the number of the nth event."""

    class Rewriting(Around):
        def __init__(self, machine: Machine) -> None:
            super().__init__(machine)
            self.log: list[Event] = []
            self.made = 0
            self.seen = 0

        def status(self, now: float) -> Status:
            status = self.inner.status(now)
            if status.latest < self.seen:  # it has started without its memory
                self.log.clear()
                self.made = self.seen = 0
            while self.seen < status.latest:
                batch = self.inner.events(self.seen, now, 64).events
                if not batch:
                    break
                for event in batch:
                    self.made += event.number - self.seen - 1  # numbers that it has used up
                    self.seen = event.number
                    for made in rewrite(event):
                        self.made += 1
                        self.log.append(replace(made, number=number(self.made)))
            held = self.log[-kept:]
            return replace(status, oldest=held[0].number if held else 0, latest=held[-1].number if held else 0)

        def handle(self, request: Request, now: float) -> Reply:
            reply = self.inner.handle(request, now)
            return self.status(now).reply() if request.command == "status" and not reply.error else reply

        def events(self, after: int, now: float, limit: int) -> EventBatch:
            status = self.status(now)
            held = self.log[-kept:]
            return EventBatch(status, tuple(event for event in held if event.number > after)[:limit])

    return around(Rewriting)


def fields(event: str, **changed: Value | Callable[[Any], Value]) -> Change:
    """Other values in the fields of an event."""

    def rewrite(made: Event) -> Iterable[Event]:
        if made.name != event:
            return (made,)
        new = {name: how(made.values[name]) if callable(how) else how for name, how in changed.items()}
        return (replace(made, values={**made.values, **new}),)

    return rewritten(rewrite)


def without(*names: str) -> Change:
    """Never makes these events."""
    return rewritten(lambda event: () if event.name in names else (event,))


def twice(*names: str) -> Change:
    """Makes these events twice."""
    return rewritten(lambda event: (event, event) if event.name in names else (event,))


def remembers(tokens: int) -> Change:
    """Remembers only so many tokens: a command with an older one is obeyed again."""

    class Forgetful(Around):
        def __init__(self, machine: Machine) -> None:
            super().__init__(machine)
            self.known: dict[int, Reply] = {}
            self.fresh = 0xF0000000

        def handle(self, request: Request, now: float) -> Reply:
            if not self.kind.commands[request.command].acts:
                return self.inner.handle(request, now)
            if request.token not in list(self.known)[-tokens:] or not tokens:
                self.fresh += 1  # the honest machine has never seen this one
                self.known.pop(request.token, None)
                self.known[request.token] = self.inner.handle(replace(request, token=self.fresh), now)
            return self.known[request.token]

    return around(Forgetful)


def identity(**changed: str) -> Change:
    """Says that it is another."""

    def change(victim: Victim) -> None:
        victim.device.identity = victim.machine.identity = replace(victim.device.identity, **changed)

    return change


def firmware(image: bytes) -> Change:
    """Has another firmware than it says."""

    def change(victim: Victim) -> None:
        victim.device.image = image

    return change


def around(make: Callable[[Machine], Around]) -> Change:
    """Another machine around the one that is served."""

    def change(victim: Victim) -> None:
        victim.machine = make(victim.machine)

    return change


def accepts(name: str, field: str, wrong: int, instead: int) -> Change:
    """Obeys a command with a wrong argument."""

    def run(honest: Callable[[Values], Reply], values: Values) -> Reply:
        return honest({**values, field: instead} if values[field] == wrong else values)

    return parts.command(name, run)


def refused_as(was: Error, said: Error, *commands: str) -> Change:
    def say(asked: Any) -> Reply:
        reply = asked.obey()
        return Reply(said) if reply.error is was else reply

    return answers(say, *commands)
