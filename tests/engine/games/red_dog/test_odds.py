"""The odds of Red Dog: published figures."""

import pytest
from house_edges import edges

from feltrig.engine.games.red_dog import odds as red_dog


@pytest.mark.parametrize(("decks", "edge"), [(1, "3.1554%"), (2, "3.0766%"), (4, "2.8838%"), (8, "2.7509%")])
def test_red_dog(decks: int, edge: str) -> None:
    wager = red_dog.wager(decks)
    assert list(edges([wager]).values()) == [edge]
    assert wager.total == 52 * decks * (52 * decks - 1) * (52 * decks - 2)
    assert red_dog.raises(decks) == {7, 8, 9, 10, 11}
    assert wager.table == ("1 deck" if decks == 1 else f"{decks} decks")


def test_the_numbers_of_decks_of_red_dog() -> None:
    shoes = {f"{decks} decks": 52 * decks for decks in (2, 4, 6, 8)}
    ways = {table: cards * (cards - 1) * (cards - 2) for table, cards in {"1 deck": 52, **shoes}.items()}
    assert {wager.table: wager.total for wager in red_dog.wagers()} == ways
