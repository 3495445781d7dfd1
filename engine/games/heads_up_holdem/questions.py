"""What can be asked about Heads Up Hold'em."""

from collections.abc import Mapping

from feltrig.engine.cards import Card
from feltrig.engine.games.heads_up_holdem import settlement
from feltrig.engine.games.heads_up_holdem.paytables import BAD_BEAT, POCKET_BONUS, TRIPS_PLUS
from feltrig.engine.games.heads_up_holdem.readings import (
    PocketPairs,
    Readings,
    TieBreak,
    TripsPlusOnFold,
    UnqualifiedHigher,
)
from feltrig.engine.games.heads_up_holdem.wagers import MOVES, Street
from feltrig.engine.questions import Answer, Choice, Question, cards, cents, distinct, maybe, one_of, plain
from feltrig.engine.ranking.poker import category, strength

_TIE_BREAK = Choice("tie_break", tuple(TieBreak), "PGP-04")
_UNQUALIFIED = Choice("unqualified_dealer_higher", tuple(UnqualifiedHigher), "HUH-09")
_TRIPS_PLUS_ON_FOLD = Choice("trips_plus_on_fold", tuple(TripsPlusOnFold), "HUH-08")
_POCKET_PAIRS = Choice("pocket_pairs", tuple(PocketPairs), "HUH-01")
_BAD_BEAT = Choice("bad_beat_table", tuple(BAD_BEAT), "HUH-03")

_RAISES = MOVES[Street.HOLE_CARDS].multiples
"""Before the flop a player may raise by all that any street allows."""


def _settle(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    board: tuple[Card, ...],
    ante_cents: int,
    raise_multiple: int | None,
    trips_plus_cents: int | None,
    trips_plus_table: int | None,
    pocket_bonus_cents: int | None,
    pocket_bonus_table: int | None,
    tie_break: TieBreak,
    unqualified_dealer_higher: UnqualifiedHigher,
    trips_plus_on_fold: TripsPlusOnFold,
    pocket_pairs: PocketPairs,
    bad_beat_table: str,
) -> Answer:
    distinct(player, dealer, board)
    readings = Readings(tie_break, unqualified_dealer_higher, trips_plus_on_fold, pocket_pairs)
    mine, theirs = strength((*player, *board)), strength((*dealer, *board))
    main = _main(mine, theirs, ante_cents, raise_multiple, readings, bad_beat_table)
    folded = main.outcome is settlement.Outcome.FOLD
    trips = settlement.settle_trips_plus(mine, trips_plus_cents or 0, trips_plus_table or 1, folded, readings)
    pocket = settlement.settle_pocket_bonus(player, pocket_bonus_cents or 0, pocket_bonus_table or 1, readings)
    result = {
        "player": category(mine).name.lower(),
        "dealer": category(theirs).name.lower(),
        "pocket_net_cents": plain(pocket.net),
        "trips_net_cents": plain(trips.net),
        "dealer_qualifies": settlement.qualifies(theirs),
        "result": main.outcome.value,
        "ante_net_cents": main.ante_net,
        "raise_net_cents": main.raise_net,
        "odds_net_cents": plain(main.odds_net),
    }
    return Answer(result, tuple(dict.fromkeys((*main.rules, *trips.rules, *pocket.rules))))


def _main(
    mine: int, theirs: int, ante: int, multiple: int | None, readings: Readings, bad_beat_table: str
) -> settlement.MainSettlement:
    if multiple is None:
        return settlement.fold(ante)
    return settlement.settle_main(mine, theirs, ante, multiple * ante, readings, bad_beat=BAD_BEAT[bad_beat_table])


def _pocket_bonus(cards: tuple[Card, ...], pocket_pairs: PocketPairs) -> Answer:
    held = settlement.pocket_hand(cards, pocket_pairs)
    odds = {str(number): table[held] for number, table in POCKET_BONUS.items()} if held else None
    return Answer({"category": held, "odds_to_1": odds}, ("13:69F-39.11(i)", "13:69F-39.1[pocket-bonus-wager]"))


QUESTIONS: Mapping[str, Question] = {
    "settle": Question(
        _settle,
        {
            "player": cards(2),
            "dealer": cards(2),
            "board": cards(5),
            "ante_cents": cents,
            "raise_multiple": maybe(one_of(*_RAISES)),
            "trips_plus_cents": maybe(cents),
            "trips_plus_table": maybe(one_of(*TRIPS_PLUS)),
            "pocket_bonus_cents": maybe(cents),
            "pocket_bonus_table": maybe(one_of(*POCKET_BONUS)),
        },
        (_TIE_BREAK, _UNQUALIFIED, _TRIPS_PLUS_ON_FOLD, _POCKET_PAIRS, _BAD_BEAT),
    ),
    "pocket_bonus": Question(_pocket_bonus, {"cards": cards(2)}, (_POCKET_PAIRS,)),
}
