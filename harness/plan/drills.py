"""Holds the drills of the kinds of device. What a machine does in a drill is judged by itself and counts for nothing
else, except that it numbers its events throughout, and starts only when its power was cut."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import partial

from feltrig.engine.games import GAMES
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.failures import CannotBeDone, Faulted
from feltrig.harness.devices.hands import Hands
from feltrig.harness.journal.records import DrillBegun, DrillEnded, HandsRefused
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.checkpoints import RunContext, Segment
from feltrig.harness.plan.effort import drill_prompts
from feltrig.harness.table.readiness import make_ready


def segments(kinds: Collection[str]) -> Iterator[Segment]:
    """One segment for each drill of these kinds of device."""
    for kind in (kind for kind in DEVICES if kind in kinds):
        for drill in DEVICES[kind].drills:
            run = partial(_run, kind, drill)
            prompts = drill_prompts(DEVICES[kind], drill)
            yield Segment(f"drill: {drill.name}", {"drill": drill.name, "kind": kind}, run, prompts)


async def _run(kind: str, drill: Drill, context: RunContext) -> None:
    device = context.rig.device(kind)
    if device is not None and device.profile is not None and set(drill.rests_on) & set(device.profile.lacks()):
        return  # its own protocol cannot say what came of it: the judge names that
    context.wired.use_cards(GAMES[context.rig.game.name].cards)
    if not await hold(context.hands(kind), context.journal, drill):
        await make_ready(context.rig, context.wired, again=True)


async def hold(hands: Hands, journal: Journal, drill: Drill) -> bool:
    """Hold one drill; whether hands could do what it needs. Raises what stops any run."""
    name = hands.driver.name
    if DEVICES[hands.kind].handles_cards:
        await hands.operator.lay_deck(hands.deck)
    journal.append(DrillBegun(drill.name, name))
    possible = True
    try:
        await drill.provoke(hands)
        with suppress(Faulted):
            await hands.driver.pending()  # a count may follow the shuffle, and belongs to the drill
    except CannotBeDone as refusal:
        journal.append(HandsRefused(name, refusal.what, str(refusal), refusal.lacks))
        possible = False
    journal.append(DrillEnded(drill.name, name))
    return possible
