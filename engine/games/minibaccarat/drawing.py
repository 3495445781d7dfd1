"""Point counts, and which hand takes a third card."""

from collections.abc import Mapping, Sequence
from enum import Enum

from feltrig.engine.cards import RANKS, Card, rank

POINTS: Mapping[str, int] = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))
"""What a card counts: outside the rule text, which is cut off after 19:47-7.1(a)."""

NATURALS = (8, 9)
"""19:47-7.9(a)."""

PLAYER_DRAWS = (0, 1, 2, 3, 4, 5)
"""Table 1, 19:47-7.9(b): on these counts the Player's Hand draws, on 6 to 9 it stays."""

BankerTable = Mapping[int | None, Sequence[int]]
"""On which counts of its first two cards the Banker's Hand draws, by what the third card of the Player's Hand
counts; None when the Player's Hand stayed."""

BANKER_DRAWS: BankerTable = {
    None: (0, 1, 2, 3, 4, 5),
    0: (0, 1, 2, 3),
    1: (0, 1, 2, 3),
    2: (0, 1, 2, 3, 4),
    3: (0, 1, 2, 3, 4),
    4: (0, 1, 2, 3, 4, 5),
    5: (0, 1, 2, 3, 4, 5),
    6: (0, 1, 2, 3, 4, 5, 6),
    7: (0, 1, 2, 3, 4, 5, 6),
    8: (0, 1, 2),
    9: (0, 1, 2, 3),
}
"""The table of punto banco: outside the rule text, whose second table is cut off (MB-01)."""


class Action(Enum):
    """What a hand does after the first two cards."""

    DRAW = "draw"
    STAY = "stay"
    NATURAL = "natural_no_draw"


def points(card: Card) -> int:
    """What one card counts, 0 to 9."""
    return POINTS[RANKS[rank(card)]]


def point_count(cards: Sequence[Card]) -> int:
    """What a hand counts, 0 to 9: the last digit of the sum."""
    return sum(map(points, cards)) % 10


def player_action(player: int, banker: int) -> Action:
    """Whether the Player's Hand draws, given both counts of two cards: 19:47-7.9."""
    if player in NATURALS or banker in NATURALS:
        return Action.NATURAL
    return Action.DRAW if player in PLAYER_DRAWS else Action.STAY


def banker_action(player: int, banker: int, third: int | None, table: BankerTable = BANKER_DRAWS) -> Action:
    """Whether the Banker's Hand draws: by both counts of two cards, and what the Player's third card counts, if any."""
    if player in NATURALS or banker in NATURALS:
        return Action.NATURAL
    return Action.DRAW if banker in table[third] else Action.STAY
