"""Devices: what `import feltrig` can do with those of a rig."""

import os
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from feltrig.harness.journal.folder import JOURNAL
from feltrig.harness.journal.writer import Journal
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.driver import Driver
from feltrig.harness.wires.connecting import connect as connect_rig
from feltrig.harness.wires.replaying import Replayed, replayed
from feltrig.harness.wires.serving import Served, serving

__all__ = ["connect", "emulate", "replay"]


@asynccontextmanager
async def connect(
    rig: Rig, *, seed: int | None = None, journal: str | os.PathLike[str] | None = None
) -> AsyncIterator[Mapping[str, Driver]]:
    """The drivers of a rig's devices by name, with their wires open; emulated devices are served for as long. What
    passes is recorded in the file `journal`, which must not exist yet; without it nothing is kept."""
    with tempfile.TemporaryDirectory(prefix="feltrig-") as folder:
        path = Path(folder) / JOURNAL if journal is None else Path(journal)
        with Journal(path) as record:
            async with connect_rig(rig, record, rig.choose_seed(seed)) as drivers:
                yield drivers


def emulate(rig: Rig, *, seed: int | None = None, control: int | None = None) -> AbstractAsyncContextManager[Served]:
    """Serve the emulated devices of a rig to any program while the context is open. `control` is the TCP port of the
    control interface, 0 for any free one. Raises RigError when nothing can be served."""
    return serving(rig, rig.choose_seed(seed), control=control)


def replay(run: str | os.PathLike[str], rig: Rig, *, speed: float = 1.0) -> AbstractAsyncContextManager[Replayed]:
    """Serve a recorded run to the rig that it was recorded with: every device answers as it did. `speed` multiplies the
    recorded times; 0 is as fast as can be. Raises RigError when run and rig do not fit."""
    return replayed(Path(run), rig, speed=speed)
