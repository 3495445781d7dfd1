"""The machines of the zoo do what their words say, and each built one has a memory of its own."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.faults import WIRE
from feltrig.emulators.zoo import dice, displays, shufflers
from feltrig.emulators.zoo.catalogue import ZOO, build

DECK = list(range(52))
MECHANICS = [(kind, s.name) for kind, known in ZOO.items() for s in known.values() if s.build is not None]


def draw(kind, machine, rng):
    return machine(list(DECK), rng) if kind == "shuffler" else machine(rng)


def many(kind, name, count, seed=1):
    machine, rng = build(name, kind), random.Random(seed)
    return [draw(kind, machine, rng) for _ in range(count)]


@pytest.mark.parametrize(("kind", "name"), MECHANICS)
def test_every_machine_gives_what_a_machine_of_its_kind_can_give(kind, name):
    for seen in many(kind, name, 30):
        match kind:
            case "shuffler":
                assert sorted(seen) == DECK
            case "rng":
                assert seen in range(1, 8)
            case "shaker":
                assert len(seen) == 3
                assert set(seen) <= set(range(1, 7))


@pytest.mark.parametrize(("kind", "name"), MECHANICS)
def test_the_same_seed_gives_the_same_again_and_another_does_not(kind, name):
    assert many(kind, name, 40) == many(kind, name, 40)
    assert many(kind, name, 40) != many(kind, name, 40, seed=2)


@pytest.mark.parametrize("name", [name for kind, name in MECHANICS if kind == "shuffler"])
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


def share(kind, name, count, holds):
    return sum(map(holds, many(kind, name, count))) / count


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


@pytest.mark.parametrize(("name", "due"), [("favours-50", 1.5 / 7), ("favours-20", 1.2 / 7), ("mod-16", 3 / 16)])
def test_a_favoured_number_comes_as_often_as_said(name, due):
    assert share("rng", name, 20000, lambda number: number == 1) == pytest.approx(due, abs=0.01)


def test_a_period_comes_round():
    seen = many("rng", "period-50", 150)
    assert seen[:50] == seen[50:100] == seen[100:]
    assert len(set(seen)) == 7


def repeats(seen):
    return sum(a == b for a, b in pairwise(seen)) / (len(seen) - 1)


@pytest.mark.parametrize(
    ("name", "due"),
    [("sticky-30", 0.3 + 0.7 / 7), ("sticky-5", 0.05 + 0.95 / 7), ("never-repeats", 0), ("good", 1 / 7)],
)
def test_numbers_repeat_as_often_as_said(name, due):
    assert repeats(many("rng", name, 20000)) == pytest.approx(due, abs=0.01)


def test_a_recurrent_display_follows_its_rule():
    machine, rng = displays.Recurrent(2), random.Random(1)
    seen = [machine(rng) - 1 for _ in range(40)]
    rules = [
        (a, b)
        for a in range(7)
        for b in range(7)
        if all((a * x + b * y) % 7 == z for x, y, z in zip(seen, seen[1:], seen[2:], strict=False))
    ]
    assert len(rules) == 1


def test_few_seeds_give_few_stretches():
    seen = many("rng", "seeds-60", 6000)
    assert len({tuple(seen[at : at + 10]) for at in range(0, 6000, 10)}) <= 60


@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("loaded-one-50", (0.25, 1 / 6)),
        ("loaded-all-20", (0.2, 0.2)),
        ("missing-face", (0, 1 / 6)),
        ("good", (1 / 6,) * 2),
    ],
)
def test_sixes_come_as_often_as_said(name, due):
    seen = many("shaker", name, 20000)
    assert sum(roll[0] == 6 for roll in seen) / 20000 == pytest.approx(due[0], abs=0.012)
    assert sum(roll[2] == 6 for roll in seen) / 20000 == pytest.approx(due[1], abs=0.012)


def test_one_draw_makes_every_roll():
    assert len(set(many("shaker", "good-one-draw", 4000))) == 216


def test_dice_copy_keep_and_repeat_as_often_as_said():
    assert share("shaker", "copies-20", 10000, lambda roll: roll[0] == roll[1]) == pytest.approx(1 / 3, abs=0.02)
    kept = many("shaker", "keeps-20", 10000)
    assert repeats([roll[2] for roll in kept]) == pytest.approx(0.2 + 0.8 / 6, abs=0.02)
    assert repeats(many("shaker", "repeats-10", 10000)) == pytest.approx(0.1 + 0.9 / 216, abs=0.015)


@pytest.mark.parametrize("machine", [dice.Keeping(1.0), dice.RepeatingRoll(1.0), displays.Sticky(1.0)])
def test_what_always_stays_stays(machine):
    rng = random.Random(1)
    assert len({machine(rng) for _ in range(20)}) == 1


def test_two_devices_share_no_memory():
    one, other = build("repeats-5", "shuffler"), build("repeats-5", "shuffler")
    assert one is not other
    assert build("period-50", "rng") is not build("period-50", "rng")


def test_an_unknown_name_or_one_of_another_kind_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"zoo:riffles-4: no such rng in the zoo; there are good, good-bits"):
        build("riffles-4", "rng")
    with pytest.raises(ValueError, match="zoo:jam: no such shoe in the zoo; there are none"):
        build("jam", "shoe")


@pytest.mark.parametrize("kind", ZOO)
def test_every_fault_of_the_catalogue_is_there_but_those_that_no_plan_can_see(kind):
    shown = {s.fault.what for s in ZOO[kind].values() if s.fault is not None}
    unobservable = {what for what, sort in MODELS[kind].faults.items() if sort.unobservable}
    assert set(MODELS[kind].faults) - shown == unobservable | set(WIRE)
    assert unobservable <= {"few_shakes_unreported"}
    assert any(s.good for s in ZOO[kind].values())
