"""What can be asked about pai gow poker."""

from collections.abc import Mapping

from feltrig.engine.cards import Card
from feltrig.engine.games.pai_gow_poker.ranking import Readings, TieBreak, compare_high, rank_high, rank_low
from feltrig.engine.questions import Answer, Choice, Question, cards, distinct, maybe, one_of
from feltrig.engine.ranking.pai_gow_poker import FlushJoker, Wheel

_WHEEL = Choice("wheel", tuple(Wheel), "PGP-01")
_FLUSH_JOKER = Choice("flush_joker", tuple(FlushJoker), "PGP-03")
_TIE_BREAK = Choice("tie_break", tuple(TieBreak), "PGP-04")

_WHEEL_OPTION = maybe(one_of(*_WHEEL.values))
"""The licensee's choice of 11.3(d) for this question alone."""


def _high_hand_rank(
    cards: tuple[Card, ...], wheel_option: Wheel | None, wheel: Wheel, flush_joker: FlushJoker
) -> Answer:
    found = rank_high(cards, Readings(wheel_option or wheel, flush_joker))
    result = {
        "category": found.category.name.lower(),
        "straight_top": found.straight_top,
        "ranks": None if found.ranks is None else list(found.ranks),
    }
    return Answer(result, found.rules)


def _compare_high(
    first: tuple[Card, ...],
    second: tuple[Card, ...],
    wheel_option: Wheel | None,
    wheel: Wheel,
    flush_joker: FlushJoker,
    tie_break: TieBreak,
) -> Answer:
    distinct(first, second)
    readings = Readings(wheel_option or wheel, flush_joker, tie_break)
    found = compare_high(first, second, readings)
    higher = "first" if found.first_by > 0 else "second" if found.first_by < 0 else "copy"
    return Answer({"higher": higher}, found.rules)


def _low_hand_rank(cards: tuple[Card, ...]) -> Answer:
    found = rank_low(cards)
    return Answer({"category": found.category.name.lower(), "ranks": list(found.ranks or ())}, found.rules)


QUESTIONS: Mapping[str, Question] = {
    "high_hand_rank": Question(
        _high_hand_rank, {"cards": cards(5, jokers=1), "wheel_option": _WHEEL_OPTION}, (_WHEEL, _FLUSH_JOKER)
    ),
    "compare_high": Question(
        _compare_high,
        {"first": cards(5, jokers=1), "second": cards(5, jokers=1), "wheel_option": _WHEEL_OPTION},
        (_WHEEL, _FLUSH_JOKER, _TIE_BREAK),
    ),
    "low_hand_rank": Question(_low_hand_rank, {"cards": cards(2, jokers=1)}),
}
