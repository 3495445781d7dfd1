"""Law that the texts refer to and do not print, and the clauses that speak of it."""

from feltrig.engine.games import GAMES
from feltrig.engine.referred import laws, referred


def test_every_reference_stands_in_a_clause_of_the_register():
    for each in referred():
        game = GAMES[each.game]
        numbers = {game.cite(key, place) for place in game.jurisdictions for key in game.clauses}
        assert set(each.clauses) <= numbers, each
        assert each.subject


def test_device_law_of_both_jurisdictions_is_listed():
    devices = {(each.law, kind) for each in referred() for kind in each.device}
    assert {
        ("19:46-1.13B", "shaker"),
        ("19:46-1.13B", "rng"),
        ("19:46-1.19", "shoe"),
        ("13:69E-1.19", "shoe"),
    } < devices
    assert {("205 CMR 146.42(5)", "rng"), ("205 CMR 146.45", "shaker"), ("205 CMR 146.51", "shoe")} < devices


def test_a_clause_knows_what_it_refers_to():
    assert list(laws("supreme_pai_gow", "MA SPG 4(a)(1)")) == ["205 CMR 146.42(4)", "205 CMR 146.45", "205 CMR 146.46"]
    assert list(laws("red_dog", "19:47-6.8")) == []
