"""Holds the drills of the kinds of device. What a machine does in a drill is judged by itself and counts for nothing
else, except that it stays on and numbers its events throughout."""

from collections.abc import Iterator

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Drill
from feltrig.harness.devices.hands import Hands
from feltrig.harness.journal.journal import Journal, Record
from feltrig.harness.judge.evidence import Evidence


async def hold(hands: Hands, journal: Journal, drill: Drill) -> None:
    """Hold one drill. Raises what stops any run."""
    name = hands.driver.name
    await hands.operator.bring_deck(hands.deck)
    journal.append("drill", {"name": drill.name, "device": name})
    await drill.provoke(hands)
    journal.append("drilled", {"name": drill.name, "device": name})


def drilled(evidence: Evidence) -> Iterator[tuple[Drill, list[Record]]]:
    """Each drill that was begun in the run, and the records of it."""
    by_name = {drill.name: drill for device in DEVICES.values() for drill in device.drills}
    for records in evidence.drills:
        yield by_name[records[0].data["name"]], records
