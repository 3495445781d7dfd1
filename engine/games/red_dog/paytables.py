"""What Red Dog pays."""

from collections.abc import Mapping

from feltrig.engine.rulings import Illegal

Odds = Mapping[int, int]
"""What a table pays, to 1, by spread."""

SPREADS: Odds = {1: 5, 2: 4, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1}
"""The least odds, to 1, that a licensee may post: 6.5(i)2, (i)3."""

THREE_OF_A_KIND = 11
"""To 1, when the third card matches a pair: 6.5(f)1. No higher odds are foreseen for it."""

PAY_TABLES: Mapping[str, Mapping[str, Mapping[str, int]]] = {
    "wager": {
        "19:47-6.5(i)2": {
            "three_of_a_kind": THREE_OF_A_KIND,
            **{f"spread_{spread}": odds for spread, odds in SPREADS.items()},
        }
    }
}
"""By bet and by table, what each line pays, to 1. A raise is paid by the same lines."""


def check_odds(odds: Odds) -> None:
    """Refuse, as Illegal, posted odds that are below the least, or leave a spread out."""
    for spread, least in SPREADS.items():
        if (paid := odds.get(spread)) is None or paid < least:
            raise Illegal(f"spread {spread}: {paid} to 1, the least is {least} to 1", "19:47-6.5(i)3")
