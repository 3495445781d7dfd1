"""docs/adding.md: the game on the page is a game."""

import re
from pathlib import Path
from typing import Any

from feltrig.engine.games.game import Choices, Game

PAGE = (Path(__file__).parents[2] / "docs" / "adding.md").read_text(encoding="utf-8")


def test_the_game_on_the_page_can_be_played() -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "GAME = Game(" in block)
    made: dict[str, Any] = {"__package__": "high_card", "__name__": "high_card.round"}
    exec(compile(code, "docs/adding.md", "exec"), made)
    game = made["GAME"]
    assert isinstance(game, Game)
    choices = Choices("NJ")
    (variant,) = game.variants(choices)
    table = game.table(game.record(choices, variant))
    opened = table.open_round({1: {"wager": 500}})
    assert opened.ask is not None
    assert game.uses == ("shuffler",)
