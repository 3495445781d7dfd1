"""What the cards of a deck look like."""

import numpy as np

from feltrig.harness.statistics.shuffles.deck import faces_of
from feltrig.harness.statistics.shuffles.measured import measure


def test_faces_are_grouped_and_jokers_belong_to_none():
    groups = faces_of((0, 13, 26, 39, 52, 53)).groups
    assert groups["colour"][:4] == (0, 1, 1, 0)
    assert len(set(groups["suit"])) == 6
    assert len(set(groups["rank"])) == 3
    assert "next face" not in groups


def test_copies_of_faces_are_numbered_as_they_were_loaded():
    several = faces_of((5, 9, 2) * 2)
    assert several.groups["next face"] == (0, 1, 2, 0, 1, 2)
    decks = np.array([[0, 4, 2, 1, 3, 5]])
    assert measure(decks, groups=several).values["next face"].tolist() == [2]
