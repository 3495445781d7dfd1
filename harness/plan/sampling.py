"""Takes the samples that the statistics of a plan need, in batches, until there are enough."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body, SampleTaken
from feltrig.harness.judge.decision import running_test, sampler_of
from feltrig.harness.plan.checkpoints import RunContext, Segment
from feltrig.harness.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class SampleProgress:
    """Told after every batch."""

    taken: int
    most: int
    unit: str
    evidence: float | None = None
    """The e-value so far, in a sequential test."""
    rest: int | None = None
    """About how many more it takes, in a sequential test that goes on as it did."""


@dataclass
class SamplingStep:
    """Takes samples in batches: all of them, or in a sequential test until the evidence suffices."""

    plan: Plan
    device: str
    sequential: bool
    attended: bool
    on_progress: Callable[[SampleProgress], None] = lambda progress: None
    name: str = "statistics"
    _taken: int = 0
    _running: Any = field(init=False, default=None)

    def next_segment(self) -> Segment | None:
        """The next batch, None when there are enough samples."""
        sampling = self.plan.sampling
        if sampling is None or self._taken >= sampling.most:
            return None
        if self._running is not None and self._running.finished:
            return None
        batch = sampling.attended_batch if self.attended else sampling.batch
        count = min(batch, sampling.most - self._taken)
        definition = {"sample": self.plan.kind, "device": self.device, "first": self._taken + 1, "count": count}
        name = f"samples {self._taken + 1} to {self._taken + count}"
        self._taken += count
        return Segment(name, definition, partial(self._take, count=count))

    async def _take(self, context: RunContext, count: int) -> None:
        taken: list[Mapping[str, Any]] = []
        first = self._taken - count
        context.wired.use_cards(GAMES[context.rig.game.name].cards)
        hands, take = context.hands(self.plan.kind), sampler_of(self.plan).take
        for number in range(first + 1, first + count + 1):
            seen = await take(hands)
            context.journal.append(SampleTaken(self.device, number, seen))
            taken.append(seen)
        self._look(taken)

    def recall(self, segment: str, records: Sequence[Record[Body]]) -> None:
        """Take in a batch that was recorded before the run was interrupted."""
        self._look([record.body.seen for record in records if isinstance(record.body, SampleTaken)])

    def _look(self, taken: Sequence[Mapping[str, Any]]) -> None:
        assert self.plan.sampling is not None
        progress = SampleProgress(self._taken, self.plan.sampling.most, self.plan.sampling.unit)
        if self.sequential:
            if self._running is None:
                self._running = running_test(self.plan)
            self._running.add(taken)
            progress = replace(progress, evidence=self._running.evidence, rest=self._running.rest)
        self.on_progress(progress)
