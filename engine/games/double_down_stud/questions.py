"""What can be asked about Double Down Stud."""

from collections.abc import Mapping

from feltrig.engine.cards import Card
from feltrig.engine.games.double_down_stud.settlement import DoubleDownAmount, LimitApplies, settle
from feltrig.engine.questions import Answer, BadQuestion, Choice, Question, cards, cents, integer, maybe
from feltrig.engine.rulings import Illegal

_AMOUNT = Choice("double_down_amount", tuple(amount.value for amount in DoubleDownAmount), "DDS-01")
_LIMIT = Choice("payout_limit", tuple(applies.value for applies in LimitApplies), "DDS-02")


def _settle(
    cards: tuple[Card, ...],
    wager_cents: int,
    double_down_cents: int | None,
    double_down_amount: str,
    payout_limit: str,
) -> Answer:
    amount, applies = DoubleDownAmount(double_down_amount), LimitApplies(payout_limit)
    try:
        settled = settle(cards, wager_cents, double_down_cents or 0, amount, applies)
    except Illegal as error:
        raise BadQuestion(str(error)) from None
    result = {
        "category": settled.category.name.lower(),
        "result": settled.outcome.value,
        "odds_to_1": settled.odds,
        "net_cents": settled.net,
    }
    return Answer(result, settled.rules)


QUESTIONS: Mapping[str, Question] = {
    "settle": Question(
        _settle,
        {
            "cards": cards(5),
            "wager_cents": integer(1),
            "double_down_cents": maybe(cents),
        },
        (_AMOUNT, _LIMIT),
    ),
}
