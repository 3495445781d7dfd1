"""Passages that came before."""

import numpy as np

from feltrig.harness.statistics.streams.passages import SuffixAutomaton


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
