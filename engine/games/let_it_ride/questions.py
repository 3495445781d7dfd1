"""What can be asked about Let It Ride."""

from collections.abc import Mapping

from feltrig.engine.cards import Card
from feltrig.engine.games.let_it_ride.settlement import BonusStake, LimitApplies, settle_bets, settle_bonus
from feltrig.engine.questions import Answer, Choice, Question, cards, cents, distinct, flag, integer, maybe

_BONUS_STAKE = Choice("bonus_stake", tuple(BonusStake), "LIR-03")
_LIMIT = Choice("payout_limit", tuple(LimitApplies), "LIR-04")


def _settle(
    player_cards: tuple[Card, ...],
    community: tuple[Card, ...],
    unit_cents: int,
    bet1_rides: bool,
    bet2_rides: bool,
    bonus_wager_cents: int | None,
    payout_limit_cents: int | None,
    bonus_stake: BonusStake,
    payout_limit: LimitApplies,
) -> Answer:
    hand = (*player_cards, *community)
    distinct(hand)
    bets = settle_bets(
        hand,
        unit_cents,
        first_rides=bet1_rides,
        second_rides=bet2_rides,
        limit=payout_limit_cents,
        limit_applies=payout_limit,
    )
    bonus = settle_bonus(hand, bonus_wager_cents or 0, bonus_stake)
    result = {
        "category": bets.category.name.lower(),
        "odds_to_1": bets.odds,
        "wagers_at_risk": bets.at_risk,
        "net_cents": bets.net,
        "bonus_payout_cents": bonus.payout,
        "bonus_net_cents": bonus.net,
    }
    return Answer(result, (*bets.rules, *bonus.rules))


QUESTIONS: Mapping[str, Question] = {
    "settle": Question(
        _settle,
        {
            "player_cards": cards(3),
            "community": cards(2),
            "unit_cents": integer(1),  # three wagers are required: 18.6(d)
            "bet1_rides": flag,
            "bet2_rides": flag,
            "bonus_wager_cents": maybe(cents),
            "payout_limit_cents": maybe(cents),
        },
        (_BONUS_STAKE, _LIMIT),
    )
}
