"""Which requirements a plan tests on a kind of device and a wire, and by what."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.demands import (
    EVENTS_IN_ORDER,
    FAULT_STAYS,
    NO_OTHER_EVENT,
    NOT_TWICE,
    REFUSED_CHANGES_NOTHING,
    SAME_ANSWER,
    STILL_NEW,
)
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import FAULT, MALFORMED, OK, CommandCase, demanded
from feltrig.harness.devices.device import DeviceKind
from feltrig.harness.judge.checks import all_checks
from feltrig.harness.plan.conformance.scenes import scenes_of
from feltrig.harness.wires.wire import Wire
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.requirements import REQUIREMENTS, Requirement


@dataclass(frozen=True, slots=True)
class Probe:
    """What tests a requirement: where in a plan it stands, and its name there."""

    step: str
    """`state`, `message`, `scene`, `drill`, `check`, `limit` or `statistics`."""
    name: str

    def __str__(self) -> str:
        return f"{self.step} {self.name!r}"


def conformance_probes(kind: str, wire: Wire[Any]) -> Iterable[tuple[Probe, tuple[str, ...]]]:
    """The probes of the step conformance, each with the ids that it tests."""
    device = DEVICES[kind]
    for cases in device.states:
        yield Probe("state", cases.state), (*cases.requirements, NO_OTHER_EVENT)
        if cases.state == FAULT:
            yield Probe("state", cases.state), (FAULT_STAYS,)
        for case in cases.tried:
            yield Probe("state", f"{cases.state}: {case.command}"), _ids(device, case)
    for message in wire.malformed.load()(KINDS[kind], ()):
        ids = message.requirements if message.remembered else (*message.requirements, STILL_NEW)
        yield Probe("message", f"{MALFORMED}: {message.name}"), ids
    yield from _of_kind(device)
    for scene in scenes_of(kind, wire):
        yield Probe("scene", scene.name), scene.requirements


def _ids(device: DeviceKind, case: CommandCase) -> tuple[str, ...]:
    """What a command and its consequences test."""
    ids = demanded(device.demands, case)
    if case.expected != OK:
        return (*ids, REFUSED_CHANGES_NOTHING)
    return (*ids, EVENTS_IN_ORDER, SAME_ANSWER, NOT_TWICE) if case.events else ids


def _of_kind(device: DeviceKind) -> Iterable[tuple[Probe, tuple[str, ...]]]:
    """What the scenes of every device test of a kind's own demands."""
    for work in device.works:
        for case in (work.act, *work.meanwhile):
            yield Probe("scene", "at work"), demanded(device.demands, case)
    for case in device.after_start:
        yield Probe("scene", "power"), demanded(device.demands, case)
    if device.first_outcomes is not None:
        yield Probe("scene", "power"), (device.first_outcomes.requirement,)
    if device.locked is not None:
        yield Probe("scene", "power"), (device.locked.requirement,)


def other_probes(kind: str) -> Iterable[tuple[Probe, tuple[str, ...]]]:
    """What else of a plan tests requirements: drills, checks, limits, statistics."""
    device = DEVICES[kind]
    for drill in device.drills:
        yield Probe("drill", drill.name), drill.requirements
    for of, check in all_checks():
        if of in (None, kind):
            yield Probe("check", check.name), check.requirements
    for limit in device.limits:
        yield Probe("limit", limit.name), limit.requirements
    if device.sampler is not None:
        yield Probe("statistics", device.sampler.unit), device.sampler.requirements


def probes_of(kind: str, wire: Wire[Any]) -> Mapping[str, tuple[Probe, ...]]:
    """The probes of a plan by the id that they test, in the order of the plan and each once."""
    found: dict[str, dict[Probe, None]] = {}
    for probe, ids in (*conformance_probes(kind, wire), *other_probes(kind)):
        for each in ids:
            found.setdefault(each, {})[probe] = None
    return {each: tuple(found[each]) for each in REQUIREMENTS if each in found}


def in_conformance(kind: str, wire: Wire[Any]) -> tuple[str, ...]:
    """The ids that conformance tests on a device of this kind on this wire."""
    tested = {each for _, ids in conformance_probes(kind, wire) for each in ids}
    return tuple(each.id for each in demands(kind, wire.name) if each.id in tested)


def demands(kind: str, wire: str) -> tuple[Requirement, ...]:
    """All requirements that hold for a kind of device on a wire."""
    return tuple(each for each in REQUIREMENTS.values() if each.holds(kind, wire))
