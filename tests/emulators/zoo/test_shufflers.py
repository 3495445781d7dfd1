"""Shufflers of the zoo do what their words say."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from zoo_machines import DECK, many, share

from feltrig.emulators.zoo import shufflers
from feltrig.emulators.zoo.catalogue import ZOO, build

SHUFFLERS = [known.name for known in ZOO["shuffler"].values() if known.build is not None]


@pytest.mark.parametrize("name", SHUFFLERS)
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_a_shuffler_takes_any_number_of_cards_and_leaves_the_list_it_was_given(name, size):
    machine, cards = build(name, "shuffler"), list(range(size))
    assert sorted(machine(cards, random.Random(1))) == cards == list(range(size))


def rising(order):
    """Rising sequences of a deck."""
    place = {card: at for at, card in enumerate(order)}
    return 1 + sum(place[card + 1] < place[card] for card in range(len(order) - 1))


@pytest.mark.parametrize("times", [1, 2, 4])
def test_riffles_leave_at_most_two_to_their_number_of_rising_sequences(times):
    rng = random.Random(1)
    assert max(rising(shufflers.riffled(DECK, rng, times)) for _ in range(50)) <= 2**times


def test_one_shelf_makes_a_valley():
    """The cards above and below the first form one falling and one rising run."""
    out = shufflers.shelved(DECK, random.Random(1), 1)
    turns = sum((b - a) * (c - b) < 0 for a, b, c in zip(out, out[1:], out[2:], strict=False))
    assert turns == 1


def test_overhand_keeps_packets_in_their_order():
    out = shufflers.overhand(DECK, random.Random(1), 1)
    followed = sum(b == a + 1 for a, b in pairwise(out))
    assert followed > 30
    assert out[-1] == max(card for card in range(52) if out[-1 - card :] == list(range(card + 1)))


def cycles(order):
    left, found = set(range(len(order))), 0
    while left:
        at, found = left.pop(), found + 1
        while (at := order[at]) in left:
            left.remove(at)
    return found


def test_sattolo_makes_one_cycle_and_a_good_program_more():
    assert {cycles(out) for out in many("shuffler", "sattolo", 50)} == {1}
    assert len({cycles(out) for out in many("shuffler", "good", 50)}) > 2


def test_the_naive_swap_reaches_every_order_of_three_but_not_evenly():
    rng = random.Random(1)
    counts = Counter(tuple(shufflers.swapped([0, 1, 2], rng, shufflers.naive)) for _ in range(9000))
    assert len(counts) == 6
    assert max(counts.values()) > 1.15 * min(counts.values())


def test_a_card_stays_as_often_as_said():
    assert share("shuffler", "bottom-stays", 50, lambda out: out[-1] == 51) == 1
    assert share("shuffler", "top-stays-20", 2000, lambda out: out[0] == 0) == pytest.approx(0.2 + 0.8 / 52, abs=0.04)


def test_two_cards_stick_as_often_as_said():
    def stuck(out):
        return out.index(18) == out.index(17) + 1

    assert share("shuffler", "sticky-50", 2000, stuck) == pytest.approx(0.5 + 0.5 / 52, abs=0.05)


def test_glue_holds_as_many_neighbours_as_said():
    out = many("shuffler", "glued-10", 300)
    kept = sum(b == a + 1 for deck in out for a, b in pairwise(deck)) / 300
    assert kept == pytest.approx(5.1 + 46 / 52, abs=0.8)


def test_ten_bits_make_1024_shuffles():
    assert len({tuple(out) for out in many("shuffler", "seed-10-bit", 6000)}) == pytest.approx(1024, abs=8)


def test_a_repeating_shuffler_gives_out_its_last_deck_but_never_foreign_cards():
    machine, rng = shufflers.RepeatingDeck(1.0), random.Random(1)
    first = machine(list(DECK), rng)
    assert machine(list(DECK), rng) == first
    assert sorted(machine(DECK[:5], rng)) == DECK[:5]


def test_a_continuing_shuffler_forgets_how_it_was_loaded():
    machine, rng = shufflers.Continuing(1), random.Random(1)
    first = machine(list(DECK), rng)
    place = {card: at for at, card in enumerate(first)}
    assert rising([place[card] for card in machine(DECK[::-1], rng)]) <= 2
