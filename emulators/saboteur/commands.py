"""Mutants that refuse a command which they must obey, or end it in a wrong state."""

from collections.abc import Callable

from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.machine import refuses
from feltrig.emulators.saboteur.hooks.parts import SLOW
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.vocabulary import Error, State


def _becomes(was: State, said: State) -> Change:
    """Ends in another state."""
    return parts.board("become", lambda honest, state: honest(said if state is was else state))


def _refused_in(command: str, *states: State) -> Change:
    return refuses(Error.WRONG_STATE, command, states=states)


def _does_nothing(name: str) -> Change:
    return parts.command(name, lambda honest, values: Reply())


def _unlocks_ready(victim: Victim) -> None:
    def unlock(honest: Callable[[Values], Reply], values: Values) -> Reply:
        reply = honest(values)
        victim.device.board.become(State.READY)
        return reply

    parts.command("unlock", unlock)(victim)


def _closes_ready(victim: Victim) -> None:
    def close(honest: Callable[[], None]) -> None:
        honest()
        victim.device.board.become(State.READY)

    parts.part("_close", close)(victim)


MUTANTS = (
    Mutant("select-ends-idle", ("DEV-33",), "is idle after a select", _becomes(State.READY, State.IDLE)),
    Mutant("select-once", ("DEV-33",), "refuses a select when a number is shown", _refused_in("select", State.READY)),
    Mutant("display-not-when-idle", ("DEV-34",), "refuses `display` when idle", _refused_in("display", State.IDLE)),
    Mutant(
        "display-not-when-busy",
        ("DEV-34",),
        "refuses `display` while it selects",
        _refused_in("display", State.BUSY),
        speed=SLOW,
    ),
    Mutant("blank-stays-ready", ("DEV-35",), "is ready after `blank`", _becomes(State.IDLE, State.READY)),
    Mutant("shake-ends-idle", ("DEV-36",), "is idle after a shake", _becomes(State.READY, State.IDLE)),
    Mutant("shake-once", ("DEV-36",), "refuses a second shake", _refused_in("shake", State.READY)),
    Mutant("uncover-ends-idle", ("DEV-37",), "is idle after `uncover`", _becomes(State.READY, State.IDLE)),
    Mutant("cover-ends-ready", ("DEV-38",), "is ready after `cover`", _closes_ready),
    Mutant("shuffle-ends-idle", ("DEV-39",), "is idle after a shuffle", _becomes(State.READY, State.IDLE)),
    Mutant("shuffle-once", ("DEV-39",), "refuses a second shuffle", _refused_in("shuffle", State.READY)),
    Mutant("dispense-ends-idle", ("DEV-40",), "is idle after a stack", _becomes(State.READY, State.IDLE)),
    Mutant("dispense-once", ("DEV-40",), "refuses a second stack", _refused_in("dispense", State.READY)),
    Mutant("unlock-stays-locked", ("DEV-41",), "stays locked when it is unlocked", _does_nothing("unlock")),
    Mutant("unlock-ends-ready", ("DEV-41",), "is ready after `unlock`", _unlocks_ready),
    Mutant("lock-does-nothing", ("DEV-42",), "is not locked by `lock`", _does_nothing("lock")),
    Mutant("lock-not-when-locked", ("DEV-42",), "refuses `lock` when locked", _refused_in("lock", State.LOCKED)),
    Mutant("lock-not-when-ready", ("DEV-42",), "refuses `lock` when ready", _refused_in("lock", State.READY)),
)
