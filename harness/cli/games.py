"""`feltrig games`: the games that the engine knows."""

from typing import Any

from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game
from feltrig.errors import RigError
from feltrig.harness.cli.console import show_table, table
from feltrig.harness.cli.parameters import Json


def games(as_json: Json = False) -> None:
    """List the games: where each is played, how a deal can start, and how the cards can be dealt."""
    listed = ((g, (g.jurisdictions, g.start_methods, g.dealing_methods)) for g in GAMES.values())
    rows = ((game.name, game.title, *map(", ".join, ways)) for game, ways in listed)
    columns = ("game", "title", "jurisdictions", "start", "deal")
    show_table(table(columns, rows), [as_plain(game) for game in GAMES.values()], as_json)


def as_plain(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "jurisdictions": game.jurisdictions,
        "devices": game.uses,
        "dealing_methods": game.dealing_methods,
        "start_methods": game.start_methods,
    }


def game_named(name: str, parameter: str) -> Game:
    """The game that a parameter names. Raises RigError."""
    if name not in GAMES:
        raise RigError(f"{parameter} {name}: no such game; expected one of {', '.join(GAMES)}")
    return GAMES[name]
