"""Offers that go around the table."""

from feltrig.engine.table.rotation import Rotation, around


def test_seats_are_counted_up_from_the_first_one_that_is_taken():
    assert around({5, 1, 3}, first=2) == (3, 5, 1)
    assert Rotation().order((5, 1, 3)) == (1, 3, 5)


def test_the_first_offer_passes_on_and_returns_to_the_dealers_far_right():
    offer = Rotation()
    firsts = []
    for _ in range(4):
        order = offer.order((2, 4, 6))
        firsts.append(order[0])
        offer.pass_on(order[0])
    assert firsts == [2, 4, 6, 2]


def test_a_new_start_begins_at_the_far_right():
    offer = Rotation()
    offer.pass_on(4)
    offer.restart()
    assert offer.order((1, 5)) == (1, 5)
