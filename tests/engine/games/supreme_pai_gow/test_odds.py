"""The odds of the bonus of Supreme Pai Gow, by each reading."""

from house_edges import edges

from feltrig.engine.games.supreme_pai_gow import odds as supreme_pai_gow


def test_the_bonus_of_supreme_pai_gow_by_every_reading() -> None:
    found = list(supreme_pai_gow.wagers())
    assert {wager.total for wager in found} == {316_251}
    assert list(edges(found).values()) == ["6.3254%", "6.3595%", "-0.4161%", "7.2360%", "6.8831%"]
    assert found[0].outcomes["four_aces"] == 1
    assert found[0].outcomes["any_other_pair"] == 89_856
