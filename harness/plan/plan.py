"""A plan as data, and where the shipped ones come from."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from feltrig.harness.rig.loading import RigError


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that a time may be. Above `margin` times that, a pass is called marginal."""

    name: str
    of: str
    """What is timed: `answer`, or the command that begins the operation."""
    unit: str
    most: float
    margin: float


@dataclass(frozen=True, slots=True)
class NamedTest:
    """A test that a profile names, and which of ours it is made by."""

    name: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many samples are taken, and how many between two moments at which the run can be broken off."""

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
        """SHA-256 of all that the plan says: a run is not taken up again under another one."""
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
    """The shipped plans by name: each kind of device under each profile."""
    kinds, profiles = _table("kinds.toml"), _table("levels.toml")
    made = (_plan(kind, profile, kinds[kind], profiles[profile]) for kind in kinds for profile in profiles)
    return {plan.name: plan for plan in made}


def plan(name: str) -> Plan:
    """The plan of a name. Raises RigError."""
    if name not in plans():
        raise RigError(f"--plan {name}: no such plan; expected one of {', '.join(plans())}")
    return plans()[name]


def _plan(kind: str, profile: str, of_kind: Mapping[str, Any], of_profile: Mapping[str, Any]) -> Plan:
    most = of_profile["samples"].get(kind)
    sampling = None
    if most is not None:
        batch, attended = of_kind["batch"]
        named = of_profile.get("tests", {}).get(kind, {})
        tests = tuple(NamedTest(name, tuple(by)) for name, by in named.items())
        sampling = Sampling(most, batch, attended, of_kind["seconds"], of_kind["unit"], tests)
    return Plan(
        name=f"{kind}-{profile}",
        kind=kind,
        title=f"{kind}, {of_profile['title']}",
        jurisdiction=of_profile.get("jurisdiction"),
        level=of_profile["level"],
        rounds=of_kind["rounds"],
        drills=of_kind["drills"],
        sampling=sampling,
        limits=tuple(Limit(name, **limit) for name, limit in of_kind["limits"].items()),
    )


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files("feltrig.harness.plan").joinpath(name).read_text(encoding="utf-8"))
