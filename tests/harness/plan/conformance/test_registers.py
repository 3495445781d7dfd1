"""A good device on Modbus passes register by register and function by function, on every framing."""

import random

import pytest
import rigs
from rigs import nobody, rig_text

from feltrig.harness.journal.reader import read
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.conformance.step import conformance
from feltrig.harness.wires.connecting import wire

JUDGED = ("rng", "shaker", "shuffler", "shoe")
SCENES = ("the registers", "the functions", "identification")


async def probes(journal, text, kind="rng", scenes=SCENES):
    rig = rigs.make_rig(rig_text(wire=text))
    async with wire(rig, journal, 1, nobody) as wired:
        step = conformance(kind, rig.devices[kind])
        for segment in iter(step.next_segment, None):
            if segment.name.removeprefix("conformance: ") in scenes:
                await segment.run(RunContext(rig, wired, journal, 1, random.Random(1)))
    journal.flush()
    return [record.data for record in read(journal.path).records if record.kind == "probe"]


@pytest.mark.parametrize("kind", JUDGED)
@pytest.mark.parametrize("on", ["modbus-rtu", "modbus-tcp", "modbus-tls"])
async def test_a_good_device_passes(on, kind, journal):
    found = await probes(journal, f'wire = "{on}"', kind)
    assert [probe for probe in found if probe["fault"]] == []
    assert len(found) > 80
