"""Linear rules: their complexity, its law, and the fields that they are looked for in."""

from itertools import product

import numpy as np
import pytest
from every_stream import assert_exact

from feltrig.harness.statistics.streams import recurrence


@pytest.mark.parametrize(("q", "n"), [(2, 10), (3, 6), (7, 3)])
def test_linear_complexity_follows_its_law(q: int, n: int) -> None:
    found = recurrence.complexities(np.array(list(product(range(q), repeat=n))), q)
    assert_exact(found.tolist(), lambda value: recurrence.complexity_law(n, q, value), upper=False)


def test_few_symbols_in_a_larger_field_have_a_bound() -> None:
    found = recurrence.complexities(np.array(list(product(range(4), repeat=5))), 5)
    for value in range(6):
        assert np.mean(found <= value) <= recurrence.complexity_law(5, 5, value, k=4) + 1e-12


@pytest.mark.parametrize(("k", "primes"), [(2, (2,)), (6, (2, 3, 7)), (7, (7,)), (8, (2, 11)), (216, (2, 3, 223))])
def test_the_fields_of_k_symbols(k: int, primes: tuple[int, ...]) -> None:
    assert recurrence.fields(k) == primes


def test_a_linear_rule_found_draw_by_draw_is_the_shortest() -> None:
    rng = np.random.default_rng(2)
    for q in (2, 3, 7):
        rows = rng.integers(0, q, (12, 40))
        rows[0], rows[1, :-1] = 0, 0
        for row, complexity in zip(rows, recurrence.complexities(rows, q), strict=True):
            rule = recurrence.LinearRule(q, 100)
            for residue in row.tolist():
                rule.append(residue)
            assert rule.complexity == complexity
