"""What can be asked about Red Dog."""

from collections.abc import Mapping

from feltrig.engine.cards import Card
from feltrig.engine.games.red_dog.settlement import RaiseAmount, settle
from feltrig.engine.questions import Answer, Choice, Question, card, cents, integer, maybe

_RAISE = Choice("raise_amount", tuple(RaiseAmount), "RD-01")


def _settle(
    first: Card, second: Card, third: Card | None, wager_cents: int, raise_cents: int | None, raise_amount: RaiseAmount
) -> Answer:
    settled = settle(first, second, third, wager_cents, raise_cents or 0, raise_amount)
    result = {
        "spread": settled.spread,
        "result": settled.outcome.value,
        "odds_to_1": settled.odds,
        "net_cents": settled.net,
    }
    return Answer(result, settled.rules)


QUESTIONS: Mapping[str, Question] = {
    "settle": Question(
        _settle,
        {
            # Any number of decks may be in the shoe (6.1(a)), so the same card may come again.
            "first": card(),
            "second": card(),
            "third": maybe(card()),
            "wager_cents": integer(1),
            "raise_cents": maybe(cents),
        },
        (_RAISE,),
    )
}
