"""Holds the drills of the kinds of device. What a machine does in a drill is judged by itself and counts for nothing
else, except that it stays on and numbers its events throughout."""

from collections.abc import Collection, Iterator
from functools import partial

from feltrig.engine.games import GAMES
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.hands import Hands
from feltrig.harness.journal.records import DrillBegun, DrillEnded
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.checkpoints import RunContext, Segment


def segments(kinds: Collection[str]) -> Iterator[Segment]:
    """One segment for each drill of these kinds of device."""
    for kind in (kind for kind in DEVICES if kind in kinds):
        for drill in DEVICES[kind].drills:
            run = partial(_run, kind, drill)
            yield Segment(f"drill: {drill.name}", {"drill": drill.name, "kind": kind}, run)


async def _run(kind: str, drill: Drill, context: RunContext) -> None:
    context.wired.use_cards(GAMES[context.rig.game.name].cards)
    await hold(context.hands(kind), context.journal, drill)


async def hold(hands: Hands, journal: Journal, drill: Drill) -> None:
    """Hold one drill. Raises what stops any run."""
    name = hands.driver.name
    await hands.operator.bring_deck(hands.deck)
    journal.append(DrillBegun(drill.name, name))
    await drill.provoke(hands)
    journal.append(DrillEnded(drill.name, name))
