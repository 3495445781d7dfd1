"""A good device on a serial line passes byte by byte; one that frames, hears or speaks wrongly is found, by its id."""

import random

import pytest
import rigs
from rigs import nobody, rig_text

from feltrig.harness.journal.reader import read
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.conformance.step import conformance
from feltrig.harness.wires.connecting import wire

WIRE = 'wire = "serial"'
JUDGED = ("rng", "shaker", "shuffler", "shoe")


async def probes(journal, kind="rng", text=WIRE):
    rig = rigs.make_rig(rig_text(wire=text))
    async with wire(rig, journal, 1, nobody) as wired:
        step = conformance(kind, rig.devices[kind])
        (segment,) = [each for each in iter(step.next_segment, None) if each.name == "conformance: the line"]
        await segment.run(RunContext(rig, wired, journal, 1, random.Random(1)))
    journal.flush()
    return [record.data for record in read(journal.path).records if record.kind == "probe"]


@pytest.mark.parametrize("kind", JUDGED)
@pytest.mark.parametrize("text", [WIRE, f"{WIRE}\naddress = 0", f"{WIRE}\naddress = 254"])
async def test_a_good_device_passes(kind, text, journal):
    found = await probes(journal, kind, text)
    assert [probe for probe in found if probe["fault"]] == []
    assert len(found) > 25
