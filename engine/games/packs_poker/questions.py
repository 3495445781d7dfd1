"""What can be asked about Pack's Poker."""

from collections.abc import Mapping, Sequence
from typing import Any

from feltrig.engine.cards import Card
from feltrig.engine.games.packs_poker import paytables
from feltrig.engine.games.packs_poker.hands import five_card_hands, seven_card_hands
from feltrig.engine.games.packs_poker.paytables import PayTables
from feltrig.engine.games.packs_poker.progressive import PERCENTS, MeterAward, award_in_sequence, settle_pack
from feltrig.engine.games.packs_poker.readings import (
    Kickers,
    MeterShare,
    Multiples,
    Readings,
    RepeatedJackpot,
    SinglePayout,
    TopHand,
)
from feltrig.engine.games.packs_poker.settlement import BonusSettlement, settle_bonus, settle_packs_bet
from feltrig.engine.games.packs_poker.wagers import PACKS, SEATS
from feltrig.engine.questions import (
    Answer,
    BadQuestion,
    Choice,
    Field,
    Question,
    Read,
    cards,
    cents,
    distinct,
    each,
    flag,
    integer,
    maybe,
    one_of,
    table,
)

_KICKERS = Choice("kickers", tuple(Kickers), "PP-13")
_TOP_HAND = Choice("seven_card_top_hand", tuple(TopHand), "PP-01")
_SINGLE_PAYOUT = Choice("single_payout", tuple(SinglePayout), "PP-02")
_MULTIPLES = Choice("progressive_multiples", tuple(Multiples), "PP-04")
_METER_SHARE = Choice("meter_share", tuple(MeterShare), "PP-05")
_REPEATED = Choice("repeated_jackpot", tuple(RepeatedJackpot), "PP-09")


def _packs_bet(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    pack: tuple[Card, ...],
    wager_cents: int,
    no_pair_higher_pushes: bool | None,
    kickers: Kickers,
) -> Answer:
    distinct(player, dealer, pack)
    settled = settle_packs_bet(
        player, dealer, pack, wager_cents, bool(no_pair_higher_pushes), Readings(kickers=kickers)
    )
    result = {
        "player_category": settled.player.name.lower(),
        "dealer_category": settled.dealer.name.lower(),
        "result": settled.outcome.value,
        "net_cents": settled.net,
    }
    return Answer(result, settled.rules)


def _five_card_bonus(
    cards: tuple[Card, ...],
    wager_cents: int,
    meter_cents: int | None,
    single_payout: SinglePayout,
    progressive_multiples: Multiples,
) -> Answer:
    readings = Readings(single_payout=single_payout, multiples=progressive_multiples)
    hands = five_card_hands(cards)
    fixed = _fixed(hands, paytables.FIVE_CARD, wager_cents, readings)
    progressive = _progressive(hands, paytables.FIVE_CARD_PROGRESSIVE, wager_cents, meter_cents, readings)
    return _bonus_answer({"category": hands[-1]}, fixed, progressive)


def _seven_card_bonus(
    cards: tuple[Card, ...],
    wager_cents: int,
    meter_cents: int | None,
    seven_card_top_hand: TopHand,
    single_payout: SinglePayout,
    progressive_multiples: Multiples,
) -> Answer:
    readings = Readings(single_payout=single_payout, multiples=progressive_multiples)
    hands = seven_card_hands(cards, seven_card_top_hand)
    fixed = _fixed(hands, paytables.SEVEN_CARD, wager_cents, readings)
    progressive = _progressive(hands, paytables.SEVEN_CARD_PROGRESSIVE, wager_cents, meter_cents, readings)
    return _bonus_answer({"best_five_category": hands[-1]}, fixed, progressive)


def _fixed(hands: Sequence[str], tables: PayTables, wager: int, readings: Readings) -> dict[str, BonusSettlement]:
    """The wager by the letter of the table."""
    return {letter: settle_bonus(hands, tables, letter, wager, readings) for letter in tables.tables}


def _progressive(
    hands: Sequence[str], tables: PayTables, wager: int, meter: int | None, readings: Readings
) -> dict[str, BonusSettlement] | None:
    """The wager by the letter of the table when nobody else wins; None when there is no meter."""
    if meter is None:
        return None
    return {
        letter: settle_pack({1: hands}, tables, letter, {1: wager}, meter, readings).seats[1]
        for letter in tables.tables
    }


def _bonus_answer(
    held: dict[str, Any], fixed: dict[str, BonusSettlement], progressive: dict[str, BonusSettlement] | None
) -> Answer:
    result = held | _by_table("", fixed) | _by_table("progressive_", progressive)
    settled = (*fixed.values(), *(progressive or {}).values())
    return Answer(result, tuple(dict.fromkeys(rule for bonus in settled for rule in bonus.rules)))


def _by_table(prefix: str, settled: dict[str, BonusSettlement] | None) -> dict[str, Any]:
    return {
        f"{prefix}paid_as_by_table": settled and {letter: bonus.paid_as for letter, bonus in settled.items()},
        f"{prefix}net_cents_by_table": settled and {letter: bonus.net for letter, bonus in settled.items()},
    }


def _progressive_meter(
    wager: str,
    meter_cents: int,
    qualifiers: tuple[dict[str, Any], ...],
    reset_cents: int | None,
    meter_share: MeterShare,
    repeated_jackpot: RepeatedJackpot,
) -> Answer:
    packs: dict[int, dict[int, int]] = {pack: {} for pack in PACKS}
    for qualifier in qualifiers:
        seat, percent, pack = qualifier["seat"], qualifier["percent"], qualifier["pack"]
        if percent not in PERCENTS[wager]:
            raise BadQuestion(
                f"input.qualifiers: seat {seat}: {percent}% of the meter is not an award of the {wager} bonus"
            )
        if seat in packs[pack]:
            raise BadQuestion(f"input.qualifiers: seat {seat} stands twice on pack {pack}")
        packs[pack][seat] = percent
    readings = Readings(meter_share=meter_share, repeated_jackpot=repeated_jackpot)
    awards = award_in_sequence(wager, meter_cents, tuple(packs.values()), reset_cents or 0, readings)
    if reset_cents is None and _awarded_after_a_jackpot(awards):
        raise BadQuestion("input.reset_cents: missing; a pack is settled after the whole meter was won on another")
    reset_due = any(award.jackpot for award in awards)
    result = {
        "payouts_cents": {
            str(seat): sum(award.payouts.get(seat, 0) for award in awards)
            for seat in dict.fromkeys(seat for award in awards for seat in award.payouts)
        },
        "payouts_cents_by_pack": {
            str(pack): {str(seat): paid for seat, paid in award.payouts.items()}
            for pack, award in zip(PACKS, awards, strict=True)
            if award.payouts
        },
        "left_cents": next((award.left for award in reversed(awards) if award.payouts), meter_cents),
        "reset_due": reset_due,
        "meter_after_cents": None if reset_due and reset_cents is None else awards[-1].next_reading(reset_cents or 0),
    }
    rules = ("13:69F-43.12(b)", *(rule for award in awards for rule in award.rules))
    return Answer(result, tuple(dict.fromkeys(rules)))


def _awarded_after_a_jackpot(awards: Sequence[MeterAward]) -> bool:
    won = [award.jackpot for award in awards]
    return any(award.payouts and any(won[:place]) for place, award in enumerate(awards))


_BONUS_FIELDS: Mapping[str, Field | Read] = {"wager_cents": cents, "meter_cents": maybe(cents)}

QUESTIONS: Mapping[str, Question] = {
    "packs_bet": Question(
        _packs_bet,
        {
            "player": cards(5),
            "dealer": cards(5),
            "pack": cards(2),
            "wager_cents": cents,
            "no_pair_higher_pushes": maybe(flag),
        },
        (_KICKERS,),
    ),
    "five_card_bonus": Question(_five_card_bonus, {"cards": cards(5), **_BONUS_FIELDS}, (_SINGLE_PAYOUT, _MULTIPLES)),
    "seven_card_bonus": Question(
        _seven_card_bonus, {"cards": cards(7), **_BONUS_FIELDS}, (_TOP_HAND, _SINGLE_PAYOUT, _MULTIPLES)
    ),
    "progressive_meter": Question(
        _progressive_meter,
        {
            "wager": one_of(*PERCENTS),
            "meter_cents": cents,
            "qualifiers": each(
                table(
                    {"seat": integer(SEATS[0], SEATS[-1]), "percent": one_of(10, 100), "pack": Field(one_of(*PACKS), 1)}
                )
            ),
            "reset_cents": maybe(cents),
        },
        (_METER_SHARE, _REPEATED),
    ),
}
