"""What an ask, a tell or a ruling means where nothing is said: nothing out of the ordinary."""

from dataclasses import MISSING, fields, is_dataclass
from types import ModuleType
from typing import Any

import pytest

from feltrig.engine import asks, rulings, tells
from feltrig.engine.decks import StubCount
from feltrig.engine.games.supreme_pai_gow.options import Options, Start
from feltrig.engine.table.house import Deal, House
from feltrig.engine.table.rotation import Rotation

ORDINARY = {
    ("DiceRolled", "lid_by"): "dealer",
    ("ShakerParked", "shakes"): 1,
    ("WheelSpun", "opposite"): True,
}
"""What is seen in the ordinary; all else is not seen unless it is told."""


@pytest.mark.parametrize("module", [asks, tells, rulings], ids=["asks", "tells", "rulings"])
def test_nothing_out_of_the_ordinary_was_seen_unless_it_is_told(module: ModuleType) -> None:
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and is_dataclass(kind)]
    assert kinds
    for kind in kinds:
        for part in fields(kind):
            default: Any = part.default
            if default is MISSING and part.default_factory is MISSING:
                continue
            found = part.default_factory() if default is MISSING else default  # type: ignore[misc]
            expected = ORDINARY.get((kind.__name__, part.name))
            assert found == expected if expected is not None else not found, (kind.__name__, part.name)


def test_what_goes_around_starts_at_the_dealers_far_right_and_nothing_is_uncounted() -> None:
    assert Rotation().order((5, 1, 3)) == (1, 3, 5)
    assert StubCount(every=5).uncounted == 0


def test_a_table_of_supreme_pai_gow_when_nothing_is_said() -> None:
    options, house = Options(), House()
    assert (house.deal, options.start, house.decks) == (Deal.MANUAL_SHOE, Start.RNG, ("red",))
    assert (house.machine_shuffle, house.shuffler_counts, options.equal_is_legal) == (True, True, True)
    assert not any((options.banking, options.co_banking, house.two_areas))
    assert (house.table_minimum, options.bonus_minimum, house.table_maximum) == (500, 100, None)
    assert (options.vigorish_rounding, house.recut_by, options.dealer_wager) == ("exact", "last", None)
