"""The whole search: what it finds, what it excludes, when it ends."""

import numpy as np
import pytest
from weak_machines import down, modulo, msvc

from feltrig.harness.predictability.battery import TooFew, search
from feltrig.harness.predictability.targets import deck_targets, row_targets


def fair(seed):
    rng = np.random.default_rng(seed)
    return list(deck_targets([tuple(map(int, rng.permutation(52))) for _ in range(3)]))


def quick(trial):
    """Searches of milliseconds."""
    return trial.weight < 1.2


def test_a_weak_machine_is_foretold_and_the_finding_says_how():
    below = modulo(msvc(20240817))
    told = []
    battery = search(
        list(deck_targets([down(below) for _ in range(3)])),
        60,
        on_search=lambda share, family: told.append((share, family)),
        only=lambda trial: trial.family == "MSVC rand" and trial.scaling == "modulo",
    )
    record = battery.as_json()
    assert record["foretold"]["generator"] == "MSVC rand"
    assert record["foretold"]["program"] == "Fisher-Yates down"
    assert record["foretold"]["foretold"] == record["foretold"]["dealt"]
    assert told[-1][1] == "MSVC rand"
    assert 0 < told[-1][0] < 1


def test_good_machines_are_not_foretold_and_what_was_searched_is_listed():
    for seed in range(3):
        battery = search(fair(seed), 60, only=quick)
        assert battery.foretold is None
        assert battery.whole
        assert battery.done == battery.of > 50
        assert {"family": "java.util.Random, seeded", "searched": "seeds 0 to 4095"}.items() <= (
            battery.as_json()["families"][0].items()
        )


def test_a_budget_that_is_used_up_leaves_searches_undone():
    battery = search(fair(1), 1e-9)
    assert battery.foretold is None
    assert not battery.whole
    assert battery.done == 0 < battery.of


def test_without_anything_to_keep_aside_there_is_no_search():
    with pytest.raises(TooFew):
        search(list(row_targets([[1]] * 60, 7)), 1)
    with pytest.raises(TooFew):
        search([], 1)
