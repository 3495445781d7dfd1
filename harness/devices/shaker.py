"""The dice shaker: three dice under a lid."""

from collections.abc import Iterator, Mapping
from typing import Any

from feltrig.engine import asks, tells
from feltrig.harness.devices.cases import ANY, RESET, STATE, CommandCase, StateCases, each
from feltrig.harness.devices.device import ANSWER, DeviceKind, Limit, Restore, Sampler
from feltrig.harness.devices.hands import Driver, Hands
from feltrig.harness.devices.patterns import no_long_run
from feltrig.harness.devices.play import Dealing, Play
from feltrig.harness.devices.values import bytes_of, int_of
from feltrig.harness.journal.records import Called, EventSeen
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence
from feltrig.protocols.messages import Event
from feltrig.protocols.vocabulary import State

SHAKES = 3
"""What the rules ask at least."""


@check("holds three dice", role="dice", rests_on=("rolled.dice",), catches=("die_out", "die_missing"))
def three_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shows three dice whenever it is uncovered."""
    for record in evidence.events(device, "rolled"):
        dice = record.body.values["dice"]
        yield Sighting(len(dice) == 3, (record.seq,), f"{len(dice)} dice in the shaker")


@check("shows faces from 1 to 6", role="faces", rests_on=("rolled.dice",))
def faces_of_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die shows a face from 1 to 6."""
    for record in evidence.events(device, "rolled"):
        wrong = [die for die in record.body.values["dice"] if not 1 <= die <= 6]
        yield Sighting(not wrong, (record.seq,), f"a die shows {wrong}")


@check("lets the dice lie flat", role="flat", rests_on=("rolled.flat",), catches=("cocked_die",))
def dice_lie_flat(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die lies flat when the lid comes off."""
    for record in evidence.events(device, "rolled"):
        yield Sighting(all(record.body.values["flat"]), (record.seq,), "a die does not lie flat")


@check(
    "shakes as often as told, at least three times", role="shakes", rests_on=("shaken.times",), catches=("few_shakes",)
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
    role="lid",
    rests_on=("event uncovered", "uncovered.commanded"),
    catches=("lid_lifted",),
)
def lid_stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The lid comes off only when it is told to."""
    for record in evidence.events(device, "uncovered"):
        yield Sighting(bool(record.body.values["commanded"]), (record.seq,), "the lid was lifted by hand")


@check("says when its lid is off", role="faces", rests_on=("event uncovered",), catches=("lid_sensor_dead",))
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


@check("does not roll the same again and again", role="shakes", rests_on=("rolled.dice",), catches=("dice_stuck",))
def dice_do_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The dice do not show the same faces again and again."""
    rolls = list(evidence.events(device, "rolled"))
    yield from no_long_run(rolls, [tuple(r.body.values["dice"]) for r in rolls], 216)


class _AtTable:
    """A shaker in a session: whether its lid is off."""

    def __init__(self, shaker: Driver, _: Dealing) -> None:
        self._shaker = shaker
        self._lid_open = False

    async def shake(self, ask: asks.ShakeDice) -> tells.Tell:
        await self.close_lid()
        shaken = await self._shaker.perform("shake", "shaken", times=ask.shakes)
        lifted = [event for event in await self._shaker.pending() if event.name in ("uncovered", "rolled")]
        self._lid_open = True
        if lifted:
            return _rolled(shaken, lifted[-1], lid_by=ask.by if ask.by == "bank" else "hand")
        return _rolled(shaken, await self._shaker.perform("uncover", "rolled"), lid_by="dealer")

    async def park(self, _: asks.ParkShaker) -> tells.Tell:
        await self.close_lid()
        shaken = await self._shaker.perform("shake", "shaken", times=1)
        return tells.ShakerParked(int_of(shaken.values["times"]))

    async def close_lid(self) -> None:
        """A void round may leave it off."""
        if self._lid_open:
            await self._shaker.perform("cover", "covered")
            self._lid_open = False


def _rolled(shaken: Event, rolled: Event, lid_by: str) -> tells.DiceRolled:
    dice = bytes_of(rolled.values.get("dice", ()))
    flat = tuple(bool(die) for die in bytes_of(rolled.values.get("flat", ())))
    return tells.DiceRolled(dice, flat, int_of(shaken.values["times"]), lid_by, sum(dice))


async def _roll(hands: Hands) -> dict[str, Any]:
    """Shake, uncover, read the dice and cover them again."""
    await hands.driver.perform("shake", "shaken", times=SHAKES)
    rolled = await hands.driver.perform("uncover", "rolled")
    await hands.driver.perform("cover", "covered")
    return {"dice": list(bytes_of(rolled.values["dice"])), "flat": list(bytes_of(rolled.values["flat"]))}


def _row(sample: Mapping[str, Any]) -> tuple[int, ...]:
    dice = sample["dice"]
    return tuple(dice) if len(dice) == 3 and all(1 <= die <= 6 for die in dice) else ()


SHAKE = CommandCase("shake", values={"times": SHAKES}, until="shaken")
UNCOVER = CommandCase("uncover", until="rolled")
COVER = CommandCase("cover", until="covered")

DEVICE = DeviceKind(
    kind="shaker",
    needed_for=(("start", "dice"),),
    alone={"start": ("dice",), "deal": ("hand",), "machine_shuffle": False, "shuffler_counts": False},
    stopped_by=("lid_jam",),
    commands=("shake", "uncover", "cover"),
    events=("shaken", "rolled", "covered"),
    tells=("DiceRolled",),
    play=Play(
        _AtTable,
        {asks.ShakeDice: _AtTable.shake, asks.ParkShaker: _AtTable.park},
        put_away=_AtTable.close_lid,
    ),
    restore=Restore(after=("uncovered", "rolled"), command="cover", done="covered"),
    checks=(
        three_dice,
        faces_of_dice,
        dice_lie_flat,
        shakes_as_often_as_told,
        lid_stays_on,
        reports_its_lid,
        dice_do_not_stick,
    ),
    operations={"shake": "shaken"},
    limits=(ANSWER, Limit("shakes the dice", "shake", "s", 20.0, 0.8)),
    states=(
        StateCases("covered", (RESET, COVER, *each("shake", "times", [0]))),
        StateCases("shaken", (SHAKE, *each("shake", "times", [0]))),
        StateCases(
            "uncovered",
            (
                UNCOVER,
                CommandCase("shake", STATE, {"times": SHAKES}),
                CommandCase("shake", ANY, {"times": 0}),
                UNCOVER,
                COVER,
            ),
        ),
    ),
    leaves={"shake": State.READY, "uncover": State.READY, "cover": State.IDLE},
    sampler=Sampler(
        unit="rolls",
        role="shakes",
        batch=256,
        attended_batch=64,
        seconds=6.0,
        take=_roll,
        samples="rolls",
        played=lambda evidence: evidence.tells("DiceRolled"),
        row=_row,
        pictures=("feltrig.harness.reports.plots:faces", "feltrig.harness.reports.plots:totals"),
    ),
)
