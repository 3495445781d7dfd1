"""What the oracle can be asked about Big Six."""

from collections.abc import Mapping

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, RULE, Symbol, winning_payout
from feltrig.engine.questions import Answer, Question, cents, one_of


def _winning_payout(symbol: Symbol, wager_cents: int) -> Answer:
    result = {"net_cents": winning_payout(symbol, wager_cents), "odds_to_1": LEAST_ODDS[symbol]}
    return Answer(result, (RULE,))


QUESTIONS: Mapping[str, Question] = {
    # An insignia may come as a number or as a text.
    "winning_payout": Question(
        _winning_payout, {"symbol": lambda given: one_of(*Symbol)(str(given)), "wager_cents": cents}
    )
}
