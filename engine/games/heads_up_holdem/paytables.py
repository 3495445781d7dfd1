"""The pay tables of Heads Up Hold'em, all to 1, by the name of the hand: 39.11. A hand that is not in a table loses."""

from collections.abc import Mapping
from fractions import Fraction

Odds = int | Fraction
PayTable = Mapping[str, Odds]

ODDS: PayTable = {
    "royal_flush": 500,
    "straight_flush": 50,
    "four_of_a_kind": 10,
    "full_house": 3,
    "flush": Fraction(3, 2),
    "straight": 1,
}
"""The odds wager of a player who wins: 39.11(b)(5). Below a straight it pushes: 39.11(c)."""

BAD_BEAT: Mapping[str, PayTable] = {
    "example": {"straight_flush": 500, "four_of_a_kind": 25, "full_house": 6, "flush": 5, "straight": 4},
    # outside the rule text: another table in use, as the text calls its own an example (HUH-03)
    "alternative": {"straight_flush": 500, "four_of_a_kind": 50, "full_house": 10, "flush": 8, "straight": 5},
}
"""The odds wager of a player who loses: 39.11(f). A royal flush, N/A in print, cannot lose."""

_TRIPS_PLUS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")

TRIPS_PLUS: Mapping[int, PayTable] = {
    number: dict(zip(_TRIPS_PLUS, column, strict=True))
    for number, column in {
        1: (100, 40, 30, 9, 7, 4, 3),
        2: (100, 40, 30, 8, 6, 5, 3),
        3: (100, 40, 30, 8, 7, 4, 3),
        4: (100, 40, 30, 7, 6, 5, 3),
    }.items()
}
"""39.11(g)."""

PAIR_OF_ACES = "pair_of_aces"
ACE_FACE_SUITED = "ace_face_suited"
ACE_FACE_UNSUITED = "ace_face_unsuited"
OTHER_PAIR = "pair_2_to_K"
_POCKET_BONUS = (PAIR_OF_ACES, ACE_FACE_SUITED, ACE_FACE_UNSUITED, OTHER_PAIR)

POCKET_BONUS: Mapping[int, PayTable] = {
    number: dict(zip(_POCKET_BONUS, column, strict=True))
    for number, column in {
        1: (30, 20, 10, 5),
        2: (25, 20, 10, 5),
        3: (30, 20, 10, 4),
    }.items()
}
"""39.11(i)."""
