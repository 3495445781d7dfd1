"""The moving parts: fair by default, a user's function in their place, and clear words when that cannot be."""

import random
from collections import Counter
from pathlib import Path

import pytest

from feltrig.emulators.models import mechanics


def test_the_default_shuffle_keeps_the_cards_and_leaves_its_input_alone() -> None:
    deck = list(range(54))
    shuffled = mechanics.shuffle(deck, random.Random(1))
    assert sorted(shuffled) == deck == list(range(54))
    assert shuffled != deck


def test_the_default_number_is_each_of_one_to_seven() -> None:
    rng = random.Random(1)
    assert set(Counter(mechanics.number(rng) for _ in range(500))) == set(range(1, 8))


def test_the_default_dice_are_three_with_six_faces() -> None:
    rng = random.Random(1)
    rolls = [mechanics.dice(rng) for _ in range(200)]
    assert {len(roll) for roll in rolls} == {3}
    assert {die for roll in rolls for die in roll} == set(range(1, 7))


def test_a_function_is_loaded_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vendor_wheel.py").write_text("def seven(rng):\n    return 7\n\nLIMIT = 3\n\n\nbroken = None\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert mechanics.number_out(mechanics.load("vendor_wheel:seven"), random.Random(1)) == 7
    with pytest.raises(ValueError, match="'vendor_wheel:eight': no eight in vendor_wheel"):
        mechanics.load("vendor_wheel:eight")
    with pytest.raises(ValueError, match="'vendor_wheel:LIMIT': LIMIT is not callable"):
        mechanics.load("vendor_wheel:LIMIT")


def test_a_module_with_an_error_in_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vendor_typo.py").write_text("def seven(rng:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="cannot import vendor_typo"):
        mechanics.load("vendor_typo:seven")


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="'no_such_vendor:shuffle': cannot import no_such_vendor: No module named"):
        mechanics.load("no_such_vendor:shuffle")


@pytest.mark.parametrize("reference", ["", "random", ":shuffle", "random:", ".random:shuffle"])
def test_a_reference_must_name_module_and_function(reference: str) -> None:
    with pytest.raises(ValueError, match="expected module:function"):
        mechanics.load(reference)


def sorts_in_place(cards: list[int], _: random.Random) -> list[int]:
    cards.sort()
    return None  # type: ignore[return-value]  # the mistake under test


def test_a_wrong_type_names_the_function() -> None:
    with pytest.raises(TypeError, match=r"mechanics .*:sorts_in_place returned None: expected a list of whole numbers"):
        mechanics.cards_out(sorts_in_place, [2, 1], random.Random(1))
    with pytest.raises(TypeError, match="returned 'x': expected a whole number"):
        mechanics.number_out(lambda _: "x", random.Random(1))  # type: ignore[arg-type, return-value]  # likewise
    with pytest.raises(TypeError, match="returned True: expected a whole number"):
        mechanics.dice_out(lambda _: (1, True, 2), random.Random(1))


def test_a_wrong_number_is_the_rigs_to_find() -> None:
    assert mechanics.number_out(lambda _: 9, random.Random(1)) == 9
    assert mechanics.dice_out(lambda _: (1, 2), random.Random(1)) == (1, 2)  # type: ignore[arg-type, return-value]
    assert mechanics.cards_out(lambda cards, _: [*cards, 99], [1], random.Random(1)) == [1, 99]


def test_what_no_wire_can_carry_is_an_error() -> None:
    with pytest.raises(ValueError, match="returned 256: the wire carries 0 to 255"):
        mechanics.number_out(lambda _: 256, random.Random(1))
    with pytest.raises(ValueError, match="returned -1: the wire carries 0 to 127"):
        mechanics.cards_out(lambda _, __: [-1], [1], random.Random(1))


def test_the_users_function_cannot_reach_into_the_machine_by_its_argument() -> None:
    def sort(given: list[int], _: random.Random) -> list[int]:
        given.sort()
        return given

    cards = [3, 1, 2]
    assert mechanics.cards_out(sort, cards, random.Random(1)) == [1, 2, 3]
    assert cards == [3, 1, 2]
