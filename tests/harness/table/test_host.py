"""The rig's own computer is watched while a run goes on."""

import asyncio
import time

from feltrig.harness.journal import reader as journals
from feltrig.harness.journal.records import HostLate
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.host import NOTICED, PERIOD, watched


async def test_a_program_that_could_not_run_is_on_record_with_how_long(tmp_path):
    stalled = 3 * NOTICED
    with Journal(tmp_path / "journal.jsonl") as journal:
        async with watched(journal):
            await asyncio.sleep(0)  # the watch looks at the clock
            time.sleep(stalled)  # noqa: ASYNC251 - this is what it must see
            await asyncio.sleep(PERIOD)
    bodies = [record.body for record in journals.read(tmp_path / "journal.jsonl").records]
    late = [body.seconds for body in bodies if isinstance(body, HostLate)]
    assert stalled - PERIOD <= sum(late)
    assert asyncio.all_tasks() == {asyncio.current_task()}
