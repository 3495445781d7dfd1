"""A watch looks when something is due, and not for ever."""

import asyncio

from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.profiles.puppet import Puppet
from feltrig.emulators.stations.watch import Watch
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Request


async def test_it_looks_when_the_machine_has_something_due():
    machine = rng(Setup("rng", 1, speed=0.01))
    loop = asyncio.get_running_loop()
    seen = asyncio.Event()

    def news(now: float) -> None:
        if any(event.name == "selected" for event in machine.events(0, now, 9).events):
            seen.set()

    watch = Watch(machine, loop.time, news)
    machine.handle(Request("select"), loop.time())
    watch.look()
    async with asyncio.timeout(5):
        await seen.wait()
    watch.stop()
    watch.stop()


async def test_it_sees_what_a_hand_has_done():
    puppet, looks = Puppet(RNG), asyncio.Queue()
    watch = Watch(puppet, lambda: 0.0, looks.put_nowait)
    watch.look()
    async with asyncio.timeout(5):
        assert [await looks.get(), await looks.get(), await looks.get()] == [0.0] * 3
    watch.stop()
    await asyncio.sleep(0)
    assert looks.empty()
