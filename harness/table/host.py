"""Watches the rig's own computer: while it is late itself, the time that a device takes cannot be measured."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from feltrig.harness.journal.records import HostLate
from feltrig.harness.journal.writer import Journal

PERIOD = 0.02
"""Seconds between two looks at the clock."""

NOTICED = 0.1
"""Seconds by which a look must be late to go on record: a tenth of what a device has for an answer."""


@asynccontextmanager
async def watched(journal: Journal) -> AsyncIterator[None]:
    """Within this, the journal says when the computer was late."""
    watching = asyncio.create_task(_watch(journal))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _watch(journal: Journal) -> None:
    while True:
        due = monotonic() + PERIOD
        await asyncio.sleep(PERIOD)
        late = monotonic() - due
        if late > NOTICED:
            journal.append(HostLate(round(late, 3)))
