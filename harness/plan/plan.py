"""A plan as data, and where the shipped ones come from."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from feltrig.errors import RigError
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import DeviceKind, Limit
from feltrig.harness.plan.standards import STANDARDS, Standard


@dataclass(frozen=True, slots=True)
class NamedTest:
    """A test that a standard names, and which of ours it is made by."""

    name: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many samples are taken, and how many between two moments at which the run can be interrupted."""

    most: int
    batch: int
    attended_batch: int
    seconds: float
    unit: str
    tests: tuple[NamedTest, ...] = ()
    """Those without which there is no pass. All of ours decide together, whichever are named."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a certification consists of."""

    name: str
    kind: str
    title: str
    jurisdiction: str | None
    """By whose rules the rounds must be played; None for those of the rig, whichever they are."""
    level: float
    rounds: int
    drills: bool
    sampling: Sampling | None
    limits: tuple[Limit, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of all that the plan says: a run is not resumed under another one."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


def from_record(record: Mapping[str, Any]) -> Plan:
    """The plan as a run's first record has it."""
    sampling = None
    if record["sampling"] is not None:
        tests = tuple(NamedTest(test["name"], tuple(test["by"])) for test in record["sampling"].get("tests", ()))
        sampling = Sampling(**{**record["sampling"], "tests": tests})
    limits = tuple(Limit(**limit) for limit in record["limits"])
    return Plan(**{**record, "sampling": sampling, "limits": limits})


@cache
def plans() -> Mapping[str, Plan]:
    """All plans by name: each kind of device under each standard."""
    judged = [device for device in DEVICES.values() if device.planned]
    made = (_plan(device, name, standard) for device in judged for name, standard in STANDARDS.items())
    return {plan.name: plan for plan in made}


def plan(name: str) -> Plan:
    """The plan of a name. Raises RigError."""
    if name not in plans():
        raise RigError(f"plan {name}: no such plan; expected one of {', '.join(plans())}")
    return plans()[name]


def _plan(device: DeviceKind, name: str, standard: Standard) -> Plan:
    sampler, sampling = device.sampler, None
    if sampler is not None and device.kind in standard.samples:
        named = standard.tests.get(device.kind, {})
        tests = tuple(NamedTest(test, tuple(by)) for test, by in named.items())
        sampling = Sampling(
            standard.samples[device.kind], sampler.batch, sampler.attended_batch, sampler.seconds, sampler.unit, tests
        )
    return Plan(
        name=f"{device.kind}-{name}",
        kind=device.kind,
        title=f"{device.kind}, {standard.title}",
        jurisdiction=standard.jurisdiction,
        level=standard.level,
        rounds=device.rounds,
        drills=bool(device.drills),
        sampling=sampling,
        limits=device.limits,
    )
