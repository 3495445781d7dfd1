"""What a plan demands beyond the checks of every run: the statistics and the times of the device under test."""

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Limit
from feltrig.harness.journal.reader import is_a
from feltrig.harness.journal.records import Called, EventSeen, HostLate, Replied, RunBegun, SampleTaken, Slowest
from feltrig.harness.judge.decision import decide
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.plan.plan import Plan, from_record, plans
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
        return {
            "name": plan.name,
            "base": plan.base,
            "digest": plan.digest,
            "device": self.device,
            "sequential": self.sequential,
        }


def planned(evidence: Evidence) -> Planned | None:
    """The plan of a run, None when it has none."""
    record = None if evidence.begun is None else evidence.begun.plan
    return None if record is None else Planned(from_record(record["plan"]), record["device"], record["sequential"])


def other_plan(run: RunBegun) -> Iterator[str]:
    """A plan of `feltrig plan list` must be what it was. A plan of the user's is what the first record says."""
    if run.plan is not None:
        begun = from_record(run.plan["plan"])
        if begun.name in plans() and plans()[begun.name].digest != begun.digest:
            yield f"plan {begun.name} has changed since the run began"


def samples(evidence: Evidence, device: str) -> list[tuple[int, Mapping[str, Any]]]:
    """The samples of a device, with the numbers of their records."""
    return [(record.seq, record.body.seen) for record in evidence.of(SampleTaken, device)]


def decision(evidence: Evidence, chosen: Planned | None) -> Decision | None:
    """The one statistical decision about the device under test; None when there is nothing to decide by."""
    if chosen is None or chosen.plan.sampling is None or next(evidence.of(SampleTaken), None) is None:
        return None
    return decide(chosen.plan, chosen.sequential, (seen for _, seen in samples(evidence, chosen.device)))


class Measured(NamedTuple):
    """How long something took, when it ended, and the record that says so."""

    seconds: float
    end: float
    seq: int

    def without(self, late: list[tuple[float, float]]) -> float:
        """The time without what the computer was late in the meantime."""
        begun = self.end - self.seconds
        lost = sum(max(0.0, min(self.end, until) - max(begun, since)) for since, until in late)
        return max(0.0, self.seconds - lost)


@dataclass(frozen=True, slots=True)
class Timed:
    """How long something took, each time, and the records that say so."""

    limit: Limit
    seconds: tuple[float, ...]
    evidence: tuple[int, ...]
    delayed: int = 0
    """How many cannot be told: they are above the limit, but the rig's own computer was late in the meantime."""

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
    return tuple(_timed(limit, found.get(limit.of, []), late(evidence)) for limit in chosen.plan.limits)


def _timed(limit: Limit, found: list[Measured], delays: list[tuple[float, float]]) -> Timed:
    own = [(measured.without(delays), measured) for measured in found]
    kept = [(seconds, each.seq) for seconds, each in own if not each.seconds > limit.most >= seconds]
    return Timed(limit, tuple(s for s, _ in kept), tuple(seq for _, seq in kept), len(own) - len(kept))


def late(evidence: Evidence) -> list[tuple[float, float]]:
    """When the rig's own computer was late: from, and until."""
    return [(record.m - record.body.seconds, record.m) for record in evidence.every if is_a(record, HostLate)]


def times(evidence: Evidence, device: str) -> tuple[list[Measured], dict[str, list[Measured]]]:
    """Of each request until its answer, and of each operation from its command to its end. Questions for events are on
    record only where one took longer than any before."""
    answers: list[Measured] = []
    operations: dict[str, list[Measured]] = {}
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
                answers.append(Measured(record.m - asked, record.m, record.seq))
                asked = None
            case Slowest(seconds=seconds):
                answers.append(Measured(seconds, record.m, record.seq))
            case EventSeen(event=event):
                for command, end in ends.items():
                    if event == end and command in begun:
                        measured = Measured(record.m - begun.pop(command), record.m, record.seq)
                        operations.setdefault(command, []).append(measured)
    return answers, operations
