"""The odds of Minibaccarat: published figures."""

from collections import Counter

import pytest
from house_edges import edges

from feltrig.engine.games.minibaccarat import odds as minibaccarat


def test_the_numbers_of_decks_of_minibaccarat() -> None:
    assert minibaccarat.DECKS == (6, 8)


def test_minibaccarat_by_number_of_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    def results(decks: int) -> Counter[minibaccarat.Result]:
        return Counter(dict.fromkeys(minibaccarat.Result, decks))

    monkeypatch.setattr(minibaccarat, "results", results)
    found = [(wager.bet, wager.table, wager.total) for wager in minibaccarat.wagers()]
    assert found == [(on.value, f"{decks} decks", 3 * decks) for decks in (6, 8) for on in minibaccarat.Result]


def test_minibaccarat() -> None:
    six, eight = minibaccarat.results(6), minibaccarat.results(8)
    assert {result.value: ways for result, ways in eight.items()} == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }
    found = edges(
        minibaccarat.wager(on, counts, decks) for decks, counts in ((6, six), (8, eight)) for on in minibaccarat.Result
    )
    assert list(found.values()) == ["1.2374%", "1.0558%", "14.4382%", "1.2351%", "1.0579%", "14.3596%"]
