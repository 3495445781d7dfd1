"""What a licensee chooses at any table."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import Deal, House, check_house


def test_the_choices_of_every_house_when_nothing_is_said() -> None:
    assert House() == House(
        Deal.MANUAL_SHOE,
        machine_shuffle=True,
        shuffler_counts=True,
        decks=("red",),
        recut_by="last",
        two_areas=False,
        table_minimum=500,
        table_maximum=None,
    )


@pytest.mark.parametrize(
    ("house", "devices"),
    [
        (House(), {"shuffler"}),
        (House(machine_shuffle=False), set()),
        (House(deal=Deal.AUTOMATED_SHOE), {"shuffler", "shoe"}),
    ],
)
def test_a_house_has_the_devices_that_its_choices_need(house: House, devices: set[str]) -> None:
    assert house.devices == devices


def test_a_second_deck_needs_another_back_and_the_clause_is_named() -> None:
    game = GAMES["three_card_poker"]
    rules = game.procedure(game.options(), House()).rules
    check_house(rules, House(decks=("red", "blue")))
    with pytest.raises(Illegal) as refusal:
        check_house(rules, House(decks=("red", "red")))
    assert refusal.value.rules == rules.backs
