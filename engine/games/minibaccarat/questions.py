"""What the oracle can be asked about minibaccarat."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.cards import Card
from feltrig.engine.games.minibaccarat.coup import TooFewCards, deal
from feltrig.engine.games.minibaccarat.drawing import Action, player_action
from feltrig.engine.questions import Answer, BadQuestion, Choice, Question, cards, integer

DECKS = 8
"""The largest shoe in use: outside the rule text, which asks for six decks at least."""

BANKER_DRAWING = Choice("banker_drawing", ("punto_banco",), "MB-01")


def _round(cards_in_deal_order: tuple[Card, ...], banker_drawing: str) -> Answer:
    try:
        coup = deal(cards_in_deal_order)
    except TooFewCards as error:
        raise BadQuestion(f"input.cards_in_deal_order: {error}") from None
    result: dict[str, Any] = {
        "player_total": coup.player_total,
        "banker_total": coup.banker_total,
        "player_cards": len(coup.player),
        "banker_cards": len(coup.banker),
        "cards_used": coup.cards_used,
        "result": coup.result.value,
        "natural": coup.natural,
    }
    return Answer(result, coup.rules)


def _player_third_card(player_total: int, banker_total: int) -> Answer:
    action = player_action(player_total, banker_total)
    return Answer({"action": action.value}, ("19:47-7.9(a)" if action is Action.NATURAL else "19:47-7.9(b)",))


QUESTIONS: Mapping[str, Question] = {
    "round": Question(_round, {"cards_in_deal_order": cards(decks=DECKS)}, (BANKER_DRAWING,)),
    "player_third_card": Question(_player_third_card, {"player_total": integer(0, 9), "banker_total": integer(0, 9)}),
}
