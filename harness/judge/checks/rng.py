"""What is checked of a random number generator."""

from collections.abc import Iterator

from feltrig.harness.journal.journal import Record
from feltrig.harness.judge.checks.chance import no_long_run
from feltrig.harness.judge.checks.check import Sighting
from feltrig.harness.judge.evidence import Evidence


def number_in_range(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The number selected is one of 1 to 7."""
    for record in evidence.events(device, "selected"):
        number = record.data["values"]["number"]
        yield Sighting(1 <= number <= 7, (record.seq,), f"selected {number}")


def displays_what_it_selected(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The display shows the number that was selected."""
    selected: Record | None = None
    for record in evidence.records:
        if record.data.get("device") != device:
            continue
        if record.kind == "event" and record.data["event"] == "selected":
            selected = record
        if record.kind == "reply" and record.data["command"] == "display" and selected and record.data["error"] == "ok":
            number, shown = selected.data["values"]["number"], record.data["values"]["number"]
            yield Sighting(number == shown, (selected.seq, record.seq), f"selected {number}, displays {shown}")
            selected = None


def one_selection_each(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """One trigger gives one selection: none without, none twice."""
    told = False
    for record in evidence.records:
        if record.data.get("device") != device:
            continue
        if record.kind == "call" and record.data["command"] == "select":
            told = True
        if record.kind == "event" and record.data["event"] == "selected":
            yield Sighting(told, (record.seq,), "a number was selected without a trigger")
            told = False


def number_does_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The same number is not selected again and again."""
    draws = list(evidence.events(device, "selected"))
    yield from no_long_run(draws, [r.data["values"]["number"] for r in draws], 7)
