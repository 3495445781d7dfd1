"""What is checked of a dice shaker."""

from collections.abc import Iterator

from feltrig.harness.journal.journal import Record
from feltrig.harness.judge.checks.chance import no_long_run
from feltrig.harness.judge.checks.check import Sighting
from feltrig.harness.judge.evidence import Evidence


def three_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shows three dice whenever it is uncovered."""
    for record in evidence.events(device, "rolled"):
        dice = record.data["values"]["dice"]
        yield Sighting(len(dice) == 3, (record.seq,), f"{len(dice)} dice in the shaker")


def faces_of_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die shows a face from 1 to 6."""
    for record in evidence.events(device, "rolled"):
        wrong = [die for die in record.data["values"]["dice"] if not 1 <= die <= 6]
        yield Sighting(not wrong, (record.seq,), f"a die shows {wrong}")


def dice_lie_flat(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die lies flat when the lid comes off."""
    for record in evidence.events(device, "rolled"):
        yield Sighting(all(record.data["values"]["flat"]), (record.seq,), "a die does not lie flat")


def shakes_as_often_as_told(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shakes as often as it is told, which is at least three times before a roll."""
    told: Record | None = None
    for record in evidence.records:
        if record.kind == "call" and record.data["device"] == device and record.data["command"] == "shake":
            told = record
        if record.kind == "event" and record.data["device"] == device and record.data["event"] == "shaken" and told:
            times, asked = record.data["values"]["times"], told.data["values"]["times"]
            yield Sighting(times >= asked, (told.seq, record.seq), f"shaken {times} times, told {asked}")
            told = None


def lid_stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The lid comes off only when it is told to."""
    for record in evidence.events(device, "uncovered"):
        yield Sighting(bool(record.data["values"]["commanded"]), (record.seq,), "the lid came off by a hand")


def reports_its_lid(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No dice are read under a lid that is closed, as far as the shaker says."""
    closed = False
    for record in evidence.events(device, "shaken", "covered", "uncovered", "rolled"):
        match record.data["event"]:
            case "shaken" | "covered":
                closed = True
            case "uncovered":
                closed = False
            case _:
                yield Sighting(not closed, (record.seq,), "dice were read, and no event said that the lid came off")


def dice_do_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The dice do not show the same faces again and again."""
    rolls = list(evidence.events(device, "rolled"))
    yield from no_long_run(rolls, [tuple(r.data["values"]["dice"]) for r in rolls], 216)
