"""The strength of one hand, looked up."""

from itertools import combinations

import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.ranking import pai_gow_poker, poker
from feltrig.engine.ranking.lookup import strength


def test_the_best_hand_among_seven_cards_is_found() -> None:
    cards = parse_all(["Kd", "Kc", "9h", "9s", "5s", "5d", "Ac"])
    assert strength(poker.RANKING, cards) == max(strength(poker.RANKING, five) for five in combinations(cards, 5))


@pytest.mark.parametrize("count", [0, 4, 8])
def test_a_hand_of_another_size_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="expected 5 to 7 cards"):
        strength(poker.RANKING, range(count))


def test_a_joker_is_for_games_that_have_one() -> None:
    hand = parse_all(["As", "Ad", "Ah", "Ac", "X1"])
    assert strength(pai_gow_poker.ranking(), hand) > strength(pai_gow_poker.ranking(), (*hand[:4], 0))
    with pytest.raises(ValueError, match="1 jokers, expected at most 0"):
        strength(poker.RANKING, hand)
