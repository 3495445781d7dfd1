"""A round of Lucky Drum: wagers on odd or even, one ball."""

from dataclasses import dataclass
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.games.game import Game
from feltrig.engine.table.house import Deal, House, Method, TableRules
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 4
BETS = (Bet("odd", ("drum 2",)), Bet("even", ("drum 2",)))
BALLS = tuple(map(str, range(1, 11)))
RULES = TableRules(
    deck=(),
    deck_counts=(1,),
    methods={Deal.HAND: Method(close=("drum 2",), deal=("drum 1",))},
)


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to choose."""


def procedure(options: Options, house: House) -> Procedure:
    check = partial(check_bets, BETS, house, SEATS, ("drum 2",))
    return Procedure("lucky_drum", (), SEATS, RULES, {}, script, check)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    yield from close_betting(play)
    seen = yield from hear(asks.SpinWheel(1, BALLS, ("drum 1",)))
    assert isinstance(seen, tells.WheelSpun)
    won = "odd" if int(seen.result or 0) % 2 else "even"
    return losers_first(
        Settlement(seat, bet, stake, "win" if bet == won else "lose", stake if bet == won else -stake, ("drum 2",))
        for seat in play.seats
        for bet, stake in play.wagers[seat].items()
    )


GAME = Game(
    name="lucky_drum",
    title="Lucky Drum",
    package=__package__,
    jurisdiction="TV",
    procedure=procedure,
    options=Options,
    ways=(Way({"deal": "hand", "machine_shuffle": False, "shuffler_counts": False}),),
    bets=lambda options: BETS,
    own_roles={"balls": "drum 1", "settlement": "drum 2"},
    devices=lambda options: ("drum",),
)
