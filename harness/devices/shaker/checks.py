"""What is checked of a shaker."""

from collections.abc import Iterator

from feltrig.harness.devices.patterns import no_long_run, seldom
from feltrig.harness.journal.records import Called, EventSeen
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence

DICE = 3


@check(
    "holds three dice",
    requirements=("DEV-61",),
    role="dice",
    rests_on=("rolled.dice",),
    catches=("die_out", "die_missing"),
)
def three_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shows three dice when it is uncovered. A die that fell out is a no roll, and seldom; more than three
    are never right."""
    rolls = list(evidence.events(device, "rolled"))
    for record in rolls:
        if len(record.body.values["dice"]) > DICE:
            yield Sighting(False, (record.seq,), f"{len(record.body.values['dice'])} dice in the shaker")
    short = [record for record in rolls if len(record.body.values["dice"]) < DICE]
    yield from seldom(rolls, short, "a die was not inside")


@check("shows faces from 1 to 6", requirements=("DEV-61",), role="faces", rests_on=("rolled.dice",))
def faces_of_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die shows a face from 1 to 6."""
    for record in evidence.events(device, "rolled"):
        wrong = [die for die in record.body.values["dice"] if not 1 <= die <= 6]
        yield Sighting(not wrong, (record.seq,), f"a die shows {wrong}")


@check(
    "lets the dice lie flat",
    requirements=("DEV-73",),
    role="flat",
    rests_on=("rolled.flat",),
    catches=("cocked_die",),
)
def dice_lie_flat(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The dice lie flat when the lid comes off. One that does not is a no roll, and seldom; each die is told of."""
    rolls = list(evidence.events(device, "rolled"))
    for record in rolls:
        dice, flat = record.body.values["dice"], record.body.values["flat"]
        if len(dice) != len(flat):
            yield Sighting(False, (record.seq,), f"{len(dice)} dice, and `flat` tells of {len(flat)}")
        elif not set(flat) <= {0, 1}:
            yield Sighting(False, (record.seq,), f"`flat` is {flat}, expected 0 or 1 for each die")
    yield from seldom(rolls, [r for r in rolls if not all(r.body.values["flat"])], "a die did not lie flat")


@check(
    "shakes as often as told, at least three times",
    requirements=("DEV-65", "DEV-66"),
    role="shakes",
    rests_on=("shaken.times",),
    catches=("few_shakes",),
)
def shakes_as_often_as_told(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shakes as often as it is told, which is at least three times before a roll."""
    told: tuple[int, int] | None = None
    for record in evidence.records:
        match record.body:
            case Called(name, "shake", values) if name == device:
                told = record.seq, values["times"]
            case EventSeen(name, event="shaken", values=values) if name == device and told:
                (seq, asked), times = told, values["times"]
                yield Sighting(times >= asked, (seq, record.seq), f"shaken {times} times, told {asked}")
                told = None


@check(
    "keeps its lid on until told",
    requirements=("DEV-67",),
    role="lid",
    rests_on=("event uncovered", "uncovered.commanded"),
    catches=("lid_lifted",),
)
def lid_stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The lid comes off when it is told to. A lid that a hand lifts is a no roll, and seldom."""
    lifted = list(evidence.events(device, "uncovered"))
    by_hand = [record for record in lifted if not record.body.values["commanded"]]
    yield from seldom(lifted, by_hand, "the lid was lifted by hand")


@check(
    "says when its lid is off",
    requirements=("DEV-31", "DEV-37", "DEV-70"),
    role="faces",
    rests_on=("event uncovered",),
    catches=("lid_sensor_dead",),
)
def reports_its_lid(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No dice are read under a lid that is closed, as far as the shaker says."""
    closed = False
    for record in evidence.events(device, "shaken", "covered", "uncovered", "rolled"):
        match record.body.event:
            case "shaken" | "covered":
                closed = True
            case "uncovered":
                closed = False
            case _:
                yield Sighting(not closed, (record.seq,), "dice were read, but no event said that the lid was off")


@check(
    "does not roll the same again and again",
    requirements=("DEV-62",),
    role="shakes",
    rests_on=("rolled.dice",),
    catches=("dice_stuck",),
)
def dice_do_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The dice do not show the same faces again and again."""
    rolls = list(evidence.events(device, "rolled"))
    yield from no_long_run(rolls, [tuple(r.body.values["dice"]) for r in rolls], 216)
