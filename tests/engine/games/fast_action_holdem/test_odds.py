"""The odds of naturals and hands of Fast Action Hold'em."""

from math import comb

from house_edges import Watched

from feltrig.engine.games.fast_action_holdem import odds as fast_action_holdem


def test_fast_action_holdem() -> None:
    eight, six = fast_action_holdem.naturals()
    assert [eight.table, six.table] == ["8 decks", "6 decks"]
    assert six.outcomes["natural"] == 13 * 10_626
    assert (six.total, eight.total) == (comb(312, 4), comb(416, 4))
    watched = Watched()
    ranks, _ = fast_action_holdem.five_cards(watched)
    assert watched.goes_from_nothing_to_the_last("shoes", 2)
    assert len(ranks.outcomes) == 17
    assert ranks.outcomes["flush_with_five_of_a_kind"] == 52 * 56
