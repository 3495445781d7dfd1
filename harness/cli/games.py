"""`feltrig games`: what the engine can play."""

import json
from dataclasses import asdict

from feltrig.engine.games import GAMES
from feltrig.harness.cli import display
from feltrig.harness.cli.console import Console
from feltrig.harness.cli.parameters import Json


def games(as_json: Json = False) -> None:
    """List the games that the engine can play."""
    if as_json:
        print(json.dumps([asdict(game) for game in GAMES.values()], indent=2))
    else:
        display.show_games(Console())
