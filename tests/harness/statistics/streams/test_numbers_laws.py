"""The laws behind the tests of symbol streams, against all sequences of a few draws."""

from collections.abc import Callable, Iterator
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from feltrig.harness.statistics.core import tails
from feltrig.harness.statistics.core.p_values import FixedResult
from feltrig.harness.statistics.streams import chi_square, lags, passages, recurrence, runs, symbols
from feltrig.harness.statistics.streams.passages import SuffixAutomaton
from feltrig.harness.statistics.streams.symbols import Symbols

Ints = NDArray[np.int64]


def every(k: int, n: int) -> Iterator[Symbols]:
    """All sequences of n draws of k symbols, equally likely by chance."""
    for drawn in product(range(k), repeat=n):
        yield Symbols(np.array(drawn), k)


def assert_exact(statistics: list[int], p_of: Callable[[int], float], upper: bool) -> None:
    """The p-value of each value is the share of sequences at least as extreme."""
    values = np.array(statistics)
    for value in sorted(set(statistics)):
        share = np.mean(values >= value) if upper else np.mean(values <= value)
        assert p_of(value) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(("k", "n"), [(2, 9), (3, 7), (7, 4)])
def test_the_tails_of_a_chi_square_are_those_of_all_sequences(k: int, n: int) -> None:
    rows = np.array([stream.counts for stream in every(k, n)])
    seen = chi_square.pairs(rows)
    for tail, compare in ((chi_square.uneven, np.greater_equal), (chi_square.even, np.less_equal)):
        for row, value, p in zip(rows, seen, tail(rows), strict=True):
            if p < chi_square.SMALL:
                assert p == pytest.approx(np.mean(compare(seen, value)), abs=1e-9), row


def test_above_the_exact_law_pearson_takes_over_without_a_step() -> None:
    drawn = np.random.default_rng(1).multinomial(chi_square.EXACT, np.full(7, 1 / 7), 1000)
    exact = chi_square.uneven(drawn)
    moments = chi_square._moments(drawn.sum(axis=1), 7)
    near = tails.pearson_above(chi_square.pairs(drawn) - 0.5, *moments)
    telling = (exact > 1e-3) & (exact < chi_square.SMALL)
    assert telling.sum() >= 15
    assert np.allclose(near[telling], exact[telling], rtol=0.07)


def test_the_chi_square_is_the_one_of_the_books() -> None:
    counts = np.array([3, 5, 9, 1, 0, 7, 3])
    expected = counts.sum() / 7
    assert chi_square.chi_square(counts) == pytest.approx(((counts - expected) ** 2 / expected).sum())


@pytest.mark.parametrize(("k", "n"), [(2, 10), (3, 7), (4, 6)])
def test_turning_points_of_symbols_follow_their_law(k: int, n: int) -> None:
    law = np.zeros(n + 1)
    for stream in every(k, n):
        steps = np.sign(np.diff(stream.x))
        law[int((steps[1:] * steps[:-1] < 0).sum())] += k**-n
    assert np.allclose(runs._turning_law(n, k), law)


def test_the_moments_of_turning_points_grow_with_the_sample() -> None:
    for n in (20, 60):
        assert runs._cumulants(n, 7) == pytest.approx(runs._cumulants_of(runs._turning_law(n, 7)))


def test_runs_of_low_and_high_follow_wald_and_wolfowitz() -> None:
    low, high = 4, 5
    seen = [
        1 + sum(a != b for a, b in pairwise(order))
        for order in product((0, 1), repeat=low + high)
        if sum(order) == high
    ]
    for value in range(2, low + high + 1):
        below, above = np.mean(np.array(seen) <= value), np.mean(np.array(seen) >= value)
        assert runs.runs_law(low, high, value) == pytest.approx(min(1, 2 * min(below, above)))


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


@pytest.mark.parametrize(("k", "n"), [(2, 8), (3, 5)])
def test_no_p_value_is_smaller_than_the_share_of_sequences_that_have_it(k: int, n: int) -> None:
    tests: dict[str, Callable[[list[Symbols]], FixedResult]] = {
        "repeated": passages.repeated,
        "loops": passages.loops,
        "agreement": lags.agreement,
        "matches": lags.matches,
        "neighbours": lags.neighbours,
        "recency": symbols.recency,
        "worst symbol": symbols.worst_symbol,
        "poker": symbols.poker,
    }
    found = {name: np.array([test([stream]).p for stream in every(k, n)]) for name, test in tests.items()}
    for name, p in found.items():
        # Where nothing is amiss, a p-value need not be exact.
        for level in np.unique(p[p < chi_square.SMALL]):
            assert np.mean(p <= level) <= level + 1e-9, (name, level)


@pytest.mark.parametrize(("k", "n"), [(3, 5), (6, 3), (7, 4)])
def test_the_different_symbols_of_a_hand_follow_their_law(k: int, n: int) -> None:
    kinds = [len(set(hand)) for hand in product(range(k), repeat=n)]
    assert symbols.different_law(n, k).tolist() == pytest.approx([kinds.count(i) / k**n for i in range(n + 1)])


def test_repeats_at_once_are_binomial() -> None:
    counts = [int((stream.x[1:] == stream.x[:-1]).sum()) for stream in every(3, 7)]
    assert_exact(counts, lambda count: float(tails.binomial_above(6, 1 / 3, count)), upper=True)


def test_the_symbols_since_the_same_one_are_equally_likely_and_independent() -> None:
    ranks = [tuple(symbols.last_seen(stream).tolist()) for stream in every(3, 5)]
    assert len(set(ranks)) == 3**5


def test_sums_of_three_draws_are_equally_likely() -> None:
    total = sum(lags._counts(stream, (1, 3), (-1, 1)) for stream in every(3, 6))
    assert np.array_equal(total, np.full(3, 3 * 3**5))


def test_agreement_by_transforms_is_agreement() -> None:
    for k in (2, 6, 7):
        x = np.random.default_rng(k).integers(0, k, 50)
        assert lags.agreements(x, k).tolist() == [int((x[lag:] == x[: 50 - lag]).sum()) for lag in range(50)]


def test_the_memory_knows_the_longest_passage_that_came_before() -> None:
    drawn = np.random.default_rng(3).integers(0, 3, 120).tolist()
    memory = SuffixAutomaton()
    for end, symbol in enumerate(drawn, 1):
        memory.append(symbol)
        longest = next(
            length
            for length in range(end - 1, -1, -1)
            if any(drawn[at : at + length] == drawn[end - length : end] for at in range(end - length))
        )
        assert memory.length == longest
        if longest:
            assert drawn[memory.end + 1 - longest : memory.end + 1] == drawn[end - longest : end]
