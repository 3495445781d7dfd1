"""What Three Card Poker pays beside even money on ante and play. The odds are fixed, neither least nor most."""

from collections.abc import Mapping

Odds = Mapping[str, int]
"""What a table pays, to 1, by category of the hand. A category without a line is not paid."""

PAIR_PLUS: Odds = {
    "pair": 1,
    "flush": 4,
    "straight": 6,
    "three_of_a_kind": 30,
    "straight_flush": 40,
}
"""20.11(a)2."""

ANTE_BONUS: Odds = {
    "straight": 1,
    "three_of_a_kind": 4,
    "straight_flush": 5,
}
"""20.11(a)3, on the ante."""

PAY_TABLES: Mapping[str, Mapping[str, Odds]] = {
    "pair_plus": {"19:47-20.11(a)2": PAIR_PLUS},
    "ante_bonus": {"19:47-20.11(a)3": ANTE_BONUS},
}
"""By bet and by table, what each line pays, to 1."""
