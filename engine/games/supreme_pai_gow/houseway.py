"""How the licensee has the dealer's hands set: 34.12(d). A way is data, which the licensee submits; the one here is
the rig's own, for tables that nobody submitted a way for (SPG-20)."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.ranking import FACES, PAIRS, POINTS, Hand, level, rank_two
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.setting import Hands

FLOORS = (*(mark * 2 for mark in PAIRS), *FACES, *(str(points) for points in sorted({*POINTS.values()}, reverse=True)))
"""What a hand can be asked to reach, from the highest: a pair (`XX` are the jokers), two faces, or so many points."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Applies when some split reaches both floors; of those that do, it takes the best by the preferred hand."""

    high: str
    """The least high hand, one of FLOORS."""
    low: str
    prefer: Hand


@dataclass(frozen=True, slots=True)
class HouseWay:
    """A way to set four cards, with its version and where it comes from. The first rule that applies sets them."""

    name: str
    version: str
    source: str
    """Whose submission it is, and of which date."""
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        lowest = FLOORS[-1]
        if not self.rules or (self.rules[-1].high, self.rules[-1].low) != (lowest, lowest):
            raise Illegal(f"house way {self.name}: the last rule must apply to every hand", "34.12(d)")

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.source})"

    def set(self, cards: Sequence[Card]) -> Hands[Card]:
        """Four different cards set by the rules, always legally and whatever order they come in."""
        splits = _splits(cards)
        rule, reached = next(
            (rule, reached) for rule in self.rules if (reached := [split for split in splits if _reaches(split, rule)])
        )
        return min(reached, key=_by_high if rule.prefer is Hand.HIGH else _by_low)


DEFAULT = HouseWay(
    "balanced",
    "1",
    "the rig's own: no licensee's submission",
    (
        Rule("9", "7", Hand.HIGH),  # both hands strong: make the high hand as strong as that allows
        Rule("9", "0", Hand.HIGH),  # one hand strong: make sure of it
        Rule("0", "0", Hand.LOW),  # neither: make the low hand as strong as can be
    ),
)


def _splits(cards: Sequence[Card]) -> tuple[Hands[Card], ...]:
    """The three ways to part four cards into two and two, the higher part as the high hand."""
    if len(cards) != 4 or len(set(cards)) != 4:
        raise ValueError(f"cards {tuple(cards)}: expected four different cards to set")
    a, b, c, d = sorted(cards)
    parts = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return tuple(Hands(*sorted(part, key=_order)) for part in parts)


def _reaches(split: Hands[Card], rule: Rule) -> bool:
    return rank_two(split.high).level <= _floor(rule.high) and rank_two(split.low).level <= _floor(rule.low)


def _floor(mark: str) -> int:
    if mark.isdigit() and len(mark) == 1:
        return level(int(mark))
    return level(mark[0] if mark[0] == mark[1] else mark)


def _order(hand: tuple[Card, ...]) -> int:
    return rank_two(hand).order


def _by_high(split: Hands[Card]) -> tuple[int, int]:
    return _order(split.high), _order(split.low)


def _by_low(split: Hands[Card]) -> tuple[int, int]:
    return _order(split.low), _order(split.high)
