"""A display that is not ours, written from the documents alone, goes through the plan on MQTT: on mosquitto, where
hands cut its power, and on a broker of the rig, which cuts its connection."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from rigs import make_rig, rng_rig_text

from feltrig.emulators.broker import Broker
from feltrig.harness.journal.reader import read
from feltrig.harness.journal.records import Probed
from feltrig.harness.judge.judgement import Outcome
from feltrig.harness.plan.order import plan_order
from feltrig.harness.plan.plan import plan
from feltrig.harness.run import Run, run

DEVICE = Path(__file__).parent / "from_the_document" / "mqtt_device.py"
TOPIC = "foreign/table/display"

SORTS = {
    "quick": [],
    "slow": ["--work", "0.2", "--lag", "0.1"],
    "with NVRAM": ["--work", "0.05", "--nvram", "nvram.json"],
}
"""Sound displays of several sorts."""


class Display:
    """The program, with a power switch."""

    def __init__(self, version: str, options: list[str], folder: Path, port: int = 0) -> None:
        self.port = port
        self._arguments = (TOPIC, version, *options)
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    async def power_on(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", DEVICE, "127.0.0.1", str(self.port), *self._arguments),
            cwd=self._folder,
            stdout=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            assert await self._process.stdout.readline() == b"ready\n"

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


async def judged(folder: Path, version: str, broker: str, display: Display) -> Run:
    device = f'wire = "mqtt"\nmqtt = "{version}"\ntopic = "{TOPIC}"\nidentity = {{ vendor = "Foreign Works" }}'
    rig = make_rig(rng_rig_text(device, None, more=broker), folder / "rig.toml")
    whole = plan("rng-nj")
    order = plan_order(rig, replace(whole, name="without samples", sampling=None))
    return await run(rig, 1, 3, folder / "runs", lambda _: None, display.answer, plan=order)


def check(finished: Run, *, seen: bool) -> None:
    probes = [r.body for r in read(finished.folder / "journal.jsonl").records if isinstance(r.body, Probed)]
    assert [(each.command, each.fault) for each in probes if each.fault] == []
    assert [each.command for each in probes if each.untested and "MQT" in str(each.requirements)] == []
    unseen = {requirement for each in probes if "not seen" in each.note for requirement in each.requirements}
    assert unseen == (set() if seen else {"MQT-6", "MQT-22", "MQT-26"})
    assert finished.judgement.outcome() is not Outcome.REFUSED


@contextlib.asynccontextmanager
async def powered(display: Display) -> AsyncIterator[None]:
    await display.power_on()
    try:
        yield
    finally:
        await display.power_off()


@pytest.mark.parametrize("version", ["3.1.1", "5"])
@pytest.mark.parametrize("sort", SORTS)
async def test_a_sound_display_passes_on_a_broker_of_the_rig(
    sort: str, version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, display, coming = Broker.start, Display(version, SORTS[sort], tmp_path), []

    async def announced(broker: Broker) -> int:
        display.port = await start(broker)
        coming.append(asyncio.create_task(display.power_on()))
        return display.port

    monkeypatch.setattr(Broker, "start", announced)
    try:
        check(await judged(tmp_path, version, "[broker.embedded]\n", display), seen=True)
    finally:
        await asyncio.gather(*coming)
        await display.power_off()


@pytest.mark.parametrize("version", ["3.1.1", "5"])
@pytest.mark.parametrize("sort", SORTS)
async def test_a_sound_display_passes_on_mosquitto(
    sort: str,
    version: str,
    peer: Callable[..., None],
    mosquitto: Callable[[], AbstractAsyncContextManager[int]],
    tmp_path: Path,
) -> None:
    peer("mosquitto")
    async with mosquitto() as port:
        display = Display(version, SORTS[sort], tmp_path, port)
        async with powered(display):
            broker = f'[broker]\nhost = "127.0.0.1"\nport = {port}\n'
            check(await judged(tmp_path, version, broker, display), seen=False)
