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
from feltrig.harness.plan.needs import NO_NEEDS, Needs
from feltrig.harness.plan.needs import from_record as needs_from_record
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
    anew_every: int = 1
    """Every Nth sample begins with a new deck, the others with what the last one left."""
    prompts: int = 0
    """What hands must be asked for a sample; one more if it begins with a new deck."""


ROUNDS, IRREGULARITIES, EYE, CONFORMANCE, STATISTICS = "rounds", "irregularities", "eye", "conformance", "statistics"
STEPS = (ROUNDS, IRREGULARITIES, EYE, CONFORMANCE, STATISTICS)
"""The steps of a plan that can be left out of a rehearsal, in their order. Times are taken throughout."""


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
    """How many are played of every way to play."""
    drills: bool
    sampling: Sampling | None
    limits: tuple[Limit, ...]
    rounds_after: int = 0
    """How many of every way to play are played once more after the irregularities."""
    base: str = ""
    """The plan of `feltrig plan list` that this one is, or is made from. A plan that asks less is a rehearsal of it."""
    least_rounds: int = 0
    """How many are played in all, however few ways to play the rig file names."""
    least: tuple[tuple[str, int], ...] = ()
    """Events of the device that the rounds must show, each with the least number of them."""
    steps: tuple[str, ...] = STEPS
    needs: Needs = NO_NEEDS

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
    limits = tuple(
        Limit(**{**limit, "requirements": tuple(limit.get("requirements", ()))}) for limit in record["limits"]
    )
    base = record.get("base", record["name"])
    known = plans().get(base)  # what older journals do not say is as it is today
    least = record.get("least", known.least if known else ())
    needs = needs_from_record(record["needs"]) if "needs" in record else known.needs if known else NO_NEEDS
    read = {"base": base, "sampling": sampling, "limits": limits, "needs": needs}
    read["least"] = tuple((event, number) for event, number in least)
    read["steps"] = tuple(record.get("steps", STEPS))
    return Plan(**{**record, **read})


@cache
def plans() -> Mapping[str, Plan]:
    """All plans by name: each kind of device under each standard."""
    judged = [device for device in DEVICES.values() if device.planned]
    made = (_plan(device, name, standard) for device in judged for name, standard in STANDARDS.items())
    return {plan.name: plan for plan in made}


def plan(name: str) -> Plan:
    """The plan of a name. Raises RigError."""
    if name not in plans():
        raise RigError(
            f"plan {name}: no such plan; expected one of {', '.join(plans())}, or a file whose name ends in .toml"
        )
    return plans()[name]


def _plan(device: DeviceKind, name: str, standard: Standard) -> Plan:
    sampler, sampling = device.sampler, None
    if sampler is not None and device.kind in standard.samples:
        named = standard.tests.get(device.kind, {})
        tests = tuple(NamedTest(test, tuple(by)) for test, by in named.items())
        sampling = Sampling(
            most=standard.samples[device.kind],
            batch=sampler.batch,
            attended_batch=sampler.attended_batch,
            seconds=sampler.seconds,
            unit=sampler.unit,
            tests=tests,
            anew_every=sampler.anew_every,
            prompts=sampler.prompts,
        )
    return Plan(
        name=f"{device.kind}-{name}",
        kind=device.kind,
        title=f"{device.kind}, {standard.title}",
        jurisdiction=standard.jurisdiction,
        level=standard.level,
        rounds=device.rounds,
        rounds_after=device.rounds_after,
        drills=bool(device.drills),
        sampling=sampling,
        limits=device.limits,
        base=f"{device.kind}-{name}",
        least_rounds=standard.least_rounds,
        least=tuple(standard.least.get(device.kind, {}).items()),
        needs=standard.needs_of(device.kind),
    )
