"""The reader's tray, whichever device of the rig reads it."""

from collections.abc import Mapping

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.hands import Driver, Read, Seen
from feltrig.harness.journal.journal import Journal


def tray(devices: Mapping[str, Driver], journal: Journal) -> Read:
    """What reads the cards on the tray of the rig's instrument; `devices` is by kind."""

    async def read(what: str, deck: str) -> Seen:
        for kind, driver in devices.items():
            if (reads := DEVICES[kind].read) is not None:
                return await reads(driver, journal, what, deck)
        raise LookupError("no device of the rig reads cards")

    return read
