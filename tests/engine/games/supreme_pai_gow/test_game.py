"""Supreme Pai Gow as a record: its options when nothing is said, and the ways to play it."""

from feltrig.engine.games.supreme_pai_gow.game import GAME
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.table.house import Deal, House


def test_a_table_of_supreme_pai_gow_when_nothing_is_said() -> None:
    options, house = GAME.options(), House()
    assert (house.deal, options.start, house.decks) == (Deal.MANUAL_SHOE, Start.RNG, ("red",))
    assert (house.machine_shuffle, house.shuffler_counts, options.equal_is_legal) == (True, True, True)
    assert not any((options.banking, options.co_banking, house.two_areas))
    assert (house.table_minimum, options.bonus_minimum, house.table_maximum) == (500, 100, None)
    assert (options.vigorish_rounding, house.recut_by, options.dealer_wager) == ("exact", "last", None)


def test_every_device_of_the_game_is_used_by_some_way_to_play() -> None:
    used = {device for variant in GAME.every_variant for device in variant.house.devices}
    assert used <= set(GAME.uses)
    assert {variant.house.deal for variant in GAME.every_variant} == set(Deal)
