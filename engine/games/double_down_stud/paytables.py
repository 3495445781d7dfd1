"""What Double Down Stud pays."""

from collections.abc import Mapping, Sequence

from feltrig.engine.cards import Card
from feltrig.engine.ranking.poker import Category, category, ranks, strength
from feltrig.engine.rulings import Illegal

Odds = Mapping[str, int]
"""What a table pays, to 1, by line; 0 is a push. A hand without a line loses."""

WAGER: Odds = {
    "royal_flush": 1000,
    "straight_flush": 100,
    "four_of_a_kind": 25,
    "full_house": 10,
    "flush": 8,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "pair_of_jacks_or_better": 1,
    "pair_of_sixes_to_tens": 0,
}
"""The least odds, to 1, that a licensee may post: 17.10(b)."""

PAYOUT_LIMIT = 100_000_00
"""The most, in cents, that one hand is paid: 17.10(c). No licensee chooses it."""

PAY_TABLES: Mapping[str, Mapping[str, Odds]] = {"wager": {"19:47-17.10(b)": WAGER}}
"""By bet and by table, what each line pays, to 1. A double down wager is paid by the same lines."""

_PAIRS = ((11, "pair_of_jacks_or_better"), (6, "pair_of_sixes_to_tens"))
"""From which rank up a pair has a line of its own: 17.9."""


def line(hand: Sequence[Card]) -> str:
    """The line of five cards, among those that pay or push and those that lose."""
    found = strength(hand)
    return line_of(category(found), ranks(found)[0])


def line_of(held: Category, highest: int) -> str:
    """The same for a category and its first deciding rank, 2 to 14."""
    if held is Category.PAIR:
        return next((name for lowest, name in _PAIRS if highest >= lowest), "pair_of_fives_or_less")
    return held.name.lower()


def check_odds(odds: Odds) -> None:
    """Refuse, as Illegal, posted odds that are below the least, or leave a line out."""
    for name, lowest in WAGER.items():
        if (paid := odds.get(name)) is None or paid < lowest:
            raise Illegal(f"{name} pays {paid}, the least is {lowest}", "19:47-17.10(b)")
