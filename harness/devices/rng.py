"""The random number generator: a display that selects a number from 1 to 7."""

from collections.abc import Iterator, Mapping
from typing import Any

from feltrig.engine import asks, tells
from feltrig.harness.devices.cases import RESET, CommandCase, QuietCommand, StateCases
from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit, Sampler
from feltrig.harness.devices.hands import Driver, Hands
from feltrig.harness.devices.patterns import no_long_run
from feltrig.harness.devices.play import Play
from feltrig.harness.devices.values import int_of
from feltrig.harness.journal.records import Called, EventSeen, Replied
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence
from feltrig.protocols.vocabulary import State


@check("selects a number from 1 to 7", role="range", rests_on=("selected.number",), catches=("out_of_range",))
def number_in_range(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The number selected is one of 1 to 7."""
    for record in evidence.events(device, "selected"):
        number = record.body.values["number"]
        yield Sighting(1 <= number <= 7, (record.seq,), f"selected {number}")


@check(
    "displays the number selected",
    role="display",
    rests_on=("command display", "selected.number"),
    catches=("display_differs", "display_stale"),
)
def displays_what_it_selected(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The display shows the number that was selected."""
    selected: tuple[int, int] | None = None
    for record in evidence.records:
        match record.body:
            case EventSeen(name, event="selected", values=values) if name == device:
                selected = record.seq, values["number"]
            case Replied(name, "display", "ok", values) if name == device and selected:
                (seq, number), shown = selected, values["number"]
                yield Sighting(number == shown, (seq, record.seq), f"selected {number}, displays {shown}")
                selected = None


@check("selects once for each trigger", role="display", catches=("selects_twice",))
def one_selection_each(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """One trigger gives one selection: none without, none twice."""
    told = False
    for record in evidence.records:
        match record.body:
            case Called(name, "select") if name == device:
                told = True
            case EventSeen(name, event="selected") if name == device:
                yield Sighting(told, (record.seq,), "a number was selected without a trigger")
                told = False


@check("does not select the same again and again", role="range", rests_on=("selected.number",), catches=("stuck",))
def number_does_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The same number is not selected again and again."""
    draws = list(evidence.events(device, "selected"))
    yield from no_long_run(draws, [r.body.values["number"] for r in draws], 7)


async def _select(rng: Driver, _: asks.SelectNumber) -> tells.Tell:
    """The rule counts to the number displayed, so that is what the table goes by."""
    return tells.NumberSelected(await _selected(rng))


async def _selected(rng: Driver) -> int:
    await rng.perform("select", "selected")
    return int_of((await rng.call("display"))["number"])


async def _number(hands: Hands) -> dict[str, Any]:
    return {"number": await _selected(hands.driver)}


def _row(sample: Mapping[str, Any]) -> tuple[int, ...]:
    number = sample["number"]
    return (number,) if isinstance(number, int) and 1 <= number <= 7 else ()


SELECT = CommandCase("select", until="selected")
DISPLAY = CommandCase("display")
BLANK = CommandCase("blank")
DARK = CommandCase("display", reply={"number": 0})

DEVICE = DeviceKind(
    kind="rng",
    needed_for=(("start", "rng"),),
    alone={"start": ("rng",), "deal": ("hand",), "machine_shuffle": False, "shuffler_counts": False},
    commands=("select", "display"),
    events=("selected",),
    tells=("NumberSelected",),
    play=Play(lambda rng, _: rng, {asks.SelectNumber: _select}),
    checks=(number_in_range, displays_what_it_selected, one_selection_each, number_does_not_stick),
    operations={"select": "selected"},
    limits=(ANSWER, Limit("selects a number", "select", "s", 10.0, 0.8)),
    states=(
        StateCases("after a reset", (RESET, DISPLAY, BLANK, BLANK, DARK)),
        StateCases("a number is shown", (SELECT, DISPLAY, RESET, BLANK, DARK)),
        StateCases("selected again", (SELECT, SELECT)),
    ),
    leaves={"select": State.READY, "blank": State.IDLE},
    quiet=QuietCommand("blank", undo="select", undone="selected"),
    sampler=Sampler(
        unit="numbers",
        role="range",
        batch=512,
        attended_batch=512,
        seconds=1.5,
        take=_number,
        samples="numbers",
        played=lambda evidence: evidence.tells("NumberSelected"),
        row=_row,
        pictures=("feltrig.harness.reports.plots:numbers",),
    ),
)
