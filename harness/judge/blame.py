"""Which requirement a device breaks that did not do what it was told: the row of that command."""

from collections.abc import Sequence

from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import OK
from feltrig.harness.journal.records import Body, Called, Replied
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.vocabulary import Error

WRONG_STATE = Error.WRONG_STATE.name.lower()


def refused(kind: str, command: str, error: str) -> tuple[str, ...]:
    """What a device of this kind breaks that refuses a command which it must obey. If it says that its state is the
    wrong one, it has reported another state than it has: it is asked before each command."""
    return (*_row(kind, command), demands.STATUS) if error == WRONG_STATE else _row(kind, command)


def blamed(kind: str, records: Sequence[Body]) -> tuple[str, ...]:
    """What a device of this kind breaks of which these are the last records: it has refused its last command, or did
    not bring it to its end."""
    commands = KINDS[kind].commands if kind in KINDS else {}
    for body in reversed(records):
        match body:
            case Replied(command=command, error=error) if error != OK:
                return refused(kind, command, error)
            case Called(command=command) if command in commands and commands[command].acts:
                return (*_row(kind, command), demands.EVENTS_IN_ORDER)
    return ()


def _row(kind: str, command: str) -> tuple[str, ...]:
    """The requirements that say what a command does; none for a kind that is not judged."""
    own = DEVICES[kind].demands.get(OK, {}).get(command) if kind in DEVICES else None
    return demands.OF_COMMON.get(command, ()) if own is None else (own,)
