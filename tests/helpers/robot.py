"""A laboratory with real wires and a robot: machines that the rig does not know to be emulated, and hands that do what
the prompts say."""

import inspect
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from rigs import nobody

from feltrig.emulators.zoo.specimen import Specimen
from feltrig.engine.games import GAMES
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.bench_machines import BenchMachines, EmulatedMachine
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.prompts import DONE, Answer, Prompt
from feltrig.harness.table.technician import Technician
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.zoo import rig_of


class Robot:
    """A prompter that does on a bench what it is told, and counts the prompts of each task."""

    def __init__(self, hands: BenchOperator, emulated: EmulatedRig) -> None:
        self.hands = hands
        self.emulated = emulated
        self.tasks: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.says: dict[str, str] = {}
        """Answers to prompts that are not simply done."""

    async def ask(self, prompt: Prompt) -> Answer:
        """Do what is asked."""
        self.tasks[prompt.task] += 1
        self.asked[prompt.what] += 1
        return Answer(await self.act(prompt.what, dict(prompt.where)), "robot")

    async def act(self, what: str, where: dict[str, str | int]) -> str:
        """Do what is asked, unless there is another answer to it."""
        if what in self.says:
            return self.says[what]
        if what == "button":
            return str(await self.hands.button())
        if what == "place_button":
            where = {"position": int(str(where["place"]).removeprefix("felt."))}
        if what == "show_stub":
            where.setdefault("device", None)
        method = getattr(self.hands, what)
        answer = await method(**{name: where[name] for name in inspect.signature(method).parameters})
        return {True: "yes", False: "no"}.get(answer, DONE)

    def reject(self, prompt: Prompt, why: str) -> None:
        """It makes no mistakes."""
        raise AssertionError(f"{prompt.what}: {why}")


def rig_alone(kind: str) -> Rig:
    """A rig with what a device of this kind needs, on serial lines."""
    return rig_of(Specimen("good", "works as it should", good=True, kind=kind))


@asynccontextmanager
async def laboratory(rig: Rig, seed: int = 1) -> AsyncIterator[tuple[Rig, Robot]]:
    """The rig with devices that are not emulated as far as it knows, and a robot with hands at them."""
    async with EmulatedRig(rig, seed) as emulated:
        machines = {
            rig.devices[name].kind: EmulatedMachine(machine, emulated.served[name])
            for name, machine in emulated.machines.items()
        }
        bench = BenchMachines(emulated.bench, machines)
        cards = GAMES[rig.game.name].cards
        hands = BenchOperator(bench, cards, {}, random.Random(seed), Technician(nobody))
        devices = {
            name: replace(device, emulator=None, wire=wire_of(device).at(device.wire, emulated.endpoints[name].where))
            for name, device in rig.devices.items()
        }
        yield replace(rig, devices=devices), Robot(hands, emulated)
