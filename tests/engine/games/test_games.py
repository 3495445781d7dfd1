"""The registry of games."""

from feltrig.engine.clauses import JURISDICTIONS, register
from feltrig.engine.games import GAMES


def test_the_registry_knows_how_the_game_is_played():
    game = GAMES["supreme_pai_gow"]
    assert game.title == "Supreme Pai Gow"
    assert game.dealing_methods == ("manual_shoe", "hand", "automated_shoe")
    assert game.start_methods == ("dice", "rng", "button")
    assert game.jurisdictions == JURISDICTIONS


def test_every_game_has_a_clause_register_that_names_its_devices():
    for name, game in GAMES.items():
        named = {device for clause in register(name).values() for device in clause.device}
        assert set(game.devices) <= named
