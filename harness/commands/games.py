"""`feltrig games`: what the engine can play."""

import json
from dataclasses import asdict

from rich.console import Console

from feltrig.engine.games import GAMES
from feltrig.harness import display
from feltrig.harness.commands.parameters import Json


def games(as_json: Json = False) -> None:
    """List the games that the engine can play."""
    if as_json:
        print(json.dumps([asdict(game) for game in GAMES.values()], indent=2))
    else:
        display.show_games(Console())
