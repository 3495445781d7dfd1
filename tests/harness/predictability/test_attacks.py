"""Each way to find a state foretells the machine for which it is made."""

import random
from functools import partial

import numpy as np
import pytest
from weak_machines import congruential, down, java, minstd, modulo, msvc, multiplied, next_int, up

from feltrig.harness.predictability import attacks
from feltrig.harness.predictability.generators import CONGRUENCES, LONG_CONGRUENCES
from feltrig.harness.predictability.linear import LINEAR
from feltrig.harness.predictability.scalings import GETRANDBITS, JAVA, MODULO, MULTIPLIED
from feltrig.harness.predictability.seeded import SEEDED
from feltrig.harness.predictability.targets import deck_targets, row_targets

CONGRUENCE = {row.name: row for row in (*CONGRUENCES, *LONG_CONGRUENCES)}
SEED = {row.name: row for row in SEEDED}


def decks(below, deal=down, count=3):
    return [deal(below) for _ in range(count)]


def target(orders, program="Fisher-Yates down"):
    return next(target for target in deck_targets(orders) if target.program == program)


def go():
    return True


MSVC = partial(attacks.all_states, CONGRUENCE["MSVC rand"].generator(), MODULO)


def test_all_states_find_a_generator_that_runs_on_and_one_that_is_seeded_anew():
    assert MSVC(target(decks(modulo(msvc(20240817)))), go).how == "runs on"
    anew = [down(modulo(msvc(seed))) for seed in (1700000000, 1700000031, 1700000067)]
    assert "starts anew for each, from any state" in MSVC(target(anew), go).how


def test_low_bits_find_java():
    found = attacks.low_bits(LONG_CONGRUENCES[0], JAVA, target(decks(next_int(java(987654321987)))), go)
    assert found.foretold == found.dealt


def test_the_lattice_finds_sizes_of_any_congruence_and_any_increment():
    orders = decks(multiplied(minstd(55555), 2**31 - 1), up)
    assert attacks.lattice(CONGRUENCE["MINSTD 16807"], 0, MULTIPLIED, target(orders, "Fisher-Yates up"), go) is not None
    outputs = congruential(6364136223846793005, 99999, 1 << 64, 0xDEADBEEFCAFEF00D, 32)
    found = attacks.lattice(CONGRUENCE["MMIX"], None, MULTIPLIED, target(decks(multiplied(outputs))), go)
    assert found.foretold == found.dealt


def test_all_seeds_find_a_seeded_library():
    source, orders = random.Random(77), []
    for _ in range(3):
        orders.append(list(range(52)))
        source.shuffle(orders[-1])
    found = attacks.all_seeds(
        SEED["Python random, seeded"], GETRANDBITS, range(100), target(list(map(tuple, orders))), go
    )
    assert found.state == "seed 77"


def test_linear_algebra_finds_any_state_of_xorshift128():
    linear = next(linear for linear in LINEAR if linear.name == "xorshift128")
    outputs = linear.outputs([3, 1 << 30, 77, 123456789])
    found = attacks.linear_algebra(linear, MULTIPLIED, target(decks(multiplied(outputs), count=6)), go)
    assert found.foretold == found.dealt


def test_numbers_and_dice_are_foretold_24_at_a_time():
    below = modulo(java(987987987))
    rolls = [[below(6) + 1 for _ in range(3)] for _ in range(40)]
    found = attacks.low_bits(LONG_CONGRUENCES[0], MODULO, next(row_targets(rolls, 6)), go)
    assert len(found.foretold) == 24
    below = multiplied(congruential(0x5DEECE66D, 11, 1 << 48, 5550123), 1 << 48)
    numbers = [[below(7) + 1] for _ in range(120)]
    found = attacks.lattice(LONG_CONGRUENCES[0], 11, MULTIPLIED, next(row_targets(numbers, 7)), go)
    assert list(found.dealt) == [number for [number] in numbers[-24:]]


@pytest.mark.parametrize("attack", [MSVC, partial(attacks.lattice, CONGRUENCE["MMIX"], None, MULTIPLIED)])
def test_a_good_machine_is_never_foretold(attack):
    rng = np.random.default_rng(6)
    orders = [tuple(map(int, rng.permutation(52))) for _ in range(3)]
    assert attack(target(orders), go) is None
