"""Watches the device under test during a whole run: what it says unasked must be as its document has it."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from feltrig.harness.journal.records import Probed
from feltrig.harness.journal.writer import Journal
from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.rig.tls import refused
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.protocols.errors import LineLost

UNASKED = "what it says unasked"
"""What stands in the place of a state where a device was not asked."""

MOST = 3
"""How often one requirement is recorded as broken: a device that errs once a second would fill the journal."""


@asynccontextmanager
async def listening(emulated: EmulatedRig, device: DeviceConfig | None, journal: Journal) -> AsyncIterator[None]:
    """Listen to a device, unless there is none to be judged, it talks by a profile, or the rig disturbs its wire."""
    watcher = None if device is None else wire_of(device).watcher
    if device is None or watcher is None or device.profile is not None or device.noise:
        yield
        return
    name, told = device.name, Counter[str]()

    def complain(requirement: str, fault: str) -> None:
        told[requirement] += 1
        if told[requirement] <= MOST:
            journal.append(Probed(name, UNASKED, "during the run", {}, "as documented", fault, (requirement,)))

    listener = watcher(emulated.site, device, complain)
    try:
        await listener.open()
    except LineLost as error:
        raise refused(emulated.rig, device, error) from error
    emulated.site.watchers[name] = listener
    try:
        yield
    finally:
        del emulated.site.watchers[name]
        await listener.close()
