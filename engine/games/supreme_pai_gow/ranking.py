"""How two-card hands rank (34.3(a)), compare (34.3(b), (d)) and may be set (34.12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations

from feltrig.engine.cards import RANKS, Card, deck, is_joker, rank

PAIRS = "XAKQJT98765432"
"""Pairs from highest to lowest, X the jokers: 34.3(a)1i."""
FACES = ("KQ", "KJ", "QJ")
"""Face cards that do not match, from highest to lowest: 34.3(a)2."""
HIGH_CARDS = "KQJT98765432A"
"""Single cards from highest to lowest, for the tie-break only: 34.3(b)."""
POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))
"""34.3(a)3i to iii."""
JOKER_VALUES = (3, 6)
"""34.3(a)3iv."""
ZERO_PAIRS = "KQJT5"
"""Pairs whose points would add up to zero if pairs had points."""

_LEVELS: tuple[str | int, ...] = (*PAIRS, *FACES, *sorted({*POINTS.values()}, reverse=True))
"""The 27 levels of 34.3(a) from highest to lowest: a pair's rank, two faces, or points."""


class Kind(Enum):
    """The three kinds of two-card hand, from highest to lowest."""

    PAIR = "pair"
    NON_MATCHING_FACE = "non_matching_face"
    POINTS = "points"


class Hand(Enum):
    """Which of a holder's two hands."""

    HIGH = "high"
    LOW = "low"


class HighCard(Enum):
    """Which single card breaks a tie of points: SPG-05."""

    LITERAL = "literal"
    """The king is highest and the ace lowest; a joker is the 3 or 6 that it counts."""
    JOKER_HIGHEST = "joker_highest"
    ACE_HIGH = "ace_high"


@dataclass(frozen=True, slots=True)
class Readings:
    """How the text is read where it can be read in more than one way."""

    set_by_high_card: bool = False
    """The tie-break of 34.3(b) counts when hands are set, too: SPG-03."""
    zero_by_arithmetic: bool = False
    """A low hand of faces or a pair has no points either when its cards add up to none, 34.3(d): SPG-04."""
    high_card: HighCard = HighCard.LITERAL


DEFAULT = Readings()


@dataclass(frozen=True, slots=True)
class TwoCardRank:
    """The rank of a two-card hand. Fields that do not belong to its kind are None."""

    kind: Kind
    pair_rank: str | None
    """A rank letter, or X for the jokers."""
    face: str | None
    points: int | None
    high_card: str | None
    """The card that breaks ties of points; a joker stands as the 3 or 6 that it counts."""
    joker_counted_as: int | None
    level: int
    """1 the highest of the 27 levels of 34.3(a), which alone matter when hands are set (SPG-03)."""
    order: int
    """1 the highest of the 92 classes that 34.3(a) and the tie-break of 34.3(b) tell apart."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that give the hand its rank."""
        if self.kind is Kind.PAIR:
            return ("34.3(a)1i",)
        if self.kind is Kind.NON_MATCHING_FACE:
            return ("34.3(a)2",)
        return ("34.3(a)3",) if self.joker_counted_as is None else ("34.3(a)3", "34.3(a)3iv")


def rank_two(cards: Sequence[Card], high_card: HighCard = HighCard.LITERAL) -> TwoCardRank:
    """The rank of two different cards."""
    first, second = cards
    ranks = _RANKS if high_card is HighCard.LITERAL else _table(high_card)
    found = ranks[first * 54 + second]
    if found is None:
        raise ValueError(f"card {first} twice in one hand")
    return found


def player_wins(player: TwoCardRank, dealer: TwoCardRank, which: Hand, zero_by_arithmetic: bool = False) -> bool:
    """Whether the player's hand beats the corresponding hand of the dealer or bank; a copy does not (34.3(b))."""
    never = which is Hand.LOW and is_zero(player, zero_by_arithmetic)
    return not never and player.order < dealer.order


def is_zero(ranked: TwoCardRank, by_arithmetic: bool = False) -> bool:
    """Whether a low hand never wins, 34.3(d). Pairs and face cards have no points, unless by arithmetic (SPG-04)."""
    if by_arithmetic and ranked.kind is not Kind.POINTS:
        return ranked.pair_rank is None or ranked.pair_rank in ZERO_PAIRS
    return ranked.points == 0


def level(mark: str | int) -> int:
    """The level of a pair (its rank letter), of two faces (`KQ`) or of a number of points; 1 is the highest."""
    return _LEVELS.index(mark) + 1


def set_fault(
    high: Sequence[Card], low: Sequence[Card], equal_is_legal: bool = True, readings: Readings = DEFAULT
) -> str | None:
    """The rule that makes the setting foul, or None when it is legal."""
    if len(high) != 2 or len(low) != 2:
        return "34.12(g)3"
    ranked = [rank_two(hand, readings.high_card) for hand in (high, low)]
    upper, lower = (hand.order if readings.set_by_high_card else hand.level for hand in ranked)
    # 34.12(a) and its example allow equal hands, 34.12(g)2 does not: SPG-02.
    if upper > lower or (upper == lower and not equal_is_legal):
        return "34.12(g)2"
    return None


def _points(value: int) -> int:
    """34.3(a)3v."""
    return value - 10 if value >= 10 else value


def _classify(
    a: Card, b: Card, highest_first: str
) -> tuple[Kind, str | None, str | None, int | None, str | None, int | None]:
    """All of the rank but its place among the others."""
    letters = ("X" if is_joker(card) else RANKS[rank(card)] for card in (a, b))
    first, second = sorted(letters, key=("X" + HIGH_CARDS).index)
    if first == second:
        return Kind.PAIR, first, None, None, None, None
    if first + second in FACES:
        return Kind.NON_MATCHING_FACE, None, first + second, None, None, None
    if first != "X":
        high = min(first, second, key=highest_first.index)
        return Kind.POINTS, None, None, _points(POINTS[first] + POINTS[second]), high, None
    joker = max(JOKER_VALUES, key=lambda value: _points(value + POINTS[second]))
    points = _points(joker + POINTS[second])
    stands_as = "X" if "X" in highest_first else str(joker)
    return Kind.POINTS, None, None, points, min(stands_as, second, key=highest_first.index), joker


def _strength(
    pair: str | None, face: str | None, points: int | None, high: str | None, highest_first: str
) -> tuple[int, int]:
    """Sorts from highest to lowest: the level of 34.3(a), then the tie-break of 34.3(b)."""
    mark = next(mark for mark in (pair, face, points) if mark is not None)
    return level(mark), 0 if high is None else highest_first.index(high)


@cache
def _table(high_card: HighCard) -> list[TwoCardRank | None]:
    """The rank of every two cards, at 54 * one + the other."""
    highest_first = {
        HighCard.LITERAL: HIGH_CARDS,
        HighCard.JOKER_HIGHEST: "X" + HIGH_CARDS,
        HighCard.ACE_HIGH: "A" + HIGH_CARDS[:-1],
    }[high_card]
    classes = {pair: _classify(*pair, highest_first) for pair in combinations(deck(jokers=2), 2)}
    strengths = {pair: _strength(*found[1:5], highest_first) for pair, found in classes.items()}
    orders = {strength: place for place, strength in enumerate(sorted(set(strengths.values())), start=1)}
    table: list[TwoCardRank | None] = [None] * (54 * 54)
    for (a, b), found in classes.items():
        strength = strengths[a, b]
        ranked = TwoCardRank(*found, level=strength[0], order=orders[strength])
        table[a * 54 + b] = table[b * 54 + a] = ranked
    return table


_RANKS = _table(HighCard.LITERAL)
