"""How often symbols come, and how long after they last came."""

from itertools import product

import numpy as np
import pytest
from every_stream import every

from feltrig.harness.statistics.streams import symbols
from feltrig.harness.statistics.streams.symbols import Symbols


@pytest.mark.parametrize(("k", "n"), [(3, 5), (6, 3), (7, 4)])
def test_the_different_symbols_of_a_hand_follow_their_law(k: int, n: int) -> None:
    kinds = [len(set(hand)) for hand in product(range(k), repeat=n)]
    assert symbols.different_law(n, k).tolist() == pytest.approx([kinds.count(i) / k**n for i in range(n + 1)])


def test_the_symbols_since_the_same_one_are_equally_likely_and_independent() -> None:
    ranks = [tuple(symbols.last_seen(stream).tolist()) for stream in every(3, 5)]
    assert len(set(ranks)) == 3**5


def test_good_streams_seldom_have_a_rhythm() -> None:
    rng = np.random.default_rng(2)
    p = np.array([symbols.rhythms([Symbols(rng.integers(0, 7, 2048), 7)]).p for _ in range(200)])
    assert np.mean(p <= 0.1) <= 0.15
    assert np.mean(p <= 0.01) <= 0.04
