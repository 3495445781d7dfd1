"""A display that is not ours, written from the documents alone on a stock pymodbus server, goes through the plan on
Modbus TCP by functions 3 and 16. Hands cut its power."""

import asyncio
import contextlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rigs import make_rig, rng_rig_text

from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import Probed
from feltrig.harness.judge.judgement import Outcome
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import plan
from feltrig.harness.run import run

DEVICE = Path(__file__).parent / "from_the_document" / "modbus_device.py"


class Display:
    """The program, with a power switch."""

    def __init__(self, work: float) -> None:
        self.port = 0
        self._work = work
        self._process: asyncio.subprocess.Process | None = None

    async def power_on(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", DEVICE, str(self._work), str(self.port)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,  # pymodbus complains of every request that is wrong
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            word, port = (await self._process.stdout.readline()).split()
        assert word == b"ready"
        self.port = int(port)

    async def power_off(self) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def answer(self, prompt: str) -> str:
        """Does what the technician is told, but cannot look at a panel."""
        if "Switch the" not in prompt:
            return "x"
        await (self.power_off() if "off" in prompt else self.power_on())
        return ""


@pytest.mark.parametrize("work", [0.0, 0.03, 0.3], ids=["at once", "quick", "slow"])
async def test_a_stock_pymodbus_server_behind_functions_3_and_16_passes(work: float, tmp_path: Path) -> None:
    display = Display(work)
    await display.power_on()
    try:
        device = f'wire = "modbus-tcp"\nhost = "127.0.0.1"\nport = {display.port}'
        device += '\nidentity = { vendor = "Foreign Works" }'
        rig = make_rig(rng_rig_text(device, None), tmp_path / "rig.toml")
        order = plan_order(rig, replace(plan("rng-nj"), name="without samples", sampling=None))
        finished = await run(rig, 1, 3, tmp_path / "runs", lambda _: None, display.answer, plan=order)
    finally:
        await display.power_off()
    probes = [r.body for r in read(finished.folder / "journal.jsonl").records if isinstance(r.body, Probed)]
    assert [(each.state, each.command, each.fault) for each in probes if each.fault] == []
    assert len(probes) > 300
    assert finished.judgement.outcome() is not Outcome.REFUSED
