"""What the oracle can be asked about Big Six."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, Symbol
from feltrig.engine.games.big_six.settlement import RULE, winning_payout
from feltrig.engine.questions import Answer, Question, cents, one_of


def _symbol(given: Any) -> Symbol:
    """An insignia may come as a number or as a text."""
    return Symbol(one_of(*(symbol.value for symbol in Symbol))(str(given)))


def _winning_payout(symbol: Symbol, wager_cents: int) -> Answer:
    result = {"net_cents": winning_payout(symbol, wager_cents), "odds_to_1": LEAST_ODDS[symbol]}
    return Answer(result, (RULE,))


QUESTIONS: Mapping[str, Question] = {
    "winning_payout": Question(_winning_payout, {"symbol": _symbol, "wager_cents": cents}),
}
