"""What is checked of an rng."""

from collections.abc import Iterator

from feltrig.harness.devices.patterns import no_long_run
from feltrig.harness.journal.records import Called, EventSeen, Replied
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence


@check(
    "selects a number from 1 to 7",
    requirements=("DEV-54",),
    role="range",
    rests_on=("selected.number",),
    catches=("out_of_range",),
)
def number_in_range(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The number selected is one of 1 to 7."""
    for record in evidence.events(device, "selected"):
        number = record.body.values["number"]
        yield Sighting(1 <= number <= 7, (record.seq,), f"selected {number}")


@check(
    "displays the number selected",
    requirements=("DEV-56", "DEV-59"),
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


@check("selects once for each trigger", requirements=("DEV-15", "DEV-33"), role="display", catches=("selects_twice",))
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


@check(
    "does not select the same again and again",
    requirements=("DEV-55",),
    role="range",
    rests_on=("selected.number",),
    catches=("stuck",),
)
def number_does_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The same number is not selected again and again."""
    draws = list(evidence.events(device, "selected"))
    yield from no_long_run(draws, [r.body.values["number"] for r in draws], 7)
