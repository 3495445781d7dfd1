"""`feltrig games`: the games that the engine knows."""

import json
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game
from feltrig.harness.cli import display
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.parameters import Json


def games(as_json: Json = False) -> None:
    """List the games: where each is played, and how its deal can start and be dealt."""
    if as_json:
        print(json.dumps([as_plain(game) for game in GAMES.values()], indent=2))
    else:
        display.show_games(Console())


def as_plain(game: Game) -> dict[str, Any]:
    """A game as plain values."""
    return {
        "name": game.name,
        "title": game.title,
        "jurisdictions": game.jurisdictions,
        "devices": game.uses,
        "dealing_methods": game.dealing_methods,
        "start_methods": game.start_methods,
    }
