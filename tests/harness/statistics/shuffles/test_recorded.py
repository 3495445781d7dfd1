"""Recorded decks as shuffles."""

from itertools import permutations

import numpy as np
import pytest

from feltrig.harness.statistics.shuffles.recorded import NoShuffle, RecordedDecks, recorded, relative


def decks(after, before=None):
    return RecordedDecks(np.array(after), None if before is None else np.array(before))


def test_a_shuffle_is_relative_to_the_loaded_order():
    loaded = [[3, 1, 2, 0], [0, 1, 2, 3]]
    shuffles = recorded(decks([[1, 3, 0, 2], [1, 3, 0, 2]], loaded))
    assert shuffles.orders.tolist() == [[1, 0, 3, 2], [1, 3, 0, 2]]
    assert shuffles.outputs.tolist() == [[1, 3, 0, 2], [1, 3, 0, 2]]


def test_one_loaded_order_needs_no_second_view():
    shuffles = recorded(decks([[1, 3, 0, 2], [0, 1, 2, 3]], [[3, 2, 1, 0]] * 2))
    assert shuffles.orders.tolist() == [[2, 0, 3, 1], [3, 2, 1, 0]]
    assert shuffles.outputs is None


def test_decks_that_come_one_by_one_keep_the_view_they_are_told_to_have():
    new, other = decks([[1, 0, 2]], [[0, 1, 2]]), decks([[1, 0, 2]], [[2, 1, 0]])
    assert recorded(new).outputs is None
    assert recorded(other).outputs is not None
    assert recorded(new, by_faces=True).outputs.tolist() == [[1, 0, 2]]
    assert recorded(other, by_faces=False).outputs is None


def test_decks_that_do_not_say_were_loaded_in_new_deck_order_or_as_they_last_came_out():
    after = [[10, 30, 20], [30, 20, 10], [30, 20, 10]]
    assert recorded(decks(after)).orders.tolist() == [[0, 2, 1], [2, 1, 0], [2, 1, 0]]
    assert recorded(decks(after), loaded="previous").orders.tolist() == [[1, 2, 0], [0, 1, 2]]
    with pytest.raises(NoShuffle, match="only one deck"):
        recorded(decks(after[:1]), loaded="previous")


def test_the_faces_of_a_known_deck_are_known():
    assert set(recorded(decks([list(range(52))])).groups.groups) == {"colour", "suit", "rank"}
    assert recorded(decks([[0, 1, 2]])).groups is None
    assert "next face" in recorded(decks([list(range(52)) * 2])).groups.groups


def test_copies_of_a_face_are_told_apart_fairly():
    loaded = [7, 8, 7, 8]
    orders = np.array(list(permutations(range(4))))
    rows = np.tile(orders, (200, 1))
    seen = recorded(decks(np.array(loaded)[rows], np.tile(loaded, (len(rows), 1))), seed=3)
    assert (np.array(loaded)[seen.orders] == np.array(loaded)[rows]).all()
    counts = np.unique(seen.orders @ [64, 16, 4, 1], return_counts=True)[1]
    assert len(counts) == 24
    assert ((counts - 200) ** 2 / 200).sum() < 60
    assert "seed 3" in seen.note


def test_the_lot_depends_on_the_seed_and_on_the_number_of_the_shuffle_only():
    after = [[1, 1, 2, 2, 3, 3]] * 6
    whole = recorded(decks(after), seed=1).orders
    parts = [recorded(decks(after[at : at + 2]), seed=1, first=at).orders for at in (0, 2, 4)]
    assert np.concatenate(parts).tolist() == whole.tolist()
    assert len({tuple(row) for row in whole.tolist()}) > 1
    assert recorded(decks(after), seed=2).orders.tolist() != whole.tolist()


@pytest.mark.parametrize(
    ("after", "before", "message"),
    [
        ([[0, 1, 1]], None, "3c comes 2 times and 2c 1: expected every face equally often"),
        ([[0, 1, 2], [0, 1, 3]], None, "not all made of the same cards"),
        ([[0, 1, 2]], [[0, 1, 3]], "not all made of the same cards"),
    ],
)
def test_cards_that_do_not_make_a_deck_are_refused(after, before, message):
    with pytest.raises(NoShuffle, match=message):
        recorded(decks(after, before))


@pytest.mark.parametrize("n", [5, 52, 70, 300])
def test_rows_that_are_no_permutations_are_refused(n):
    good = np.tile(np.arange(n), (4, 1))
    assert len(relative(good)) == 4
    for bad in (n, -1, 0, n + 256):
        rows = good.copy()
        rows[2, 1] = bad
        with pytest.raises(NoShuffle, match="shuffle 3"):
            relative(rows)


def test_a_table_of_other_things_is_refused():
    for rows in (np.zeros(5, int), np.zeros((2, 52))):
        with pytest.raises(NoShuffle, match="expected a table of whole numbers"):
            relative(rows)
