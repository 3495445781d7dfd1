"""The odds of Three Card Poker: published figures."""

from fractions import Fraction
from itertools import combinations

from house_edges import Watched

from feltrig.engine.cards import deck
from feltrig.engine.games.three_card_poker import odds as three_card_poker
from feltrig.engine.ranking.shape import packed
from feltrig.engine.ranking.three_card import strength


def test_three_card_poker() -> None:
    watched = Watched()
    pair_plus, contest = three_card_poker.wagers(watched)
    assert watched.goes_from_nothing_to_the_last("hands of the player", 1755)
    assert pair_plus.house_edge == Fraction(128, 5525)
    assert contest.total == 22_100 * 18_424
    assert contest.returned == Fraction(19_671_831, 20_358_520)
    below = sum(strength(hand) < packed(0, (12, 6, 4)) for hand in combinations(deck(), 3))
    assert contest.outcomes["fold"] == below * 18_424, "fold below queen-six-four"
