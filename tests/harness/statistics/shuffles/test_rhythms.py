"""Cards and time: what wanders, and what comes in every so many decks."""

import numpy as np
import pytest
from long_samples import decks_of, swapped_to, wanders

from feltrig.harness.statistics.shuffles import judged


def early_every_fourth(rng):
    """An ace comes early in every fourth deck, and in the others late as often as that takes."""
    decks = decks_of(rng)
    for time, deck in enumerate(decks):
        early = time % 4 == 1 or rng.random() < 1 / 3
        swapped_to(deck, 12, rng.integers(26) + 26 * (not early))
    return decks


@pytest.mark.parametrize("machine", [wanders, early_every_fourth])
def test_a_bad_machine_is_refused_by_its_rhythms(machine):
    decision = judged.fixed(machine(np.random.default_rng(3)))
    assert decision.refused
    assert decision.decided_by == "rhythms", [(o.name, o.p_value) for o in decision.outcomes if o.p_value < 1e-3]
