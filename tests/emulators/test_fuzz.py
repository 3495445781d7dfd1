"""A few thousand random frames against every device on every wire; `benchmarks/fuzz.py` sends a million each."""

import fuzz
import fuzz_targets
import pytest

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.serial_station import SerialStation


@pytest.mark.parametrize("wire", fuzz.FRAMES)
@pytest.mark.parametrize("kind", fuzz.MODELS)
async def test_a_device_still_serves_after_thousands_of_random_frames(kind, wire):
    tally = await fuzz.fuzz(kind, wire, 2_000, seed=11, chunk=1_000)
    assert tally.frames == 2_000
    assert tally.answers > 0, "frames that nobody answers exercise nothing"


async def test_a_station_that_has_died_is_found_out():
    class Deaf(SerialStation):
        def _received(self, data):
            return

    async with fuzz_targets.line_target(
        Deaf, rng(Setup("rng", 1)), "00 06 01 2a 02 c3 32 00", "00 04 01 2a 82"
    ) as target:
        with pytest.raises(fuzz_targets.Broken, match="status was not answered"):
            await target.check([])


@pytest.mark.parametrize("wire", fuzz.FRAMES)
def test_the_same_seed_makes_the_same_frames(wire):
    kind = fuzz.MODELS["rng"].kind
    assert list(fuzz.frames(wire, kind, "7", 50)) == list(fuzz.frames(wire, kind, "7", 50))
    assert list(fuzz.frames(wire, kind, "7", 50)) != list(fuzz.frames(wire, kind, "8", 50))
