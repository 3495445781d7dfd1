"""What Let It Ride pays: the three bets by odds, the bonus wager by fixed amounts."""

from collections.abc import Mapping, Sequence

from feltrig.engine.cards import Card
from feltrig.engine.ranking.poker import Category, category, ranks, strength
from feltrig.engine.rulings import Illegal

Odds = Mapping[str, int]
"""What a table pays, to 1, by line. A hand without a line loses."""

BETS: Odds = {
    "royal_flush": 1000,
    "straight_flush": 200,
    "four_of_a_kind": 50,
    "full_house": 11,
    "flush": 8,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "pair_of_tens_or_better": 1,
}
"""The least odds, to 1, that a licensee may post: 18.11(b)."""

BONUS: Mapping[str, int] = {
    "royal_flush": 25_000_00,
    "straight_flush": 2_500_00,
    "four_of_a_kind": 400_00,
    "full_house": 200_00,
    "flush": 50_00,
    "straight": 25_00,
    "three_of_a_kind": 5_00,
}
"""The least amounts, in cents, that a bonus wager is paid: 18.11(d)."""

BONUS_WAGER = 1_00
"""The bonus wager is one chip of one dollar: 18.6A(b)."""

LEAST_LIMIT = 50_000_00
"""The lowest limit, in cents, that a licensee may set on what one hand is paid: 18.11(c)."""

PAY_TABLES: Mapping[str, Mapping[str, Odds]] = {"bets": {"19:47-18.11(b)": BETS}}
"""By bet and by table, what each line pays, to 1."""

LEAST_PAIR = 10
"""The lowest rank of a pair that wins: 18.10(h)."""

AWARDS: Mapping[str, Mapping[str, Mapping[str, int]]] = {"bonus": {"19:47-18.11(d)": BONUS}}
"""By bet and by table, what each line awards, in cents, for BONUS_WAGER."""


def line(hand: Sequence[Card]) -> str:
    """The line of five cards, among the paying hands and those that no table lists."""
    found = strength(hand)
    return line_of(category(found), ranks(found)[0])


def line_of(held: Category, highest: int) -> str:
    """The same for a category and its first deciding rank, 2 to 14."""
    if held is Category.PAIR:
        return "pair_of_tens_or_better" if highest >= LEAST_PAIR else "pair_of_nines_or_less"
    return held.name.lower()


def check_odds(odds: Odds) -> None:
    """Refuse, as Illegal, posted odds of the bets that are below the least, or leave a line out."""
    _check(odds, BETS, "19:47-18.11(b)")


def _check(posted: Mapping[str, int], least: Mapping[str, int], rule: str) -> None:
    for name, lowest in least.items():
        if (paid := posted.get(name)) is None or paid < lowest:
            raise Illegal(f"{name} pays {paid}, the least is {lowest}", rule)
