"""Three Card Poker: what the pair plus wager and the ante bonus pay."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from feltrig.engine.cards import deck
from feltrig.engine.games import GAMES
from feltrig.engine.games.three_card_poker.paytables import ANTE_BONUS, PAIR_PLUS, PAY_TABLES
from feltrig.engine.games.three_card_poker.settlement import qualifies
from feltrig.engine.ranking.three_card import ThreeCard, category, strength

GAME = "three_card_poker"


@pytest.mark.clause(GAME, "19:47-20.11(a)2")
def test_20_11_a_2_the_pair_plus_ledger() -> None:
    assert list(PAIR_PLUS.items()) == [
        ("pair", 1),
        ("flush", 4),
        ("straight", 6),
        ("three_of_a_kind", 30),
        ("straight_flush", 40),
    ]


@pytest.mark.clause(GAME, "19:47-20.11(a)3")
def test_20_11_a_3_the_ante_bonus() -> None:
    assert list(ANTE_BONUS.items()) == [("straight", 1), ("three_of_a_kind", 4), ("straight_flush", 5)]


def test_the_tables_are_enumerable_by_name() -> None:
    assert [(bet, list(tables.items())) for bet, tables in PAY_TABLES.items()] == [
        ("pair_plus", [("19:47-20.11(a)2", PAIR_PLUS)]),
        ("ante_bonus", [("19:47-20.11(a)3", ANTE_BONUS)]),
    ]
    names = {held.name.lower() for held in ThreeCard}
    for tables in PAY_TABLES.values():
        for key, odds in tables.items():
            assert key in GAMES[GAME].clauses
            assert names.issuperset(odds)


@pytest.mark.clause(GAME, "19:47-20.11(a)1", "19:47-20.11(a)2")
def test_20_11_all_hands_of_three_cards_give_the_published_edge_and_share_of_dealers_who_play() -> None:
    hands = list(combinations(deck(), 3))
    found = Counter(category(strength(hand)).name.lower() for hand in hands)
    net = sum(count * PAIR_PLUS.get(held, -1) for held, count in found.items())
    assert Fraction(net, len(hands)) == Fraction(-512, 22_100)
    assert sum(map(qualifies, hands)) == 22_100 - 6_720
