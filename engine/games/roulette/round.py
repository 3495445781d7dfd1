"""A round of Roulette: 5.1 to 5.4."""

from collections.abc import Sequence

from feltrig.engine import asks, tells
from feltrig.engine.games.game import Game, Sample
from feltrig.engine.games.roulette.bets import Bet, Placed, places
from feltrig.engine.games.roulette.layout import LEAST_REVOLUTIONS, ORDER, Numbers, Wheel, is_void
from feltrig.engine.games.roulette.options import Options
from feltrig.engine.games.roulette.settlement import settle
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import Deal, House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy
from feltrig.engine.table.play import Play, Procedure, Wagers
from feltrig.engine.table.result import Settlement, losers_first
from feltrig.engine.table.script import Script, hear
from feltrig.engine.table.steps import close_betting
from feltrig.engine.table.ways import Way

SEATS = 8

RULES = TableRules(
    deck=("19:47-5.3(a)",),
    deck_counts=(1,),
    methods={Deal.HAND: Method(close=("19:47-5.3(b)",), deal=("19:47-5.3(a)",))},
)

REMEDIES = {
    Irregularity.SAME_DIRECTION: Remedy(Order.NO_SPIN, ("19:47-5.4(a)",)),
    Irregularity.TOO_FEW_TURNS: Remedy(Order.NO_SPIN, ("19:47-5.4(b)",)),
    Irregularity.FOREIGN_OBJECT: Remedy(Order.NO_SPIN, ("19:47-5.4(c)",)),
    Irregularity.DOUBLE_ZERO: Remedy(Order.NO_SPIN, ("19:47-5.2(d)2",)),
}

_WHEEL = {"deal": "hand", "machine_shuffle": False, "shuffler_counts": False}

WAYS = (
    Way(_WHEEL, {"wheel": "single_zero"}),
    Way(_WHEEL, {"wheel": "double_zero", "zero": "half", "notice": True, "seven_numbers": True}),
    Way(_WHEEL, {"wheel": "double_zero", "zero": "entire", "notice": True, "five_adjacent_numbers": True}),
    Way(_WHEEL, {"wheel": "double_zero_used_as_single", "notice": True}),
)


def procedure(options: Options, house: House) -> Procedure:
    """How the game is run with these choices."""

    def check(wagers: Wagers) -> None:
        for seat, staked in wagers.items():
            if not 1 <= seat <= SEATS:
                raise Illegal(f"seat {seat}: no such place, expected 1 to {SEATS}")
            if not any(staked.values()):
                raise Illegal(f"seat {seat}: no wager")
            for name, amount in staked.items():
                options.check(placed(name, amount))
                if amount < house.table_minimum:
                    raise Illegal(f"seat {seat}: {name} of {amount}, the least is {house.table_minimum}")

    return Procedure("roulette", (), SEATS, RULES, REMEDIES, script, check)


def placed(name: str, amount: int) -> Placed:
    """The wager that a name such as `split 17-18` means."""
    bet, _, numbers = name.partition(" ")
    try:
        return Placed(Bet(bet), frozenset(numbers.split("-")), amount)
    except ValueError:
        raise Illegal(f"no wager {name!r}: expected a name of 5.2(a) and the numbers, as in split 17-18") from None


def named(bet: Bet, numbers: Numbers) -> str:
    """The name of a wager."""
    return f"{bet.value} {'-'.join(sorted(numbers, key=lambda pocket: (int(pocket), pocket)))}"


def sample_wagers(sample: Sample, seats: Sequence[int]) -> Wagers:
    """Some wagers of every kind that the table has a place for."""
    rng, options, house = sample.rng, sample.options, sample.house
    offered = [bet for bet in Bet if places(bet, options.wheel, options.layouts)]
    offered = [bet for bet in offered if bet is not Bet.SEVEN_NUMBERS or options.seven_numbers]
    offered = [bet for bet in offered if bet is not Bet.FIVE_ADJACENT_NUMBERS or options.five_adjacent_numbers]
    return {
        seat: {
            named(bet, rng.choice(sorted(places(bet, options.wheel, options.layouts), key=sorted))): house.table_minimum
            * rng.randint(1, 4)
            for bet in rng.sample(offered, rng.randint(1, 4))
        }
        for seat in seats
    }


def script(play: Play) -> Script[tuple[Settlement, ...]]:
    """The spin, until one counts, and the settlement. Betting goes on until the ball rotates: 5.3(b)."""
    yield from hear(asks.SpinBall(("19:47-5.3(a)",)))
    yield from close_betting(play)
    wheel: Wheel = play.options.wheel
    while True:
        ask = asks.SpinWheel(LEAST_REVOLUTIONS, ORDER[wheel], ("19:47-5.3(a)",))
        seen: tells.WheelSpun = yield from hear(ask)
        if not _no_spin(play, seen, wheel):
            break
    result = str(seen.result)
    rows = (_settle(play, seat, name, result) for seat in play.counterclockwise for name in play.wagers[seat])
    return losers_first(rows)


def _no_spin(play: Play, seen: tells.WheelSpun, wheel: Wheel) -> bool:
    """Whether the spin is called off: 5.4, 5.2(d)2. A result that is not on the wheel does not count: rig policy."""
    found = (
        (not seen.opposite, Irregularity.SAME_DIRECTION),
        (seen.turns < LEAST_REVOLUTIONS, Irregularity.TOO_FEW_TURNS),
        (seen.foreign, Irregularity.FOREIGN_OBJECT),
        (seen.result is not None and is_void(seen.result, wheel), Irregularity.DOUBLE_ZERO),
        (seen.result not in ORDER[wheel], Irregularity.NO_RESULT),
    )
    broken = next((what for is_broken, what in found if is_broken), None)
    if broken is not None:
        play.rule(broken, rules=("19:47-5.3(a)",))
    return broken is not None


def _settle(play: Play, seat: int, name: str, result: str) -> Settlement:
    options, stake = play.options, play.stake(seat, name)
    settled = settle(placed(name, stake), result, options.wheel, options.zero, options.odds)
    outcome = "win" if settled.net > 0 else "lose"
    return Settlement(seat, name, stake, outcome, settled.net, (*settled.rules, "19:47-5.3(e)"), result)


GAME = Game(
    name="roulette",
    title="Roulette",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=WAYS,
    own_roles={"settlement": "19:47-5.2(a)"},
    sample_wagers=sample_wagers,
)
