"""A stage on which a scene is played with a model of a device, straight and without a wire."""

import random
import time
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest

from feltrig.harness.devices.failures import DEVICE_FAILURES
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.conformance.step import play_scene
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.scene import Scene
from feltrig.protocols.messages import EventBatch, Reply


class Live:
    """A channel straight into a machine, whose clock is the real one."""

    def __init__(self, machine):
        self.machine = machine

    async def open(self):
        getattr(self.machine, "opened", lambda: None)()

    async def close(self):
        pass

    async def request(self, request) -> Reply:
        return self.machine.handle(request, time.monotonic())

    async def events(self, after) -> EventBatch:
        return self.machine.events(after, time.monotonic(), 16)

    async def idle(self, seconds):
        pass


@pytest.fixture
def played(felt):
    """Plays a scene with a device of a kind that was spoilt; what is on record of it. It works so fast at usual."""

    async def play(target, kind, spoil=lambda machine: None, speed=0.0, hardware=False):
        made = felt(live=Live)
        machine = made.machines[kind]
        machine.board.speed = speed
        spoil(machine)
        emulated = SimpleNamespace(machines={} if hardware else {kind: machine})
        wired = SimpleNamespace(devices=made.devices, operator=made.operator, emulated=emulated)
        embedded = rigfile.embedded()
        device = replace(embedded.devices[kind], name=kind)
        context = RunContext(embedded, wired, made.journal, 1, random.Random(1))
        with suppress(*DEVICE_FAILURES):  # a device can be so broken that the run ends
            await play_scene(context, device, Scene("scene", target), ())
        return made.noted("probe")

    return play


@pytest.fixture
def blamed(played):
    """The ids of the requirements that a spoilt device was found to break."""

    async def play(*given, **more):
        records = await played(*given, **more)
        return {each for record in records if record["fault"] for each in record["requirements"]}

    return play


@pytest.fixture
def spoil():
    """Lets a change be made to what a machine answers."""

    def change(answer):
        def spoilt(machine):
            handle = machine.handle
            machine.handle = lambda request, now: answer(machine, request, lambda asked=request: handle(asked, now))

        return spoilt

    return change
