"""What the tests of scenes share."""

import random
from collections.abc import Awaitable, Callable

import pytest
from rigs import make_rig, nobody, rng_rig_text

from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import Probed
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.conformance.step import play_scene
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.connecting import wire

Played = Callable[..., Awaitable[list[Probed]]]


@pytest.fixture
def played(journal: Journal) -> Played:
    """`await played("requests", 'wire = "mqtt"')` plays a scene with an emulated display on a wire; all that was tried,
    and what was heard of the device meanwhile."""

    async def play(scene: str, device: str, emulator: str = "", more: str = "") -> list[Probed]:
        rig = make_rig(rng_rig_text(device, emulator, more=more))
        under_test = rig.devices["rng"]
        chosen = next(each for each in wire_of(under_test).scenes if each.name == scene)
        async with wire(rig, journal, 3, nobody, under_test=under_test) as wired:
            context = RunContext(rig, wired, journal, 3, random.Random(3))
            await play_scene(context, under_test, chosen, ())
        journal.flush()
        return [record.body for record in read(journal.path).records if isinstance(record.body, Probed)]

    return play
