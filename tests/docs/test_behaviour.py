"""What serial.md says that a device does is what the emulated devices do."""

from pathlib import Path
from typing import Any

import pytest

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import ANY, Device
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import COMMON, State

PAGE = (Path(__file__).parents[2] / "docs" / "serial.md").read_text()
SECTION = PAGE[PAGE.index("## What a device does") : PAGE.index("## Invalid messages")]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")][1:] for line in SECTION.splitlines() if line.startswith("| ")
][1:]

ARGUMENTS = {"times": 3, "deck": 1, "size": 4, "offset": 0, "limit": 60}


def device(kind: str) -> Device[Any]:
    """One with cards wherever it needs some."""
    bench = Bench()
    for place in ("box.in.1", "box.well", "box.tray"):
        bench.put_new_deck(place, "red", range(54))
    return MODELS[kind].build(Setup("box", 1, bench=bench))


def command(kind: str, name: str) -> Request:
    return Request(name, {field.name: ARGUMENTS[field.name] for field in KINDS[kind].commands[name].args}, 7)


def test_every_command_of_a_kind_has_its_row():
    said = {(kind, name.strip("`")) for kind, name, *_ in ROWS}
    common = {each.name for each in COMMON}
    own = {(kind, name) for kind in KINDS for name in KINDS[kind].commands if name not in common}
    assert said == own | {("every device", "reset")}


@pytest.mark.parametrize("row", ROWS, ids=[" ".join(row[:2]) for row in ROWS])
def test_a_command_does_what_its_row_says(row):
    kind, name, obeyed, events, end = row
    name, kinds = name.strip("`"), list(KINDS) if kind == "every device" else [kind]
    for each in kinds:
        allowed = ANY if name == "reset" else MODELS[each].commands[name][0]
        assert {State[state.upper()] for state in obeyed.split(", ")} == allowed
        for state in allowed:
            box = device(each)
            box.board.become(state)
            assert not box.handle(command(each, name), 0.0).error
            happened = [event.name for event in box.events(1, 0.0, 9).events]
            assert happened == [event.strip("`") for event in events.split(", ") if event]
            assert box.status(0.0).state is _end(end, state)
        for state in ANY - allowed:
            box = device(each)
            box.board.become(state)
            assert box.handle(command(each, name), 0.0).error
            assert box.status(0.0).latest == 1


def _end(said: str, before: State) -> State:
    match said.split(", or "):
        case ["as before"]:
            return before
        case ["idle", "locked as before"]:
            return State.LOCKED if before is State.LOCKED else State.IDLE
        case ["idle if it was locked", "as before"]:
            return State.IDLE if before is State.LOCKED else before
        case [word]:
            return State[word.upper()]
    raise AssertionError(said)
