"""A way to play is told by the choices that it makes."""

import pytest

from feltrig.engine.table.ways import Way


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (Way(), "defaults"),
        (Way({"deal": "manual_shoe"}, {"decks": 6}), "manual shoe, decks 6"),
        (Way({"machine_shuffle": False, "decks": ["red", "blue"]}), "no machine shuffle, decks red and blue"),
        (Way({"two_areas": True}), "two areas"),
        (Way({"two_areas": True}, title="both areas"), "both areas"),
    ],
)
def test_a_way_is_told_in_words(way: Way, words: str) -> None:
    assert str(way) == words
