"""Runs a plan against one machine of the zoo: an emulated rig on which that one device is the specimen."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltrig.emulators.zoo.catalogue import Specimen
from feltrig.harness import rigfile
from feltrig.harness.findings import Finding, Verdict
from feltrig.harness.plans.plan import Plan
from feltrig.harness.rigconfig import DeviceConfig, Rig, Serial
from feltrig.harness.run import run
from feltrig.harness.runner import PlanOrder
from feltrig.harness.usercode import ZOO

WAYS: Mapping[str, Mapping[str, Any]] = {
    "shuffler": {"start": ("rng",), "deal": ("hand",)},
    "shoe": {"start": ("rng",), "deal": ("automated_shoe",)},
    "rng": {"start": ("rng",), "deal": ("hand",), "machine_shuffle": False, "shuffler_counts": False},
    "shaker": {"start": ("dice",), "deal": ("hand",), "machine_shuffle": False, "shuffler_counts": False},
}
"""For each kind of device, one way to play that puts it to use, and few others."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "shuffler": ("shuffler", "rng", "reader"),
    "shoe": ("shoe", "shuffler", "rng", "reader"),
    "rng": ("rng", "reader"),
    "shaker": ("shaker", "reader"),
}
PATIENCE = 2.0
"""Seconds for an operation of an emulated device that works at once."""


FEW_SAMPLES = 64
"""Samples of a machine with a fault, which other findings than the statistics must catch."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a plan made of a specimen."""

    kind: str
    name: str
    words: str
    good: bool
    verdict: str
    finding: str
    """The first finding against it; nothing when there is none."""
    clause: str | None
    detail: str
    samples: int | None
    """How many the statistics had seen when they decided."""
    seconds: float

    @property
    def right(self) -> bool:
        """Whether a good machine was certified, or a bad one refused."""
        return self.verdict == ("certified" if self.good else "refused")

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "right": self.right}


def rig_of(specimen: Specimen) -> Rig:
    """The embedded rig on serial lines, with the specimen in it and no device that it does not need."""
    embedded = rigfile.embedded()
    devices = {
        name: _placed(device, specimen)
        for name, device in embedded.devices.items()
        if device.kind in NEEDED[specimen.kind]
    }
    game = replace(embedded.game, bank=("none",), decks=1, **WAYS[specimen.kind])
    return replace(embedded, name=f"zoo-{specimen.kind}", game=game, devices=MappingProxyType(devices))


def _placed(device: DeviceConfig, specimen: Specimen) -> DeviceConfig:
    emulator = device.emulator
    assert emulator is not None
    if device.kind == specimen.kind:
        faults = () if specimen.fault is None else (specimen.fault,)
        mechanics = None if specimen.build is None else f"{ZOO}{specimen.name}"
        emulator = replace(emulator, faults=faults, mechanics=mechanics)
    wire = Serial(port=None, baud=rigfile.USUAL_BAUD, address=1)
    return replace(device, wire=wire, patience=PATIENCE, emulator=emulator)


async def show(specimen: Specimen, plan: Plan, seed: int, out: Path, *, sequential: bool) -> Seen:
    """Certify a specimen by a plan of its kind; the run is kept in a folder under `out`."""
    rig = rig_of(specimen)
    device = rig.device(specimen.kind)
    assert device is not None
    begun = time.monotonic()
    order = PlanOrder(_shortened(plan) if specimen.fault else plan, device.name, sequential)
    finished = await run(rig, 1, seed, out, lambda _: None, _nobody, plan=order)
    against = _against(finished.findings, device.name)
    statistics = finished.verdict["statistics"]
    return Seen(
        kind=specimen.kind,
        name=specimen.name,
        words=specimen.words,
        good=specimen.good,
        verdict=finished.verdict["verdict"],
        finding=against.check if against else "",
        clause=against.clause if against else None,
        detail=against.detail if against else "",
        samples=statistics["sample"] if statistics else None,
        seconds=round(time.monotonic() - begun, 3),
    )


def _shortened(plan: Plan) -> Plan:
    """The plan with few samples, named so in the run's first record."""
    if plan.sampling is None:
        return plan
    return replace(plan, name=f"{plan.name}-short", sampling=replace(plan.sampling, most=FEW_SAMPLES))


def _against(findings: list[Finding], device: str) -> Finding | None:
    """The failure of the device, or what was required of it and not tested."""
    own = [f for f in findings if f.device == device]
    failed = [f for f in own if f.verdict is Verdict.FAIL]
    return next(iter([*failed, *(f for f in own if f.verdict is Verdict.NOT_TESTED and f.required)]), None)


async def _nobody(prompt: str) -> str:
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")
