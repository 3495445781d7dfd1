"""What is told: nothing out of the ordinary unless it is said."""

from dataclasses import MISSING, fields, is_dataclass
from types import ModuleType
from typing import Any

import pytest

from feltrig.engine import asks, rulings, tells

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
