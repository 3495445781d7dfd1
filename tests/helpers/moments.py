"""Tables at a moment of their round, and what cannot be told then."""

import pytest

from feltrig.engine.games import GAMES
from feltrig.engine.rulings import OutOfTurn
from feltrig.engine.table.ways import Way

WAGERS = {2: {"ante": 500}, 5: {"ante": 500}}
HELD = {2: {"ante": 500, "odds": 500}, 5: {"ante": 500, "odds": 500}}
SHOE = {2: {"wager": 500}, 5: {"wager": 500}}
BY_HAND = Way({"machine_shuffle": False, "shuffler_counts": False})
TWO_DECKS = Way({"decks": ["red", "blue"]})
AUTOMATED = Way({"deal": "automated_shoe"})


def at(felt, kind, way=None, game=GAMES["three_card_poker"], wagers=WAGERS):
    """A table whose round waits for this."""
    table = felt(game, way or Way())
    table.open(wagers)
    table.until(kind)
    return table


def out_of_turn(table, seen):
    """Whether this does not fit the moment, after a look that nothing has changed."""
    before = table.ask
    with pytest.raises(OutOfTurn):
        table.round.tell(seen)
    return table.ask == before and not table.round.can(seen)
