"""A table whose game has hooks of its own."""

from dataclasses import replace

import pytest
from moments import WAGERS

from feltrig.engine.games.three_card_poker.round import GAME
from feltrig.engine.table.ways import Way


@pytest.fixture
def hooked(felt):
    """A table whose game has these hooks: `hooked(way, survives=…)`."""

    def table(way=None, **hooks):
        def procedure(options, house):
            made = GAME.procedure(options, house)
            remedies = {**made.remedies, **hooks.get("remedies", {})}
            return replace(made, **{**hooks, "remedies": remedies})

        opened = felt(replace(GAME, procedure=procedure), way or Way())
        opened.open(WAGERS)
        return opened

    return table
