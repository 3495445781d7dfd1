"""What can be asked about Supreme Pai Gow, in New Jersey and in Massachusetts."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.cards import JOKERS, Card
from feltrig.engine.games.supreme_pai_gow import position_questions, ranking, settlement
from feltrig.engine.games.supreme_pai_gow.bonus import PAY_TABLE, AceRuns, BonusReadings, category, shared_royals
from feltrig.engine.games.supreme_pai_gow.position_questions import seat
from feltrig.engine.money import ROUNDING, Cents
from feltrig.engine.questions import (
    Answer,
    BadQuestion,
    Choice,
    Question,
    cards,
    cents,
    distinct,
    each,
    flag,
    maybe,
    one_of,
    plain,
    table,
)
from feltrig.engine.table.commission import Stake, VigorishOn
from feltrig.engine.table.positions import SEATS
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands

_EQUAL = Choice("equal_is_legal", (True, False), "SPG-02")
_SET_BY = Choice("set_by_high_card", (False, True), "SPG-03")
_ZERO = Choice("zero_by_arithmetic", (False, True), "SPG-04")
_HIGH_CARD = Choice("high_card", tuple(ranking.HighCard), "SPG-05")
_BONUS = (
    Choice("jokers_as_3_and_6", (True, False), "SPG-06b"),
    Choice("joker_completes_flush", (False, True), "SPG-07"),
    Choice("ace_runs", tuple(AceRuns), "SPG-08"),
)
_ROUNDING = Choice("rounding", tuple(ROUNDING), "SPG-10")
_SHARED = Choice("royals_always_share", (False, True), "SPG-11")
_VIGORISH_ON = Choice("vigorish_on", tuple(VigorishOn), "SPG-19")

LEAST_BONUS = 100
"""The least bonus wager, in cents: 34.7(d)."""
ROYALS = 4
"""One deck has no more royal flushes."""
_PLAYER = max(SEATS)
"""Any seat: a question about one player does not say which."""


def _bonus_wager(given: Any) -> int:
    wager = cents(given)
    if 0 < wager < LEAST_BONUS:
        raise BadQuestion(f"{wager} is less than {LEAST_BONUS}, the least bonus wager")
    return wager


_TWO, _FOUR, _AS_SET = (cards(*counts, jokers=len(JOKERS)) for counts in ((2,), (4,), ()))
_STAKE = {"wager_cents": cents, "outcome": one_of(*Outcome)}
_MAYBE_BONUS, _MAYBE_MINIMUM, _MAYBE_ROUNDED = maybe(_bonus_wager), maybe(cents), maybe(one_of(*ROUNDING))


def _four_cards(high: tuple[Card, ...], low: tuple[Card, ...]) -> None:
    if len(high) + len(low) != 4:
        raise BadQuestion(f"{len(high) + len(low)} cards set, expected 4")


def _by_seat(amounts: Mapping[int, Cents]) -> dict[str, Any]:
    return {str(seat): plain(amount) for seat, amount in amounts.items()}


def _two_card_rank(cards: tuple[Card, ...], high_card: ranking.HighCard) -> Answer:
    found = ranking.rank_two(cards, high_card)
    result = {
        "kind": found.kind.value,
        "pair_rank": found.pair_rank,
        "face": found.face,
        "points": found.points,
        "high_card": found.high_card,
        "joker_counted_as": found.joker_counted_as,
        "order": found.order,
    }
    return Answer(result, found.rules)


def _compare_hand(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    which: ranking.Hand,
    zero_by_arithmetic: bool,
    high_card: ranking.HighCard,
) -> Answer:
    distinct(player, dealer)
    own, other = ranking.rank_two(player, high_card), ranking.rank_two(dealer, high_card)
    rules = dict.fromkeys((*own.rules, *other.rules))
    if which is ranking.Hand.LOW and ranking.is_zero(own, zero_by_arithmetic):
        rules["34.3(d)"] = None
    elif own.level == other.level:
        rules["34.3(b)"] = None
    won = ranking.player_wins(own, other, which, zero_by_arithmetic)
    return Answer({"winner": "player" if won else "dealer"}, tuple(rules))


def _set_valid(
    high: tuple[Card, ...],
    low: tuple[Card, ...],
    equal_is_legal: bool,
    set_by_high_card: bool,
    high_card: ranking.HighCard,
) -> Answer:
    distinct(high, low)
    _four_cards(high, low)
    readings = ranking.Readings(set_by_high_card=set_by_high_card, high_card=high_card)
    fault = ranking.set_fault(high, low, equal_is_legal, readings)
    return Answer({"valid": fault is None}, ("34.12(a)", *([fault] if fault else [])))


def _bonus_category(cards: tuple[Card, ...], **chosen: Any) -> Answer:
    found = category(cards, BonusReadings(**chosen))
    if found is None:
        return Answer({"category": None, "odds_to_1": None}, ("34.3(c)",))
    line = PAY_TABLE[found]
    return Answer({"category": found.value, "odds_to_1": line.odds}, (line.rule, "34.14(a)"))


def _bonus(
    cards: tuple[Card, ...], wager: int | None, minimum: int | None, readings: BonusReadings
) -> settlement.BonusSettlement:
    least = LEAST_BONUS if minimum is None else minimum
    return settlement.settle_bonuses({_PLAYER: cards}, {_PLAYER: wager or 0}, least, readings).get(
        _PLAYER, settlement.NO_BONUS
    )


def _settled(settled: settlement.SeatSettlement) -> dict[str, Any]:
    return {
        "main_net_cents": plain(settled.main_net),
        "vigorish_cents": plain(settled.vigorish),
        "bonus_category": None if settled.bonus_category is None else settled.bonus_category.value,
        "bonus_net_cents": plain(settled.bonus_net),
    }


def _settle(
    player_high: tuple[Card, ...],
    player_low: tuple[Card, ...],
    dealer_high: tuple[Card, ...],
    dealer_low: tuple[Card, ...],
    wager_cents: int,
    bonus_wager_cents: int | None,
    vigorish_rounding: str | None,
    table_minimum_cents: int | None,
    equal_is_legal: bool,
    set_by_high_card: bool,
    zero_by_arithmetic: bool,
    high_card: ranking.HighCard,
    rounding: str,
    **chosen: Any,
) -> Answer:
    _four_cards(player_high, player_low)
    distinct(player_high, player_low, dealer_high, dealer_low)
    readings = ranking.Readings(set_by_high_card, zero_by_arithmetic, high_card)
    judged = settlement.judge(Hands(player_high, player_low), Hands(dealer_high, dealer_low), equal_is_legal, readings)
    dealt = (*player_high, *player_low)
    bonus = _bonus(dealt, bonus_wager_cents, table_minimum_cents, BonusReadings(**chosen))
    settled = settlement.settle_seat(_PLAYER, judged, wager_cents, vigorish_rounding or rounding, bonus)
    return Answer({"result": settled.outcome.value, **_settled(settled)}, settled.rules)


def _surrender(
    cards: tuple[Card, ...],
    wager_cents: int,
    bonus_wager_cents: int | None,
    table_minimum_cents: int | None,
    **chosen: Any,
) -> Answer:
    bonus = _bonus(cards, bonus_wager_cents, table_minimum_cents, BonusReadings(**chosen))
    settled = settlement.settle_seat(_PLAYER, settlement.SURRENDERED, wager_cents, bonus=bonus)
    return Answer(_settled(settled), settled.rules)


def _bonus_payout(
    cards: tuple[Card, ...], bonus_wager_cents: int, table_minimum_cents: int | None, **chosen: Any
) -> Answer:
    settled = _bonus(cards, bonus_wager_cents, table_minimum_cents, BonusReadings(**chosen))
    return Answer({"bonus_net_cents": plain(settled.net)}, settled.rules)


def _bonus_payout_multi_royal(
    royals: tuple[dict[str, Any], ...], table_minimum_cents: int | None, royals_always_share: bool
) -> Answer:
    wagers = _each_seat_once(royals, "bonus_wager_cents")
    if len(wagers) > ROYALS:
        raise BadQuestion(f"{len(wagers)} royal flushes, and a deck has {ROYALS}")
    least = LEAST_BONUS if table_minimum_cents is None else table_minimum_cents
    paid = shared_royals(wagers, least, always_share=royals_always_share)
    return Answer({"payouts_cents": _by_seat(paid)}, ("34.3(c)2", "34.14(a)", "34.14(b)"))


def _each_seat_once(rows: tuple[dict[str, Any], ...], key: str) -> dict[int, Any]:
    by_seat: dict[int, Any] = {}
    for row in rows:
        if row["seat"] in by_seat:
            raise BadQuestion(f"seat {row['seat']}: stands twice")
        by_seat[row["seat"]] = row[key]
    return by_seat


def _stake(given: Mapping[str, Any]) -> Stake:
    return Stake(given["wager_cents"], given["outcome"])


def _bank_settlement(
    wagers: tuple[dict[str, Any], ...],
    dealer_wager: dict[str, Any] | None,
    co_bank: bool | None,
    vigorish_rounding: str | None,
    rounding: str,
    vigorish_on: VigorishOn,
) -> Answer:
    stakes = _each_seat_once(tuple({"seat": row["seat"], "stake": _stake(row)} for row in wagers), "stake")
    dealer = None if dealer_wager is None else _stake(dealer_wager)
    rounded = vigorish_rounding or rounding
    settled = settlement.settle_bank(stakes, dealer, co_bank=bool(co_bank), rounding=rounded, vigorish_on=vigorish_on)
    result = {
        "players_net_cents": _by_seat(settled.players_net),
        "player_vigorish_cents": _by_seat(settled.player_vigorish),
        "surplus_cents": settled.surplus,
        "shortfall_cents": settled.shortfall,
        "bank_vigorish_cents": plain(settled.bank_vigorish),
        "bank_net_cents": plain(settled.bank_net),
        "dealer_wager_net_cents": plain(settled.dealer_wager_net),
        "house_share_net_cents": plain(settled.house_share_net),
        "odd_cent": settled.odd_cent,
    }
    return Answer(result, settled.rules)


QUESTIONS: Mapping[str, Question] = {
    "two_card_rank": Question(_two_card_rank, {"cards": _TWO}, (_HIGH_CARD,)),
    "compare_hand": Question(
        _compare_hand, {"player": _TWO, "dealer": _TWO, "which": one_of(*ranking.Hand)}, (_ZERO, _HIGH_CARD)
    ),
    "set_valid": Question(_set_valid, {"high": _AS_SET, "low": _AS_SET}, (_EQUAL, _SET_BY, _HIGH_CARD)),
    "bonus_category": Question(_bonus_category, {"cards": _FOUR}, _BONUS),
    "settle": Question(
        _settle,
        {
            "player_high": _AS_SET,
            "player_low": _AS_SET,
            "dealer_high": _TWO,
            "dealer_low": _TWO,
            "wager_cents": cents,
            "bonus_wager_cents": _MAYBE_BONUS,
            "vigorish_rounding": _MAYBE_ROUNDED,
            "table_minimum_cents": _MAYBE_MINIMUM,
        },
        (_EQUAL, _SET_BY, _ZERO, _HIGH_CARD, _ROUNDING, *_BONUS),
    ),
    "surrender": Question(
        _surrender,
        {
            "cards": _FOUR,
            "wager_cents": cents,
            "bonus_wager_cents": _MAYBE_BONUS,
            "table_minimum_cents": _MAYBE_MINIMUM,
        },
        _BONUS,
    ),
    "bonus_payout": Question(
        _bonus_payout,
        {"cards": _FOUR, "bonus_wager_cents": _bonus_wager, "table_minimum_cents": _MAYBE_MINIMUM},
        _BONUS,
    ),
    "bonus_payout_multi_royal": Question(
        _bonus_payout_multi_royal,
        {
            "royals": each(table({"seat": seat, "bonus_wager_cents": _bonus_wager})),
            "table_minimum_cents": _MAYBE_MINIMUM,
        },
        (_SHARED,),
    ),
    **position_questions.QUESTIONS,
    "bank_settlement": Question(
        _bank_settlement,
        {
            "wagers": each(table({"seat": seat, **_STAKE})),
            "dealer_wager": maybe(table(_STAKE)),
            "co_bank": maybe(flag),
            "vigorish_rounding": _MAYBE_ROUNDED,
        },
        (_ROUNDING, _VIGORISH_ON),
    ),
}
