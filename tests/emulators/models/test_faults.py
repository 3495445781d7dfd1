"""Faults as data: what can be said of one, and what the catalogue knows."""

from typing import Any

import pytest

from feltrig.emulators.models import MODELS, fault_types
from feltrig.emulators.models.faults import (
    ANSWER,
    EVENT,
    FOR_EVER,
    MACHINE,
    OPERATION,
    WIRE,
    Fault,
    check,
    lasts,
)
from feltrig.emulators.models.reader import reader
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.engine.games import GAMES
from feltrig.protocols.kinds import KINDS

ENTRIES = [(kind, what) for kind, entries in fault_types().items() for what in entries]


def test_every_kind_of_device_has_faults_of_its_own_of_the_electronics_and_of_the_wire() -> None:
    assert set(MODELS) == set(KINDS)
    for entries in fault_types().values():
        assert set(MACHINE) | set(WIRE) < set(entries)


@pytest.mark.parametrize(("kind", "what"), ENTRIES)
def test_every_entry_strikes_something_that_is_counted_and_says_what_to_expect(kind: str, what: str) -> None:
    entry = MODELS[kind].faults[what]
    acting = {name for name, command in KINDS[kind].commands.items() if command.acts}
    assert entry.operation in acting | {ANSWER, EVENT, OPERATION} | ({"load"} if kind == "shoe" else set())
    assert entry.effect
    assert entry.expected
    assert lasts(what) == (entry.seconds is not None) == ("`seconds`" in entry.effect)


@pytest.mark.parametrize(("kind", "what"), ENTRIES)
def test_every_rule_of_the_catalogue_is_in_the_clause_register(kind: str, what: str) -> None:
    for rule in MODELS[kind].faults[what].rules:
        assert rule in GAMES["supreme_pai_gow"].clauses
        assert GAMES["supreme_pai_gow"].cite(rule, "NJ") is not None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"at": 0}, "at 0: expected 1 or more"),
        ({"times": -1}, "times -1: expected 1 or more, or 0 for ever"),
        ({"every": 0}, "every 0: expected 1 or more"),
        ({"after": -0.5}, "after -0.5: expected 0 or more"),
        ({"after": float("inf")}, "after inf: expected 0 or more"),
        ({"event": 0}, "event 0: expected 1 or more"),
        ({"probability": 0.0}, "probability 0.0: expected more than 0 and at most 1"),
        ({"probability": 1.5}, "probability 1.5: expected more than 0 and at most 1"),
        ({"probability": float("nan")}, "probability nan: expected more than 0 and at most 1"),
        ({"seconds": 0.0}, "seconds 0.0: expected more than 0"),
    ],
)
def test_a_fault_that_could_never_strike_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=f"^fault slow: {said}$"):
        Fault("slow", **given)


@pytest.mark.parametrize(
    ("given", "most"),
    [
        ({}, 1),
        ({"at": 5, "after": 2.0, "event": 9}, 1),
        ({"every": 3}, FOR_EVER),
        ({"probability": 0.5}, FOR_EVER),
        ({"every": 3, "times": 4}, 4),
        ({"times": FOR_EVER}, FOR_EVER),
    ],
)
def test_a_fault_strikes_once_unless_it_is_one_that_comes_again_and_again(given: dict[str, Any], most: int) -> None:
    assert Fault("jam", **given).most == most


def test_an_unknown_fault_and_one_of_another_kind_list_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^fault 'smoke': a rng has only stop, out_of_range, .*, line_drop$"):
        check("rng", MODELS["rng"].faults, [Fault("smoke")])
    with pytest.raises(ValueError, match="fault 'jam': a rng has only"):
        rng(Setup("rng", 1, faults=[Fault("jam")]))
    with pytest.raises(ValueError, match="fault 'jam': a reader has only blind, slow"):
        reader(Setup("reader", 1, faults=[Fault("jam")]))


def test_only_a_fault_that_lasts_may_say_how_long() -> None:
    lasting = Fault("slow", seconds=2.0)
    assert check("shoe", MODELS["shoe"].faults, [lasting]) == (lasting,)
    expected = "only for slow, power_loss, power_loss_forgetful"
    with pytest.raises(ValueError, match=rf"^fault hang: seconds 2\.0: {expected}$"):
        check("shoe", MODELS["shoe"].faults, [Fault("hang", seconds=2.0)])
