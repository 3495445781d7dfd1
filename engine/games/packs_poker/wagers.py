"""What a player may stake before the deal: 43.6(b)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltrig.engine.rulings import Illegal

PACKS = (1, 2, 3)
SEATS = range(1, 7)
"""1.13Z(a)."""


@dataclass(frozen=True, slots=True)
class Wager:
    """What one player stakes, in cents, by the number of the pack."""

    packs: Mapping[int, int] = field(default_factory=dict)
    five_card: Mapping[int, int] = field(default_factory=dict)
    seven_card: Mapping[int, int] = field(default_factory=dict)


def check(
    wager: Wager, *, five_card_offered: bool, seven_card_offered: bool, bonus_requires_packs_bet: bool = False
) -> None:
    """Raise Illegal when the wager is not one that the table takes."""
    stakes = {"pack's bet": wager.packs, "five-card bonus": wager.five_card, "seven-card bonus": wager.seven_card}
    offered = {"pack's bet": True, "five-card bonus": five_card_offered, "seven-card bonus": seven_card_offered}
    for name, amounts in stakes.items():
        for pack, cents in amounts.items():
            if pack not in PACKS:
                raise Illegal(f"{name} on pack {pack}: expected pack 1, 2 or 3", "13:69F-43.6(b)")
            if cents <= 0:
                raise Illegal(f"{name} on pack {pack}: {cents} cents is not a valid wager", "13:69F-43.6(b)")
            if not offered[name]:
                raise Illegal(f"{name} on pack {pack}: not offered at this table", "13:69F-43.6(b)")
            if bonus_requires_packs_bet and pack not in wager.packs:
                raise Illegal(f"{name} on pack {pack}: no pack's bet goes with it", "13:69F-43.6(b)")
    if not any(stakes.values()):
        raise Illegal("no wager", "13:69F-43.6(b)")
