"""The odds of the Big Six wheel: published figures."""

from house_edges import edges

from feltrig.engine.games.big_six import odds as big_six
from feltrig.engine.games.big_six.paytables import STOPS, Symbol


def test_big_six_on_any_wheel() -> None:
    assert list(edges(big_six.wagers()).values()) == [
        "11.1111%", "16.6667%", "22.2222%", "18.5185%", "22.2222%", "14.8148%", "14.8148%",
    ]  # fmt: skip
    fewer = {**STOPS, Symbol.ONE: 23, Symbol.FIVE: 8}
    found = edges(big_six.of_wheel(fewer, "other"))
    assert (found["1", "other"], found["5", "other"]) == ("14.8148%", "11.1111%")
