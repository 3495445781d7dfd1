"""Takes the samples that the statistics of a plan need, in batches, until there are enough."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.harness.devices.device import Turn
from feltrig.harness.devices.failures import Redo
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body, Prompted, Redone, SampleTaken
from feltrig.harness.judge.decision import failed_for_certain, running_test, sampler_of
from feltrig.harness.plan.checkpoints import RunContext, Segment
from feltrig.harness.plan.plan import Plan
from feltrig.harness.table.readiness import make_ready


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
    """Takes samples in batches: all of them, or until a failure is certain and whoever has hands wants to stop."""

    plan: Plan
    device: str
    sequential: bool
    attended: bool
    on_progress: Callable[[SampleProgress], None] = lambda progress: None
    name: str = "statistics"
    _taken: int = 0
    _running: Any = field(init=False, default=None)
    _first: Mapping[str, Any] | None = field(init=False, default=None)
    _last: Mapping[str, Any] | None = field(init=False, default=None)
    """The last sample, while its cards lie where it left them."""
    _stopped: bool = field(init=False, default=False)
    _goes_on: bool = field(init=False, default=False)
    """Whether to stop, or to go on, was decided when a failure was certain."""

    @property
    def left(self) -> None:
        """Nobody can tell: a bad machine ends it earlier."""

    def next_segment(self) -> Segment | None:
        """The next batch, None when there are enough samples."""
        sampling = self.plan.sampling
        if sampling is None or self._stopped or self._taken >= sampling.most:
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
        for number in range(first + 1, first + count + 1):
            seen = await self._one(context, number)
            context.journal.append(SampleTaken(self.device, number, seen))
            taken.append(seen)
            self._last = seen
        if (why := self._look(taken)) is not None and not self._goes_on:
            self._decided(await context.wired.operator.go_on(why))

    async def _one(self, context: RunContext, number: int) -> Mapping[str, Any]:
        """One sample, taken again as often as whoever has hands wants that."""
        assert self.plan.sampling is not None
        sampling, operator, take = self.plan.sampling, context.wired.operator, sampler_of(self.plan).take
        while True:
            turn = Turn(number, (number - 1) % sampling.anew_every == 0, self._last)
            operator.begin(f"sample {number} of {sampling.most}", sampling.prompts + turn.fresh)
            since = context.journal.seq + 1
            try:
                return await take(context.hands(self.plan.kind), turn)
            except Redo:
                context.journal.append(Redone(f"sample {number}", since))
                self._last = None
                await make_ready(context.rig, context.wired, again=True)

    def recall(self, segment: str, records: Sequence[Record[Body]]) -> None:
        """Take in a batch that was recorded before the run was interrupted. Nobody knows where its cards lie now."""
        self._last = None
        why = self._look([record.body.seen for record in records if isinstance(record.body, SampleTaken)])
        if why is not None and not self._goes_on:
            answers = [r.body.answer for r in records if isinstance(r.body, Prompted) and r.body.what == "go_on"]
            self._decided(bool(answers) and answers[-1] == "go on")

    def _decided(self, goes_on: bool) -> None:
        self._goes_on, self._stopped = goes_on, not goes_on

    def _look(self, taken: Sequence[Mapping[str, Any]]) -> str | None:
        """Look at a batch; why the device has failed for certain, None if it has not."""
        assert self.plan.sampling is not None
        progress = SampleProgress(self._taken, self.plan.sampling.most, self.plan.sampling.unit)
        if self.sequential and not self._goes_on:
            if self._running is None:
                self._running = running_test(self.plan)
            self._running.add(taken)
            progress = replace(progress, evidence=self._running.evidence, rest=self._running.rest)
        self.on_progress(progress)
        self._first = self._first or next(iter(taken), None)
        return failed_for_certain(self.plan, self._running, self._first, taken, self._taken)
