"""What the oracle can be asked about blackjack."""

from collections.abc import Mapping
from dataclasses import replace

from feltrig.engine.cards import Card
from feltrig.engine.games.blackjack import settlement
from feltrig.engine.games.blackjack.decisions import check_double, check_insurable, check_insurance, check_split
from feltrig.engine.games.blackjack.options import Options, SecondCard
from feltrig.engine.games.blackjack.points import Count
from feltrig.engine.money import exact
from feltrig.engine.questions import (
    Answer,
    BadQuestion,
    Choice,
    Field,
    Question,
    card,
    cents,
    flag,
    integer,
    maybe,
    plain,
)

CHIP_UNIT = Choice("chip_unit_cents", (100, 1, 5, 25, 50, 250, 500, 2500, 10000), "BJ-03")
"""Chip values are the house's own: outside the rule text."""
SECOND_CARD = Choice("second_card", tuple(SecondCard), "BJ-01")
MULTIPLE_ACTION = Choice("multiple_action", (False, True))
PROGRESSIVE = Choice("progressive", (False, True))
ORIGINAL_ONLY = Choice("original_only", ("doubles", "doubles_and_splits"), "BJ-02")

TOTAL = integer(4, 31)
"""Two deuces to a card drawn on a hard 21, which the text does not forbid."""


def _insured(options: Options, upcard: Card, wager: int, insurance: int | None) -> int:
    """The insurance that was placed, once it is known to be legal."""
    if insurance:
        check_insurance(options, upcard, wager, insurance)
    return insurance or 0


def _with_insurance(main: settlement.Settlement, dealer_second: Card | None, insured: int) -> Answer:
    """Two wagers of one player: each is settled separately, and the net is the sum."""
    settled = [main, settlement.settle_insurance(dealer_second, insured)] if insured else [main]
    net = exact(sum(each.net for each in settled))
    rules = tuple(rule for each in settled for rule in each.rules)
    return Answer({"net_cents": plain(net), "paid": main.paid.value}, rules)


def _player_blackjack(
    upcard: Card,
    dealer_second: Card | None,
    wager_cents: int,
    insurance_cents: int | None,
    consolidated_option: bool | None,
    chip_unit_cents: int,
) -> Answer:
    insured = _insured(Options(chip_unit=chip_unit_cents), upcard, wager_cents, insurance_cents)
    if consolidated_option and settlement.consolidates(upcard, wager_cents, insured):
        return _with_insurance(settlement.settle_consolidated(wager_cents), dealer_second, 0)
    return _with_insurance(settlement.settle_blackjack(upcard, dealer_second, wager_cents), dealer_second, insured)


def _surrender(
    upcard: Card,
    dealer_second: Card | None,
    wager_cents: int,
    insurance_cents: int | None,
    chip_unit_cents: int,
    second_card: SecondCard,
    multiple_action: bool,
    progressive: bool,
) -> Answer:
    options = Options(
        second_card=second_card,
        surrender=True,
        multiple_action=multiple_action,
        progressive=progressive,
        notices=frozenset(("surrender",)),
        chip_unit=chip_unit_cents,
    )
    insured = _insured(options, upcard, wager_cents, insurance_cents)
    answer = _with_insurance(settlement.settle_surrender(upcard, dealer_second, wager_cents), dealer_second, insured)
    return replace(answer, clauses=(*answer.clauses, "19:47-2.8(b)")) if insured else answer


def _insurance(upcard: Card, dealer_second: Card | None, insurance_cents: int, second_card: SecondCard) -> Answer:
    check_insurable(Options(second_card=second_card, notices=frozenset(("second_card",))), upcard)
    settled = settlement.settle_insurance(dealer_second, insurance_cents)
    return Answer({"net_cents": settled.net}, settled.rules)


def _double_then_dealer_blackjack(
    wager_cents: int, double_cents: int, split_cents: int | None, original_only: str
) -> Answer:
    if double_cents:
        check_double(wager_cents, double_cents)
    if split_cents:
        check_split(wager_cents, split_cents)
    settled = settlement.lost_to_blackjack(wager_cents, split_cents or 0, original_only == "doubles_and_splits")
    return Answer({"net_cents": settled.net}, settled.rules)


def _face_up_hole_variant(
    player_total: int, dealer_total: int, player_blackjack: bool, dealer_blackjack: bool, wager_cents: int
) -> Answer:
    try:
        player = Count(player_total, blackjack=player_blackjack)
        dealer = Count(dealer_total, blackjack=dealer_blackjack)
    except ValueError as error:
        raise BadQuestion(f"input: {error}") from None
    settled = settlement.settle_face_up(player, dealer, wager_cents)
    return Answer({"net_cents": settled.net}, settled.rules)


QUESTIONS: Mapping[str, Question] = {
    "player_blackjack_vs_upcard": Question(
        _player_blackjack,
        {
            "upcard": card(),
            "dealer_second": maybe(card()),
            "wager_cents": cents,
            "insurance_cents": maybe(cents),
            "consolidated_option": maybe(flag),
        },
        (CHIP_UNIT,),
    ),
    "surrender": Question(
        _surrender,
        {"upcard": card(), "dealer_second": maybe(card()), "wager_cents": cents, "insurance_cents": maybe(cents)},
        (CHIP_UNIT, SECOND_CARD, MULTIPLE_ACTION, PROGRESSIVE),
    ),
    "insurance": Question(
        _insurance, {"upcard": card(), "dealer_second": maybe(card()), "insurance_cents": cents}, (SECOND_CARD,)
    ),
    "double_then_dealer_blackjack": Question(
        _double_then_dealer_blackjack,
        {"wager_cents": cents, "double_cents": cents, "split_cents": maybe(cents)},
        (ORIGINAL_ONLY,),
    ),
    "face_up_hole_variant": Question(
        _face_up_hole_variant,
        {
            "player_total": TOTAL,
            "dealer_total": TOTAL,
            "player_blackjack": Field(flag, False),
            "dealer_blackjack": Field(flag, False),
            "wager_cents": cents,
        },
    ),
}
