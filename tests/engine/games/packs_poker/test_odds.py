"""The odds of the bonus wagers of Pack's Poker: published figures."""

from fractions import Fraction

from house_edges import edges

from feltrig.engine.games.packs_poker import odds as packs_poker


def test_packs_poker_bonus_wagers() -> None:
    wagers = list(packs_poker.wagers())
    found = edges(wagers)
    totals = {"five_card_bonus": 2_598_960, "seven_card_bonus": 133_784_560}
    assert all(wager.total == totals[wager.bet.removesuffix("_progressive")] for wager in wagers)
    assert {letter: found["five_card_bonus", letter] for letter in "ABCDE"} == {
        "A": "11.7130%", "B": "5.7004%", "C": "9.5163%", "D": "9.4304%", "E": "6.9112%",
    }  # fmt: skip
    assert found["seven_card_bonus", "B, $5 wager"] == found["seven_card_bonus", "E, $5 wager"]
    five_dollars = [edge for (bet, table), edge in found.items() if bet == "seven_card_bonus" and "$5" in table]
    assert len(five_dollars) == 23
    in_percent = sorted(float(edge.rstrip("%")) for edge in five_dollars)
    assert round(in_percent[0], 1) == 2.3
    assert [round(edge, 1) for edge in in_percent[-2:]] == [9.1, 14.9]  # table K stands out


def test_a_progressive_wager_tells_the_meter_apart() -> None:
    wagers = {(wager.bet, wager.table): wager for wager in packs_poker.wagers()}
    five = wagers["five_card_bonus_progressive", "A"]
    assert five.of_meter == Fraction(1, 2_598_960)
    assert five.nets is not None
    assert (five.nets["diamond_royal_flush"], five.nets["royal_flush"]) == (-1, 999)
    seven = wagers["seven_card_bonus_progressive", "A"]
    assert seven.of_meter == (32 + Fraction(180, 10)) / 133_784_560
    assert wagers["five_card_bonus", "A"].of_meter is None
