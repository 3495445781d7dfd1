"""What the oracle can be asked about roulette."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.games.roulette import bets
from feltrig.engine.games.roulette.layout import ORDER, Numbers, Pocket, Wheel, is_void
from feltrig.engine.games.roulette.settlement import ODDS_RULE, ZeroOption, settle, winning_payout
from feltrig.engine.questions import Answer, BadQuestion, Choice, Question, cents, each, integer, maybe, one_of, plain

LAYOUT = Choice("layout", ("standard",), "RL-01")


def _pocket(given: Any) -> Pocket:
    """A compartment may come as a number or as a text."""
    if str(given) not in ORDER[Wheel.DOUBLE_ZERO]:
        raise BadQuestion(f"{given!r} is not 0, 00 or 1 to 36")
    return str(given)


def _winning_payout(bet: bets.Bet, wager_cents: int) -> Answer:
    result = {"net_cents": plain(winning_payout(bet, wager_cents)), "odds_to_1": bets.LEAST_ODDS.get(bet)}
    return Answer(result, (ODDS_RULE, bets.DEFINED[bet]) if bet in bets.DEFINED else (ODDS_RULE,))


def _settle(
    bet: bets.Bet,
    which: int | None,
    numbers: tuple[Pocket, ...] | None,
    result: Pocket,
    wheel: Wheel,
    zero_option: ZeroOption | None,
    wager_cents: int,
    layout: str,
) -> Answer:
    if result not in ORDER[wheel]:
        raise BadQuestion(f"input.result: {result!r} is not on a wheel that is {wheel.value}")
    covered = _covered(bet, which, numbers, result, wheel)
    settled = settle(bets.Placed(bet, covered, wager_cents), result, wheel, zero_option)
    return Answer({"net_cents": plain(settled.net), "respin": settled.respin}, settled.rules)


def _covered(
    bet: bets.Bet, which: int | None, numbers: tuple[Pocket, ...] | None, result: Pocket, wheel: Wheel
) -> Numbers:
    """The numbers that the wager covers; none are needed where they cannot matter."""
    if which is not None and bet not in bets.THIRDS:
        raise BadQuestion(f"input.which: does not go with {bet.value}")
    if numbers is not None and (bet in bets.FIXED or bet in bets.THIRDS):
        raise BadQuestion(f"input.numbers: do not go with {bet.value}")
    if bet in bets.FIXED:
        covered = bets.FIXED[bet]
    elif which is not None:
        covered = bets.third(bet, which)
    elif numbers is not None:
        covered = _distinct(numbers)
    elif is_void(result, wheel) or not any(result in place for place in bets.places(bet, wheel)):
        return frozenset()
    else:
        raise BadQuestion(f"input.{'which' if bet in bets.THIRDS else 'numbers'}: missing, and {bet.value} needs it")
    bets.check_place(bet, covered, wheel)
    return covered


def _distinct(numbers: tuple[Pocket, ...]) -> Numbers:
    for number in numbers:
        if numbers.count(number) > 1:
            raise BadQuestion(f"input.numbers: {number} stands twice")
    return frozenset(numbers)


QUESTIONS: Mapping[str, Question] = {
    "winning_payout": Question(_winning_payout, {"bet": one_of(*bets.Bet), "wager_cents": cents}),
    "settle": Question(
        _settle,
        {
            "bet": one_of(*bets.Bet),
            "which": maybe(integer(1, 3)),
            "numbers": maybe(each(_pocket)),
            "result": _pocket,
            "wheel": one_of(*Wheel),
            "zero_option": maybe(one_of(*ZeroOption)),
            "wager_cents": cents,
        },
        (LAYOUT,),
    ),
}
