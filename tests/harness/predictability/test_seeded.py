"""Generators with their seeding give what their libraries give."""

import random
from itertools import islice

import numpy as np
import pytest

from feltrig.harness.predictability.scalings import GETRANDBITS, LOW_BITS, MODULO
from feltrig.harness.predictability.seeded import SEEDED, seed_search
from feltrig.harness.predictability.targets import deck_targets
from feltrig.harness.predictability.whole_search import OutOfTime

ROWS = {row.name: row for row in SEEDED}


@pytest.mark.parametrize(
    ("name", "seed", "outputs"),
    [
        ("glibc rand TYPE_3, seeded", 1, [1804289383, 846930886, 1681692777, 1714636915]),
        ("glibc rand TYPE_3, seeded", 42, [71876166, 708592740, 1483128881]),
        ("java.util.Random, seeded", 42, [1562431130, 117392763]),
        ("PCG32, seeded", 42, [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]),
        ("xorshift128, seeded", 123456789, [3701687786, 458299110, 2500872618]),
        ("SplitMix64, high half, seeded", 1234567, [6457827717110365317 >> 32, 3203168211198807973 >> 32]),
        ("System.Random of .NET, seeded", 0, [1559595546, 1755192844, 1649316166]),
    ],
)
def test_a_library_begins_as_it_is_known_to(name, seed, outputs):
    assert list(islice(ROWS[name].following(seed), len(outputs))) == outputs


def test_mt19937_gives_the_ten_thousandth_number_of_the_standard():
    assert next(islice(ROWS["MT19937, seeded"].following(5489), 9999, None)) == 4123659995


def test_python_is_seeded_as_python_does():
    source = random.Random(2024)
    expected = [source.getrandbits(32) for _ in range(700)]
    assert list(islice(ROWS["Python random, seeded"].following(2024), 700)) == expected
    source = random.Random(2024)
    floats = [source.random() for _ in range(20)]
    outputs = islice(ROWS["Python random.random, seeded"].following(2024), 20)
    assert [output / (1 << 53) for output in outputs] == floats


@pytest.mark.parametrize("row", SEEDED, ids=lambda row: row.name)
def test_many_seeds_start_as_one_does(row):
    many = row.outputs(np.array([1, 5, 70000], dtype=np.uint64), 6)
    alone = row.outputs(np.array([70000], dtype=np.uint64), 6)
    assert np.array_equal(many[:, 2], alone[:, 0])
    assert int(many.max()) < row.span


def deck(shuffled):
    return next(deck_targets([tuple(map(int, shuffled))])).units[0]


def test_the_seed_of_a_library_s_own_shuffle_is_found():
    cards = list(range(52))
    random.Random(611).shuffle(cards)
    seeds = seed_search(ROWS["Python random, seeded"], GETRANDBITS, deck(cards), range(512, 700), lambda: True)
    assert list(seeds) == [611]
    shuffled = np.random.RandomState(611).permutation(52)
    seeds = seed_search(ROWS["MT19937, seeded"], LOW_BITS, deck(shuffled), range(512, 700), lambda: True)
    assert list(seeds) == [611]


def test_a_fair_deck_has_no_seed():
    shuffled = np.random.default_rng(1).permutation(52)
    row = ROWS["java.util.Random, seeded"]
    assert list(seed_search(row, MODULO, deck(shuffled), range(1 << 16), lambda: True)) == []


def test_it_ends_when_the_time_is_used_up():
    with pytest.raises(OutOfTime):
        next(seed_search(SEEDED[0], MODULO, deck(range(52)), range(9), lambda: False))
