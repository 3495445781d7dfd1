"""Runs a plan against one machine of the zoo: an emulated rig on which that one device is the specimen."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltrig.emulators.zoo.specimen import Specimen
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.checks import all_checks, completes
from feltrig.harness.judge.finding import Finding, Verdict
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import Plan
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.rig.model import DeviceConfig, Rig
from feltrig.harness.run import Run, run
from feltrig.harness.table.sessions import used_kinds
from feltrig.harness.wires import PLAINEST
from feltrig.harness.wires.usercode import ZOO

PATIENCE = 2.0
"""Seconds for an operation of an emulated device that works at once."""


CHANCE = "its results are random"

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
    findings: tuple[str, ...]
    """The checks that failed."""
    finding: str
    """Of those the one that catches its defect, else the first; or what was not tested; nothing when all is well."""
    clause: str | None
    detail: str
    samples: int | None
    """How many the statistics had seen when they decided."""
    seconds: float

    @property
    def right(self) -> bool:
        """Whether a good machine was certified, or a bad one refused for its defect."""
        if self.good:
            return self.verdict in ("certified", "rehearsed")  # the latter of a plan with fewer samples
        return self.verdict == "refused" and not set(self.findings).isdisjoint(because(self.name))

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "right": self.right}


def because(name: str) -> tuple[str, ...]:
    """The checks and drills of which one must fail for a bad machine: any defect that is no fault is one of chance."""
    caught = [check.name for _, check in all_checks() if name in check.catches]
    caught += [drill.name for device in DEVICES.values() for drill in device.drills if name in drill.catches]
    if any(name in device.stopped_by for device in DEVICES.values()):
        caught.append(completes.name)
    return tuple(caught) or (CHANCE,)


def rig_of(specimen: Specimen) -> Rig:
    """The embedded rig on serial lines, with the specimen in it and no device that it does not need."""
    embedded = rigfile.embedded()
    game = replace(embedded.game, bank=("none",), decks=1, **DEVICES[specimen.kind].alone)
    needed = used_kinds(game)
    devices = {name: _placed(device, specimen) for name, device in embedded.devices.items() if device.kind in needed}
    return replace(embedded, name=f"zoo-{specimen.kind}", game=game, devices=MappingProxyType(devices))


def _placed(device: DeviceConfig, specimen: Specimen) -> DeviceConfig:
    emulator = device.emulator
    assert emulator is not None
    if device.kind == specimen.kind:
        faults = () if specimen.fault is None else (specimen.fault,)
        mechanics = None if specimen.build is None else f"{ZOO}{specimen.name}"
        emulator = replace(emulator, faults=faults, mechanics=mechanics)
    on_line = emulated_on(PLAINEST, device.kind, device.name)
    assert on_line.emulator is not None
    emulator = replace(emulator, served=on_line.emulator.served)
    return replace(device, wire=on_line.wire, patience=PATIENCE, emulator=emulator)


async def show(specimen: Specimen, plan: Plan, seed: int, out: Path, *, sequential: bool) -> Seen:
    """Certify a specimen by a plan of its kind; the run is kept in a folder under `out`."""
    rig = rig_of(specimen)
    device = rig.device(specimen.kind)
    assert device is not None
    begun = time.monotonic()
    order = PlanOrder(_shortened(plan) if specimen.fault else plan, device.name, sequential)
    finished = await run(rig, 1, seed, out, lambda _: None, _nobody, plan=order)
    return judged(specimen, finished, round(time.monotonic() - begun, 3))


def judged(specimen: Specimen, finished: Run, seconds: float = 0.0) -> Seen:
    """What a finished run says of the specimen in it."""
    failed, against = _against(finished.findings, specimen, finished.verdict["plan"]["device"])
    statistics = finished.verdict["statistics"]
    return Seen(
        kind=specimen.kind,
        name=specimen.name,
        words=specimen.words,
        good=specimen.good,
        verdict=finished.verdict["verdict"],
        findings=tuple(f.check for f in failed),
        finding=against.check if against else "",
        clause=against.clause if against else None,
        detail=against.detail if against else "",
        samples=statistics["sample"] if statistics else None,
        seconds=seconds,
    )


def _shortened(plan: Plan) -> Plan:
    """The plan with few samples, named so in the run's first record."""
    if plan.sampling is None:
        return plan
    return replace(plan, name=f"{plan.name}-short", sampling=replace(plan.sampling, most=FEW_SAMPLES))


def _against(findings: Sequence[Finding], specimen: Specimen, device: str) -> tuple[list[Finding], Finding | None]:
    """The failures of the device, and the one to name: for its defect, any other, or what was required and not
    tested."""
    own = [f for f in findings if f.device == device]
    failed = [f for f in own if f.verdict is Verdict.FAIL]
    named = [f for f in failed if f.check in because(specimen.name)]
    untested = (f for f in own if f.verdict is Verdict.NOT_TESTED and f.required)
    return failed, next(iter([*named, *failed, *untested]), None)


async def _nobody(prompt: str) -> str:
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")
