"""What can be asked about Three Card Poker."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.cards import Card
from feltrig.engine.games.three_card_poker import settlement
from feltrig.engine.games.three_card_poker.settlement import TieBreak, qualifies
from feltrig.engine.questions import Answer, BadQuestion, Choice, Question, cards, cents, distinct, flag, maybe
from feltrig.engine.ranking.three_card import category, strength

_TIE_BREAK = Choice("tie_break", tuple(TieBreak), "PGP-04")
_DRAW = Choice("draw", tuple(settlement.Draw), "TCP-01")


def _settle(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...] | None,
    ante_cents: int | None,
    play: bool | None,
    pair_plus_cents: int | None,
    tie_break: TieBreak,
    draw: settlement.Draw,
) -> Answer:
    ante, pair_plus = ante_cents or 0, pair_plus_cents or 0
    if not ante and not pair_plus:
        raise BadQuestion("no wager: expected input.ante_cents, input.pair_plus_cents or both (19:47-20.6(a))")
    distinct(player, dealer or ())
    contest = _contest(player, dealer, ante, play, tie_break, draw)
    folded = contest is not None and contest.outcome is settlement.Outcome.FOLD
    on_pairs = settlement.settle_pair_plus(player, pair_plus, folded=folded)
    result = {
        "player": _category(player),
        "dealer": None if dealer is None else _category(dealer),
        "dealer_qualifies": None if dealer is None else qualifies(dealer),
        **_nets(contest),
        "pair_plus_net_cents": on_pairs.net,
    }
    rules = (*(contest.rules if contest else ()), *on_pairs.rules)
    return Answer(result, tuple(dict.fromkeys(rules)))


def _contest(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...] | None,
    ante: int,
    play: bool | None,
    tie_break: TieBreak,
    draw: settlement.Draw,
) -> settlement.ContestSettlement | None:
    """None for a player who competes against the pay table only: 20.6(a)2."""
    if not ante:
        return None
    if play is None:
        raise BadQuestion("input.play: missing; expected true or false after an ante (19:47-20.10(b))")
    if not play:
        return settlement.fold(ante)
    if dealer is None:
        raise BadQuestion("input.dealer: missing; expected 3 cards for a play wager to compete against")
    return settlement.settle_contest(player, dealer, ante, tie_break, draw)


def _nets(contest: settlement.ContestSettlement | None) -> dict[str, Any]:
    if contest is None:
        return {"result": None, "ante_net_cents": 0, "play_net_cents": 0, "ante_bonus_net_cents": 0}
    return {
        "result": contest.outcome.value,
        "ante_net_cents": contest.ante_net,
        "play_net_cents": contest.play_net,
        "ante_bonus_net_cents": contest.ante_bonus_net,
    }


def _category(hand: tuple[Card, ...]) -> str:
    return category(strength(hand)).name.lower()


QUESTIONS: Mapping[str, Question] = {
    "settle": Question(
        _settle,
        {
            "player": cards(3),
            "dealer": maybe(cards(3)),
            "ante_cents": maybe(cents),
            "play": maybe(flag),
            "pair_plus_cents": maybe(cents),
        },
        (_TIE_BREAK, _DRAW),
    )
}
