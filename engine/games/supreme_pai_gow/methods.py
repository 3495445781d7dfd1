"""The clauses of Supreme Pai Gow: those of the steps that all card tables share, and those of each dealing method."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltrig.engine.asks import Rules
from feltrig.engine.games.supreme_pai_gow.state import state
from feltrig.engine.table.house import Deal, Method, TableRules
from feltrig.engine.table.play import Play

_COUNTED = ("34.8(d)",), ("34.8(e)",)
"""When the stub is counted, and when it need not be."""

RULES = TableRules(
    deck=("34.2(a)",),
    second_deck=("34.2(b)",),
    backs=("34.2(b)2",),
    shuffle_waiting=("34.2(b)3",),
    wrong_deck=("34.2(b)3",),
    alternate=("34.2(b)4",),
    shuffle=("34.6(a)",),
    cut=("34.6(b)2", "34.6(d)3"),
    cut_by=("34.6(c)",),
    cut_depth=("34.6(e)",),
    recut=("34.6(f)",),
    idle=("34.6(g)",),
    collect=("34.12(j)",),
    two_areas=("34.15(a)",),
    remove_device=("34.16(o)",),
    methods={
        Deal.MANUAL_SHOE: Method(("34.8(a)",), ("34.8(c)",), ("34.8(d)1",), *_COUNTED, load=("34.8(a)",)),
        Deal.HAND: Method(("34.9(b)2",), ("34.9(c)",), ("34.9(d)",), *_COUNTED),
        Deal.AUTOMATED_SHOE: Method(("34.10(b)2",), ("34.10(d)",), ("34.10(e)",), *_COUNTED, load=("34.10(b)1",)),
    },
)


@dataclass(frozen=True, slots=True)
class OwnMethod:
    """The clauses of what each dealing method does in its own way, and other games do not."""

    start: Rules
    unbet: Rules
    bank_shakes: Rules
    bank_selects: Rules
    bank_is_one: Rules


METHODS: Mapping[Deal, OwnMethod] = {
    Deal.MANUAL_SHOE: OwnMethod(("34.8(b)",), ("34.8(f)",), ("34.13(h)1",), ("34.13(h)2",), ("34.13(h)3",)),
    Deal.HAND: OwnMethod(("34.9(e)",), ("34.9(g)",), ("34.13(i)2",), ("34.13(i)3",), ("34.13(i)4",)),
    Deal.AUTOMATED_SHOE: OwnMethod(("34.10(c)",), ("34.10(f)",), ("34.13(j)1",), ("34.13(j)2",), ("34.13(j)3",)),
}


def delivery_rules(play: Play) -> Rules:
    """Which stack of a hand deal goes where."""
    return ("34.9(f)",) if state(play).bank is None else ("34.13(i)5",)


def cut_rules(play: Play) -> Rules:
    """Who is offered the cut: 34.6(d)."""
    if state(play).bank is not None:
        return ("34.6(b)2", "34.6(d)2")
    return ("34.6(b)2", "34.6(d)1") if play.memory.start_of_game else RULES.cut
