"""The odds of the bonus wagers of Heads Up Hold'em: published figures."""

from house_edges import edges

from feltrig.engine.games.heads_up_holdem import odds as heads_up_holdem


def test_heads_up_holdem_bonus_wagers() -> None:
    found = list(heads_up_holdem.wagers())
    assert list(edges(found).values()) == [
        "4.5249%", "6.7873%", "9.9548%", "0.7402%", "1.7424%", "3.3363%", "4.3385%",
    ]  # fmt: skip
    assert found[-1].total == 133_784_560
    assert list(found[-1].outcomes.values()) == [
        4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460,
    ]  # fmt: skip
