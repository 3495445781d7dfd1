"""When faults strike: by number, by time, by event, by chance, and how often."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.models import MODELS
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.triggers import Triggers


def strikes(kind: str, *faults: Fault, seed: int = 1, now: float = 0.0) -> Triggers:
    made = Triggers(kind, MODELS[kind].faults, lambda purpose: random.Random(f"{seed} {purpose}"))
    for fault in faults:
        made.add(fault, now)
    return made


def struck(made: Triggers, operation: str, many: int, now: float = 0.0, event: int = 1) -> list[int]:
    """Which of so many operations are struck by anything, counted from 1."""
    return [number for number in range(1, many + 1) if made.next(operation, now, event)]


@given(at=st.integers(1, 20), times=st.integers(0, 20), every=st.integers(1, 5))
def test_a_fault_strikes_as_often_as_it_says(at: int, times: int, every: int) -> None:
    expected = list(range(at, 61, every))[: times or None]
    assert struck(strikes("shuffler", Fault("jam", at, times, every)), "shuffle", 60) == expected


def test_operations_are_counted_each_for_itself() -> None:
    faults = [Fault("lid_lifted", at=2), Fault("few_shakes", at=2, times=2), Fault("cocked_die")]
    made = strikes("shaker", *faults)
    assert set(made.next("shake", 0.0, 1)) == set()
    assert made.next("uncover", 0.0, 1) == {"cocked_die": faults[2]}
    assert set(made.next("shake", 0.0, 1)) == {"lid_lifted", "few_shakes"}
    assert set(made.next("shake", 0.0, 1)) == {"few_shakes"}
    assert set(made.next("shake", 0.0, 1)) == set()


def test_a_fault_added_later_counts_from_then() -> None:
    made = strikes("shuffler")
    assert struck(made, "shuffle", 5) == []
    assert made.add(Fault("jam", at=2), 0.0) == "shuffle"
    assert struck(made, "shuffle", 3) == [2]
    with pytest.raises(ValueError, match="fault 'stuck': a shuffler has only"):
        made.add(Fault("stuck"), 0.0)


def test_operations_before_the_time_do_not_count() -> None:
    made = strikes("shuffler", Fault("jam", at=2, after=10.0), now=100.0)
    assert struck(made, "shuffle", 9, now=109.9) == []
    assert struck(made, "shuffle", 9, now=110.0) == [2]


def test_operations_before_the_event_is_due_do_not_count() -> None:
    made = strikes("shuffler", Fault("jam", event=7, times=2))
    assert struck(made, "shuffle", 9, event=6) == []
    assert struck(made, "shuffle", 9, event=8) == [1, 2]


def test_every_condition_must_hold() -> None:
    made = strikes("shuffler", Fault("jam", after=5.0, event=4, every=2, times=3))
    assert struck(made, "shuffle", 9, now=9.0, event=3) == []
    assert struck(made, "shuffle", 9, now=4.0, event=9) == []
    assert struck(made, "shuffle", 9, now=9.0, event=9) == [1, 3, 5]


def test_chance_is_the_devices_own_and_replays() -> None:
    fault = Fault("jam", probability=0.25)
    hits = struck(strikes("shuffler", fault), "shuffle", 4000)
    assert 850 < len(hits) < 1150
    assert struck(strikes("shuffler", fault), "shuffle", 4000) == hits
    assert struck(strikes("shuffler", fault, seed=2), "shuffle", 4000) != hits


def test_one_fault_does_not_change_when_another_strikes() -> None:
    fault = Fault("jam", probability=0.25)
    alone = struck(strikes("shuffler", fault), "shuffle", 200)
    both = strikes("shuffler", fault, Fault("stop", probability=0.5))
    assert [n for n in range(1, 201) if "jam" in both.next("shuffle", 0.0, 1)] == alone


def test_chance_ends_when_it_has_struck_as_often_as_it_may() -> None:
    assert len(struck(strikes("shuffler", Fault("jam", probability=0.25, times=3)), "shuffle", 500)) == 3


@pytest.mark.parametrize(("said", "seconds"), [({}, MODELS["rng"].faults["slow"].seconds), ({"seconds": 0.5}, 0.5)])
def test_a_fault_lasts_as_long_as_it_or_the_catalogue_says(said: dict[str, Any], seconds: float) -> None:
    assert strikes("rng").seconds(Fault("slow", **said)) == seconds
    assert strikes("rng").seconds(Fault("restart")) == 0.0
