"""The tables of a sample: places, neighbours and order are counted."""

import numpy as np
from calibrate import tabulate
from fair_decks import fair

from feltrig.harness.statistics.shuffles import measured


def test_the_tables_count_places_neighbours_and_order(monkeypatch):
    decks = fair(70, 9)
    tables = tabulate(decks)
    for card in range(9):
        for other in range(9):
            assert tables.position[card, other] == (decks[:, card] == other).sum()
            follows = ((decks[:, :-1] == card) & (decks[:, 1:] == other)).sum()
            assert tables.successor[card, other] == follows
            if card < other:
                first = np.argmax(decks == card, axis=1) < np.argmax(decks == other, axis=1)
                assert tables.before[card, other] == first.sum()
    monkeypatch.setattr(measured, "FEW", 1000)
    assert (tabulate(decks).before == tables.before).all()
