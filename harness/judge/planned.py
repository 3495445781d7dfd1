"""What a plan demands beyond the checks of every run: the statistics and the times of the device under test."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Limit
from feltrig.harness.journal.records import Called, EventSeen, Replied, SampleTaken, Slowest
from feltrig.harness.judge.decision import decide
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.plan.plan import Plan, from_record
from feltrig.harness.statistics.core.results import Decision


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan of a run, and the device that it judges."""

    plan: Plan
    device: str
    sequential: bool

    def record(self) -> dict[str, Any]:
        """As `verdict.json` names it."""
        plan = self.plan
        return {"name": plan.name, "digest": plan.digest, "device": self.device, "sequential": self.sequential}


def planned(evidence: Evidence) -> Planned | None:
    """The plan of a run, None when it has none."""
    record = None if evidence.begun is None else evidence.begun.plan
    return None if record is None else Planned(from_record(record["plan"]), record["device"], record["sequential"])


def samples(evidence: Evidence, device: str) -> list[tuple[int, Mapping[str, Any]]]:
    """The samples of a device, with the numbers of their records."""
    return [(record.seq, record.body.seen) for record in evidence.of(SampleTaken, device)]


def decision(evidence: Evidence, chosen: Planned | None) -> Decision | None:
    """The one statistical decision about the device under test; None when there is nothing to decide by."""
    if chosen is None or chosen.plan.sampling is None or next(evidence.of(SampleTaken), None) is None:
        return None
    return decide(chosen.plan, chosen.sequential, (seen for _, seen in samples(evidence, chosen.device)))


@dataclass(frozen=True, slots=True)
class Timed:
    """How long something took, each time, and the records that say so."""

    limit: Limit
    seconds: tuple[float, ...]
    evidence: tuple[int, ...]

    @property
    def longest(self) -> float:
        """The longest time."""
        return max(self.seconds)

    @property
    def median(self) -> float:
        """The usual time."""
        return statistics.median(self.seconds)


def timings(evidence: Evidence, chosen: Planned | None) -> tuple[Timed, ...]:
    """The times that the plan limits, as the journal has them."""
    if chosen is None:
        return ()
    answers, operations = times(evidence, chosen.device)
    found = {**operations, "answer": answers}
    return tuple(Timed(limit, *_columns(found.get(limit.of, []))) for limit in chosen.plan.limits)


def _columns(found: list[tuple[float, int]]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    return tuple(seconds for seconds, _ in found), tuple(seq for _, seq in found)


def times(evidence: Evidence, device: str) -> tuple[list[tuple[float, int]], dict[str, list[tuple[float, int]]]]:
    """Of each request until its answer, and of each operation from its command to its end. Questions for events are on
    record only where one took longer than any before."""
    answers: list[tuple[float, int]] = []
    operations: dict[str, list[tuple[float, int]]] = {}
    asked: float | None = None
    begun: dict[str, float] = {}
    ends = DEVICES[evidence.devices[device].kind].operations if device in evidence.devices else {}
    for record in evidence.every:
        if record.device != device:
            continue
        match record.body:
            case Called(command=command):
                asked = record.m
                begun[command] = record.m
            case Replied() if asked is not None:
                answers.append((record.m - asked, record.seq))
                asked = None
            case Slowest(seconds=seconds):
                answers.append((seconds, record.seq))
            case EventSeen(event=event):
                for command, end in ends.items():
                    if event == end and command in begun:
                        operations.setdefault(command, []).append((record.m - begun.pop(command), record.seq))
    return answers, operations
