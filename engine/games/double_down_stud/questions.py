"""What can be asked about Double Down Stud."""

from collections.abc import Mapping

from feltrig.engine.cards import Card
from feltrig.engine.games.double_down_stud.settlement import DoubleDownAmount, LimitApplies, settle
from feltrig.engine.questions import Answer, Choice, Question, cards, cents, integer, maybe

_AMOUNT = Choice("double_down_amount", tuple(DoubleDownAmount), "DDS-01")
_LIMIT = Choice("payout_limit", tuple(LimitApplies), "DDS-02")


def _settle(
    cards: tuple[Card, ...],
    wager_cents: int,
    double_down_cents: int | None,
    double_down_amount: DoubleDownAmount,
    payout_limit: LimitApplies,
) -> Answer:
    settled = settle(cards, wager_cents, double_down_cents or 0, double_down_amount, payout_limit)
    result = {
        "category": settled.category.name.lower(),
        "result": settled.outcome.value,
        "odds_to_1": settled.odds,
        "net_cents": settled.net,
    }
    return Answer(result, settled.rules)


QUESTIONS: Mapping[str, Question] = {
    "settle": Question(
        _settle, {"cards": cards(5), "wager_cents": integer(1), "double_down_cents": maybe(cents)}, (_AMOUNT, _LIMIT)
    )
}
