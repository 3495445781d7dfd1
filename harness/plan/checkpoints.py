"""The segments of a run. After each one stands a checkpoint, at which the run can be interrupted and resumed."""

import hashlib
import json
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from feltrig.harness.devices import tray
from feltrig.harness.devices.failures import Redo
from feltrig.harness.devices.hands import Driver, Hands
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body, Checkpoint, Redone, SegmentBegun
from feltrig.harness.journal.segments import Completed
from feltrig.harness.journal.writer import Journal
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.readiness import make_ready

if TYPE_CHECKING:  # the judge reads checkpoints, and knows no wire
    from feltrig.harness.wires.connecting import WiredRig


@dataclass(frozen=True, slots=True)
class RunContext:
    """What a segment is run with. `rng` is the segment's own: the same seed and segment draw the same again."""

    rig: Rig
    wired: "WiredRig"
    journal: Journal
    seed: int
    rng: random.Random

    def hands(self, kind: str, driver: Driver | None = None) -> Hands:
        """Hands at the device of a kind, through its own driver or another one."""
        devices, device = self.wired.devices, self.rig.device(kind)
        return Hands(
            driver or devices[kind],
            self.wired.operator,
            tray(devices, self.journal),
            compartments=self.rig.game.decks,
            sizes=() if device is None else device.stack_sizes,
            stop_button=None if device is None else device.stop_button,
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment. Its name is its own within the run; the definition says in plain values what it does."""

    name: str
    definition: Mapping[str, Any]
    run: Callable[[RunContext], Awaitable[None]] = field(compare=False)
    prompts: int | None = None
    """How many prompts it takes if all goes well; None if nobody can tell."""

    @property
    def digest(self) -> str:
        """SHA-256 of the definition: a run is not resumed if a segment means something else now."""
        return hashlib.sha256(json.dumps(self.definition, sort_keys=True).encode()).hexdigest()


class Step(Protocol):
    """A part of a plan. Which segment comes next may depend on what the segments before it have shown."""

    @property
    def name(self) -> str:
        """As people read it."""

    @property
    def left(self) -> int | None:
        """How many segments are to come; None when nobody can tell yet."""

    def next_segment(self) -> Segment | None:
        """The next segment, None when the step is complete."""

    def recall(self, segment: str, records: Sequence[Record[Body]]) -> None:
        """Take in a segment that was done before the run was interrupted."""


class Fixed:
    """A step whose segments are known beforehand."""

    def __init__(self, name: str, segments: Iterable[Segment]) -> None:
        self.name = name
        self._segments = list(segments)

    @property
    def left(self) -> int:
        """How many segments were not run."""
        return len(self._segments)

    def next_segment(self) -> Segment | None:
        """The first segment that was not run."""
        return self._segments.pop(0) if self._segments else None

    def recall(self, segment: str, records: Sequence[Record[Body]]) -> None:
        """Nothing to do: `next_segment` has handed it out."""


class Changed(Exception):
    """The run cannot be resumed: a segment means something else now, or another device answers."""


@dataclass(frozen=True, slots=True)
class StepProgress:
    """Told when a step begins, and after every segment of it."""

    step: str
    done: int
    """Segments of the step."""
    total: int | None
    """None when nobody can tell yet."""


OnStep = Callable[[StepProgress], None]


async def run_segments(
    steps: Iterable[Step], context: RunContext, done: Sequence[Completed] = (), on_step: OnStep = lambda _: None
) -> None:
    """Run every segment of every step in turn; those that are done already are recalled. Raises what stops any run."""
    before = list(done)
    if before:
        context.wired.emulated.restore(before[-1].memory)
    for step in steps:
        number = 0
        on_step(StepProgress(step.name, number, step.left))
        while (segment := step.next_segment()) is not None:
            number += 1
            if before:
                completed = before.pop(0)
                if (completed.name, completed.digest) != (segment.name, segment.digest):
                    raise Changed(f"segment {segment.name!r} is not the one that was run: {completed.name!r}")
                step.recall(segment.name, completed.records)
            else:
                await _run(segment, context)
            on_step(StepProgress(step.name, number, None if step.left is None else number + step.left))


async def _run(segment: Segment, context: RunContext) -> None:
    """Run a segment, again from its beginning as often as whoever has hands wants that."""
    begun = context.journal.append(SegmentBegun(segment.name, segment.digest))
    seed = f"{context.seed} {segment.name}"
    while True:
        context.wired.reseed(seed)
        context.wired.operator.begin(segment.name, segment.prompts)
        own = RunContext(context.rig, context.wired, context.journal, context.seed, random.Random(f"players {seed}"))
        try:
            await segment.run(own)
        except Redo:
            begun = context.journal.append(Redone(segment.name, begun + 1))
            await make_ready(context.rig, context.wired, again=True)
        else:
            break
    context.journal.append(Checkpoint(segment.name, context.wired.emulated.memory()))
    context.journal.sync()
