"""What can be asked about Fast Action Hold'em."""

from collections.abc import Mapping

from feltrig.engine.cards import Card, names
from feltrig.engine.games.fast_action_holdem import ranking, settlement
from feltrig.engine.games.fast_action_holdem.houseway import DEALT, house_way, is_natural
from feltrig.engine.questions import Answer, Choice, Question, cards, cents, distinct, maybe, plain

_MOST = max(ranking.DECKS)
_DECKS = Choice("decks", ranking.DECKS)
_TIE_BREAK = Choice("tie_break", tuple(ranking.TieBreak), "PGP-04")
_COPIES = Choice("copies", tuple(settlement.Copies), "FAH-01")
_FOUR, _FIVE = cards(DEALT, decks=_MOST), cards(5, decks=_MOST)
_TWO, _BOARD = cards(ranking.KEPT, decks=_MOST), cards(ranking.COMMUNITY, decks=_MOST)


def _five_card_rank(cards: tuple[Card, ...]) -> Answer:
    found = ranking.rank_five(cards)
    result = {
        "category": found.category.name.lower(),
        "rank": found.category.place,
        "tiebreak_ranks": list(found.ranks),
    }
    return Answer(result, found.rules)


def _compare(player: tuple[Card, ...], dealer: tuple[Card, ...], tie_break: ranking.TieBreak) -> Answer:
    # Both hands may hold the same community cards, so any two of them can meet.
    found = ranking.compare(ranking.rank_five(player), ranking.rank_five(dealer), tie_break)
    higher = "player" if found.player_by > 0 else "dealer" if found.player_by < 0 else "copy"
    return Answer({"higher": higher}, found.rules)


def _best_of_seven(kept: tuple[Card, ...], community: tuple[Card, ...], decks: int) -> Answer:
    distinct(kept, community, decks=decks)
    found = ranking.best_of_seven(kept, community)
    result = {"category": found.category.name.lower(), "tiebreak_ranks": list(found.ranks)}
    return Answer(result, ("19:47-21.1[Five-card hand]", *found.rules))


def _dealer_house_way(cards: tuple[Card, ...]) -> Answer:
    if is_natural(cards):
        return Answer({"rule": "natural", "kept": None}, ("19:47-21.8(h)", "19:47-21.1[Natural]"))
    found = house_way(cards)
    return Answer({"rule": found.way, "kept": list(names(found.kept))}, found.rules)


def _natural(cards: tuple[Card, ...], wager_cents: int) -> Answer:
    natural = is_natural(cards)
    net = settlement.natural_net(wager_cents) if natural else None
    return Answer({"natural": natural, "net_cents": net}, ("19:47-21.1[Natural]", "19:47-21.8(b)"))


def _dealer_natural(dealer: tuple[Card, ...], player_wager_cents: int, player_split_wager_cents: int | None) -> Answer:
    split = player_split_wager_cents or 0
    settlement.check_split(player_wager_cents, split)
    if not is_natural(dealer):
        result = {"collected_cents": 0, "returned_cents": 0, "community_dealt": True}
        return Answer(result, ("19:47-21.1[Natural]", "19:47-21.8(g)", "19:47-21.8(j)"))
    found = settlement.dealer_natural(player_wager_cents, split)
    result = {"collected_cents": found.collected, "returned_cents": found.returned, "community_dealt": False}
    return Answer(result, ("19:47-21.1[Natural]", *found.rules))


def _surrender(wager_cents: int) -> Answer:
    return Answer({"net_cents": plain(settlement.surrender_net(wager_cents))}, ("19:47-21.8(f)",))


def _settle(
    player: tuple[Card, ...],
    dealer: tuple[Card, ...],
    community: tuple[Card, ...],
    wager_cents: int,
    decks: int,
    copies: settlement.Copies,
) -> Answer:
    distinct(player, dealer, community, decks=decks)
    mine, theirs = ranking.best_of_seven(player, community), ranking.best_of_seven(dealer, community)
    settled = settlement.settle(mine, theirs, wager_cents, settlement.Showdown(copies))
    result = {
        "player": mine.category.name.lower(),
        "dealer": theirs.category.name.lower(),
        "result": settled.outcome.value,
        "net_cents": settled.net,
        "source": "outside the rule text",
    }
    return Answer(result, settled.rules)


QUESTIONS: Mapping[str, Question] = {
    "five_card_rank": Question(_five_card_rank, {"cards": _FIVE}),
    "compare": Question(_compare, {"player": _FIVE, "dealer": _FIVE}, (_TIE_BREAK,)),
    "best_of_seven": Question(_best_of_seven, {"kept": _TWO, "community": _BOARD}, (_DECKS,)),
    "dealer_house_way": Question(_dealer_house_way, {"cards": _FOUR}),
    "natural": Question(_natural, {"cards": _FOUR, "wager_cents": cents}),
    "dealer_natural": Question(
        _dealer_natural, {"dealer": _FOUR, "player_wager_cents": cents, "player_split_wager_cents": maybe(cents)}
    ),
    "surrender": Question(_surrender, {"wager_cents": cents}),
    "settle": Question(
        _settle, {"player": _TWO, "dealer": _TWO, "community": _BOARD, "wager_cents": cents}, (_DECKS, _COPIES)
    ),
}
