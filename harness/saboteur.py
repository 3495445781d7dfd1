"""Runs the rehearsal of a plan against one mutant of the saboteur: a device that breaks one requirement."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltrig.emulators.models.device import emulated, made_up_image
from feltrig.emulators.saboteur.mutant import Mutant
from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.finding import Verdict
from feltrig.harness.plan.order import PlanOrder
from feltrig.harness.plan.plan import Plan
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.rig.model import DeviceConfig, IdentityConfig, Rig
from feltrig.harness.run import Run, run
from feltrig.harness.table.sessions import used_kinds
from feltrig.harness.wires import WIRES
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.requirements import REQUIREMENTS
from feltrig.protocols.vocabulary import Kind

PATIENCE, LONGER = 2.0, 15.0
"""Seconds for an operation of an emulated device that works at once, and of one that takes its time."""

LONGEST = 90.0
"""Seconds after which a run is given up: no device may keep a plan from its end."""

ENDLESS = "no end"
"""In place of a verdict, of a run that was given up."""

FEWEST = 16
"""Samples of a rehearsal with an honest device."""

MISSED = ("certified", "rehearsed", "no failure seen")
"""The verdicts by which a plan lets a machine pass."""


@dataclass(frozen=True, slots=True)
class Caught:
    """What a plan made of a mutant."""

    mutant: str
    kind: str
    wire: str
    breaks: tuple[str, ...]
    verdict: str
    named: tuple[str, ...]
    """The requirements that the failures name."""
    failures: tuple[str, ...]
    """The checks that failed, each with its detail."""
    seconds: float

    @property
    def refused(self) -> bool:
        """Whether it was refused, for whatever reason."""
        return self.verdict == "refused"

    @property
    def rightly(self) -> bool:
        """Whether it was refused for a requirement that it breaks."""
        return self.refused and not set(self.named).isdisjoint(self.breaks)

    def record(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "refused": self.refused, "rightly": self.rightly}


def rig_of(mutant: Mutant | None, kind: str, wire: str, out: Path) -> Rig:
    """The embedded rig with the mutant in it, on a wire, and no device that it does not need. None is an honest one.
    The identity and the firmware of the honest one are those that were submitted; the image is a file under `out`."""
    embedded = rigfile.embedded()
    game = replace(embedded.game, bank=("none",), **DEVICES[kind].alone)
    needed = used_kinds(game)
    devices = {
        name: _placed(device, mutant, wire, out) if device.kind == kind else device
        for name, device in embedded.devices.items()
        if device.kind in needed
    }
    return replace(embedded, name=f"saboteur-{kind}", game=game, devices=MappingProxyType(devices))


def _placed(device: DeviceConfig, mutant: Mutant | None, wire: str, out: Path) -> DeviceConfig:
    served = emulated_on(wire, device.kind, device.name)
    assert device.emulator is not None
    assert served.emulator is not None
    emulator = replace(device.emulator, served=served.emulator.served)
    if mutant is not None:
        emulator = replace(emulator, sabotage=mutant.name, speed=mutant.speed)
    patience = LONGER if emulator.speed else PATIENCE
    identity = _submitted(KINDS[device.kind], device.name, out)
    return replace(device, wire=served.wire, patience=patience, emulator=emulator, identity=identity)


def _submitted(kind: Kind, name: str, out: Path) -> IdentityConfig:
    """What an honest device of this name says of itself, with its image."""
    image = out / f"{kind.name}.bin"
    image.write_bytes(made_up_image(kind))
    said = asdict(emulated(kind, name))
    del said["kind"]
    return IdentityConfig(**said, image=str(image.absolute()))


def rehearsal(plan: Plan, samples: int = FEWEST) -> Plan:
    """The plan with few samples, named so in the run's first record."""
    if plan.sampling is None:
        return plan
    return replace(plan, name=f"{plan.name}-short", sampling=replace(plan.sampling, most=samples))


async def sabotage(mutant: Mutant | None, kind: str, wire: str, plan: Plan, seed: int, out: Path) -> Caught:
    """Rehearse a plan of this kind on a mutant, or on an honest device; the run is kept in a folder under `out`."""
    rig = rig_of(mutant, kind, wire, out)
    device = rig.device(kind)
    assert device is not None
    begun = time.monotonic()
    order = PlanOrder(rehearsal(plan, mutant.samples if mutant else FEWEST), device.name, False)
    async with asyncio.timeout(LONGEST) as limit:
        finished = await run(rig, 1, seed, out, lambda _: None, _nobody, plan=order)
    caught = judged(mutant, kind, wire, finished, round(time.monotonic() - begun, 3))
    return replace(caught, verdict=ENDLESS) if limit.expired() else caught


def judged(mutant: Mutant | None, kind: str, wire: str, finished: Run, seconds: float = 0.0) -> Caught:
    """What a finished run says of the mutant in it."""
    device = finished.verdict["plan"]["device"]
    failed = [f for f in finished.findings if f.device == device and f.verdict is Verdict.FAIL]
    return Caught(
        mutant="honest" if mutant is None else mutant.name,
        kind=kind,
        wire=wire,
        breaks=() if mutant is None else mutant.breaks,
        verdict=finished.verdict["verdict"],
        named=tuple(dict.fromkeys(each for finding in failed for each in finding.requirements)),
        failures=tuple(f"{finding.check}: {finding.detail}" for finding in failed),
        seconds=seconds,
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant as one kind of device on one wire. None is an honest device."""

    mutant: Mutant | None
    kind: str
    wire: str


def trials(mutants: Iterable[Mutant], kinds: Sequence[str], wires: Sequence[str], *, every: bool) -> Iterator[Trial]:
    """Each mutant on each wire where it can be, as one kind of device after the other. With `every`, as each kind, and
    also on a wire that only carries another, such as TLS, what breaks on the other."""
    turn = 0
    for mutant in mutants:
        for wire in wires:
            fit = [kind for kind in kinds if mutant.fits(kind, wire)]
            carried = WIRES[wire].replayed_as
            if carried is not None and not every and mutant.breaks_on(carried):
                continue
            for kind in fit if every else fit[turn % len(fit) :][:1] if fit else ():
                yield Trial(mutant, kind, wire)
            turn += 1


@dataclass(frozen=True, slots=True)
class Score:
    """How many mutants a plan refuses."""

    tried: int
    rightly: int
    """Refused for a requirement that they break."""
    otherwise: int
    """Refused, but for another reason."""
    inconclusive: int

    @property
    def share(self) -> float:
        """Of those that were refused for the right id."""
        return self.rightly / self.tried if self.tried else 1.0


def score(caught: Iterable[Caught]) -> Score:
    """The mutation score of these runs."""
    found = list(caught)
    rightly = sum(each.rightly for each in found)
    refused = sum(each.refused for each in found)
    return Score(len(found), rightly, refused - rightly, sum(each.verdict == "inconclusive" for each in found))


def by_requirement(caught: Iterable[Caught]) -> Mapping[str, Score]:
    """The score of each requirement: of the mutants whose first id it is."""
    found: dict[str, list[Caught]] = {}
    for each in caught:
        found.setdefault(each.breaks[0], []).append(each)
    return {each: score(found[each]) for each in REQUIREMENTS if each in found}


async def _nobody(prompt: str) -> str:
    raise AssertionError(f"a prompt on an emulated bench: {prompt}")
