"""A round of Big Six: 5.5 and 5.6."""

from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.games.big_six.options import Options
from feltrig.engine.games.big_six.paytables import Symbol, settle
from feltrig.engine.games.big_six.spin import LEAST_TURNS, Spin, verdict
from feltrig.engine.games.game import Game
from feltrig.engine.rulings import Order
from feltrig.engine.table.house import Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Play, Procedure
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting
from feltrig.engine.table.wagers import Bet, check_bets
from feltrig.engine.table.ways import Way

SEATS = 8

BETS = tuple(Bet(symbol.value, ("19:47-5.5(a)",)) for symbol in Symbol)

RULES = TableRules(
    deck=("19:47-5.6(b)",),
    deck_counts=(1,),
    methods={Deal.HAND: Method(close=("19:47-5.6(a)",), deal=("19:47-5.6(b)",))},
)

REMEDIES = {
    Irregularity.TOO_FEW_TURNS: Remedy(Order.NO_SPIN, ("19:47-5.6(b)",)),
    Irregularity.BETWEEN_STOPS: Remedy(Order.NO_SPIN, ("19:47-5.6(c)2",)),
}

_WHEEL = {"deal": "hand", "machine_shuffle": False, "shuffler_counts": False}

WAYS = (Way(_WHEEL, {"between_stops": "previous"}), Way(_WHEEL, {"between_stops": "respin"}))


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""
    check = partial(check_bets, BETS, house, SEATS, ("19:47-5.5(a)",))
    return Procedure("big_six", (), SEATS, RULES, REMEDIES, script, check)


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """The spin, until one counts, and the settlement."""
    yield from close_betting(play)
    shown = tuple(symbol.value for symbol in play.options.wheel)
    while True:
        seen: tells.WheelSpun = yield from hear(asks.SpinWheel(LEAST_TURNS, shown, ("19:47-5.6(b)",)))
        found = _winner(play, seen)
        if found is not None:
            break
    rows = (_settle(play, seat, bet, found) for seat in play.counterclockwise for bet in play.wagers[seat])
    return losers_first(rows)


def _winner(play: Play, seen: tells.WheelSpun) -> tuple[Symbol, tuple[str, ...]] | None:
    """The symbol that a valid spin shows, and the rules by which; None when the wheel is spun again."""
    between = seen.result is None
    shown = seen.passed if between else seen.result
    if shown not in {symbol.value for symbol in Symbol}:
        play.rule(Irregularity.NO_RESULT, rules=("19:47-5.6(b)",))
        return None
    decided = verdict(Spin(seen.turns, Symbol(shown), between), play.options.between_stops)
    if decided.symbol is None:
        short = seen.turns < LEAST_TURNS
        play.rule(Irregularity.TOO_FEW_TURNS if short else Irregularity.BETWEEN_STOPS)
        return None
    return decided.symbol, decided.rules


def _settle(play: Play, seat: int, bet: str, found: tuple[Symbol, tuple[str, ...]]) -> Settlement:
    symbol, rules = found
    stake = play.stake(seat, bet)
    settled = settle(Symbol(bet), symbol, stake, play.options.odds)
    outcome = "win" if settled.net > 0 else "lose"
    cited = (*settled.rules, *rules, "19:47-5.6(e)")
    return Settlement(seat, bet, stake, outcome, settled.net, cited, symbol.value)


GAME = Game(
    name="big_six",
    title="Big Six",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    bets=lambda options: BETS,
    own_roles={"settlement": "19:47-5.5(a)"},
)
