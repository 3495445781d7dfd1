"""What each machine of chance gave in a run: the samples of the plan, or else what the rounds needed."""

from collections.abc import Iterator
from dataclasses import dataclass

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.device import Sampler
from feltrig.harness.judge.judgement import Judgement
from feltrig.harness.judge.planned import samples


@dataclass(frozen=True, slots=True)
class Observed:
    """The results of one device in order. `rows` are shuffles relative to the order of loading, single numbers, or
    rolls of the dice."""

    device: str
    sampler: Sampler
    rows: tuple[tuple[int, ...], ...]
    source: str
    left_out: int = 0
    """Invalid results, such as a deck with a card missing: other findings are about them."""


SAMPLED = "samples of the plan"
PLAYED = "rounds played"


def observed(judgement: Judgement) -> Iterator[Observed]:
    """For each device whose results are left to chance, what there is of them."""
    evidence, chosen = judgement.evidence, judgement.planned
    for name, device in evidence.devices.items():
        kind = device.kind
        sampler = DEVICES[kind].sampler
        if sampler is None or kind not in evidence.run.uses:
            continue
        taken = [seen for _, seen in samples(evidence, name)] if chosen and chosen.device == name else []
        source = SAMPLED if taken else PLAYED
        seen = taken or list(sampler.played(evidence))
        rows = [sampler.row(one) for one in seen]
        usable = _alike([row for row in rows if row])
        if usable:
            yield Observed(name, sampler, tuple(usable), source, len(rows) - len(usable))


def _alike(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The rows as long as the first: decks of another size are another sample."""
    return [row for row in rows if len(row) == len(rows[0])]
