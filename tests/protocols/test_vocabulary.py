"""The vocabulary of every kind of device: names and codes of its own, the common ones in all."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.vocabulary import COMMON, Kind


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_commands_and_events_have_codes_of_their_own_and_the_common_ones_are_there(kind: Kind) -> None:
    assert len(kind.command_of) == len(kind.commands)
    assert len(kind.event_of) == len(kind.events)
    assert {command.name for command in COMMON} <= set(kind.commands)
    assert {"started", "faulted", "cleared"} <= set(kind.events)


def test_kinds_have_codes_of_their_own() -> None:
    assert len({kind.code for kind in KINDS.values()}) == len(KINDS)
    assert {name: kind.name for name, kind in KINDS.items()} == {name: name for name in KINDS}
