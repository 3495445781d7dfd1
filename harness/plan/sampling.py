"""Samples for the statistics of a plan: shuffles, numbers and rolls, taken in batches until there are enough."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from feltrig.engine.decks import DECKS
from feltrig.engine.games import GAMES
from feltrig.harness.journal.journal import Record
from feltrig.harness.plan.checkpoints import RunContext, Segment
from feltrig.harness.plan.plan import Plan
from feltrig.harness.table.driver import bytes_of, int_of
from feltrig.harness.table.reading import read_tray
from feltrig.harness.table.sessions import COMPARTMENTS

if TYPE_CHECKING:  # numpy and scipy are loaded by plans with statistics only
    from feltrig.harness.statistics.outcome import Decision

SHAKES = 3
"""What the rules ask at least."""


async def _shuffle(context: RunContext) -> dict[str, Any]:
    """A deck in new-deck order goes through the shuffler: the reader sees it before and after."""
    deck = DECKS[0]
    operator, devices = context.wired.operator, context.wired.devices
    await operator.bring_deck(deck)
    before, _, loaded = await _read(context, deck, "deck before the shuffle")
    await operator.load_shuffler(deck)
    await devices["shuffler"].perform("shuffle", "shuffled", deck=COMPARTMENTS[deck])
    await operator.unload_shuffler(deck)
    after, _, out = await _read(context, deck, "deck after the shuffle")
    return {"before": list(before), "after": list(after), "reads": [loaded, out]}


async def _read(context: RunContext, deck: str, what: str) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    await context.wired.operator.show_deck(deck)
    seen = await read_tray(context.wired.devices["reader"], context.journal, what, deck)
    await context.wired.operator.from_reader(f"deck.{deck}")
    return seen


async def _number(context: RunContext) -> dict[str, Any]:
    rng = context.wired.devices["rng"]
    await rng.perform("select", "selected")
    return {"number": int_of((await rng.call("display"))["number"])}


async def _roll(context: RunContext) -> dict[str, Any]:
    shaker = context.wired.devices["shaker"]
    await shaker.perform("shake", "shaken", times=SHAKES)
    rolled = await shaker.perform("uncover", "rolled")
    await shaker.perform("cover", "covered")
    return {"dice": list(bytes_of(rolled.values["dice"])), "flat": list(bytes_of(rolled.values["flat"]))}


TAKE: Mapping[str, Callable[[RunContext], Awaitable[dict[str, Any]]]] = {
    "shuffler": _shuffle,
    "rng": _number,
    "shaker": _roll,
}
"""How a sample is taken, by the kind of device."""


@dataclass(frozen=True, slots=True)
class Progress:
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
    on_progress: Callable[[Progress], None] = lambda progress: None
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
        for number in range(first + 1, first + count + 1):
            seen = await TAKE[self.plan.kind](context)
            context.journal.append("sample", {"device": self.device, "number": number, "seen": seen})
            taken.append(seen)
        self._look(taken)

    def recall(self, segment: str, records: Sequence[Record]) -> None:
        """Take in a batch that was recorded before the run was broken off."""
        self._look([record.data["seen"] for record in records if record.kind == "sample"])

    def _look(self, taken: Sequence[Mapping[str, Any]]) -> None:
        assert self.plan.sampling is not None
        progress = Progress(self._taken, self.plan.sampling.most, self.plan.sampling.unit)
        if self.sequential:
            if self._running is None:
                self._running = Running(self.plan)
            self._running.add(taken)
            progress = replace(progress, evidence=self._running.evidence, rest=self._running.rest)
        self.on_progress(progress)


class Running:
    """The sequential test of a plan. A sample that no good machine gives, such as a card that is missing, ends it:
    another finding says so."""

    def __init__(self, plan: Plan) -> None:
        from feltrig.harness.statistics import dice, numbers, shuffles  # noqa: PLC0415
        from feltrig.harness.statistics.last_look import one_by_one  # noqa: PLC0415
        from feltrig.harness.statistics.sequential import Acceptance  # noqa: PLC0415

        assert plan.sampling is not None
        level, acceptance = one_by_one(plan.level), Acceptance(samples=plan.sampling.most)
        self._kind = plan.kind
        self._test: Any
        match plan.kind:
            case "shuffler":
                self._test = shuffles.Sequential(level, acceptance)
            case "rng":
                self._test = numbers.evidence(level, acceptance=acceptance)
            case _:
                self._test = dice.evidence(level, acceptance=acceptance)
        self._first: Mapping[str, Any] | None = None
        self.finished = False

    @property
    def evidence(self) -> float:
        """The e-value so far."""
        from feltrig.harness.statistics.outcome import evidence  # noqa: PLC0415

        return evidence(self._test.log_e)

    @property
    def rest(self) -> int | None:
        """About how many more samples it takes, if things go on as they did; None while nothing can be said."""
        rest: int | None = self._test.expected_rest()
        return rest

    @property
    def stopped_at(self) -> int | None:
        """After how many samples the evidence sufficed, either way."""
        stopped: int | None = self._test.refused_at or self._test.accepted_at
        return stopped

    @property
    def curve(self) -> list[float]:
        """Log of the evidence after each sample."""
        return list(self._test.curve)

    def add(self, taken: Sequence[Mapping[str, Any]]) -> None:
        """Look at a batch."""
        self._first = self._first or next(iter(taken), None)
        same = self._first is not None and all(_sound(self._kind, self._first, sample) for sample in taken)
        block = _values(self._kind, taken, len(self.curve)) if same else None
        self.finished = block is None or bool(self._test.add(block))

    def decision(self) -> "Decision":
        """The decision so far."""
        decision: Decision = self._test.decision()
        return decision


def decide(plan: Plan, sequential: bool, taken: Iterable[Mapping[str, Any]]) -> "Decision | None":
    """The one decision about a device, from its samples; None when there is none that could be judged."""
    sample = list(taken)
    if not sample:
        return None
    return _decide_sequentially(plan, sample) if sequential else _decide_at_once(plan, sample, plan.level)


def _decide_at_once(plan: Plan, sample: Sequence[Mapping[str, Any]], level: float) -> "Decision | None":
    from feltrig.harness.statistics import dice, numbers, shuffles  # noqa: PLC0415

    values = _values(plan.kind, sample)
    if values is None:
        return None
    match plan.kind:
        case "shuffler":
            return shuffles.fixed(values, level)
        case "rng":
            return numbers.fixed(values, level)
    return dice.fixed(values, level)


def _decide_sequentially(plan: Plan, sample: list[Mapping[str, Any]]) -> "Decision | None":
    """The decision after the sample that sufficed, or after the last one before one that is none. Planned samples
    without evidence are looked at together once more."""
    from feltrig.harness.statistics.last_look import LAST_LOOK, with_last_look  # noqa: PLC0415

    seen = list(takewhile(partial(_sound, plan.kind, sample[0]), sample))
    running = Running(plan)
    running.add(seen)
    if not running.curve:
        return None
    if running.stopped_at is not None and running.stopped_at < len(seen):
        seen, running = seen[: running.stopped_at], Running(plan)
        running.add(seen)
    looked = replace(running.decision(), level=plan.level)
    if looked.refused or not looked.finished:
        return looked
    whole = _decide_at_once(plan, seen, LAST_LOOK * plan.level)
    return looked if whole is None else with_last_look(looked, whole, plan.level)


def _sound(kind: str, first: Mapping[str, Any], sample: Mapping[str, Any]) -> bool:
    """Whether a sample can be judged beside the first: all cards of the same deck, a number, three faces."""
    match kind:
        case "shuffler":
            return sorted(first["before"]) == sorted(sample["before"]) == sorted(sample["after"])
        case "rng":
            return bool(1 <= sample["number"] <= 7)
        case _:
            return len(sample["dice"]) == 3 and all(1 <= die <= 6 for die in sample["dice"])


def _values(kind: str, taken: Sequence[Mapping[str, Any]], first: int = 0) -> Any:
    """The samples as the statistics take them, so many after the first; None when one is none: its own check fails."""
    if not taken or not all(_sound(kind, taken[0], sample) for sample in taken):
        return None
    match kind:
        case "shuffler":
            return _shuffles(taken, first)
        case "rng":
            return [sample["number"] for sample in taken]
        case _:
            return [sample["dice"] for sample in taken]


def _shuffles(taken: Sequence[Mapping[str, Any]], first: int) -> Any:
    """Each shuffle relative to the order in which its deck was loaded; None when some faces come more often."""
    import numpy as np  # noqa: PLC0415

    from feltrig.harness.statistics.recorded import NoShuffle, recorded  # noqa: PLC0415
    from feltrig.harness.statistics.samples import Decks  # noqa: PLC0415

    before, after = (np.array([sample[when] for sample in taken]) for when in ("before", "after"))
    try:
        return recorded(Decks(after, before), first=first, by_faces=False)
    except NoShuffle:
        return None
