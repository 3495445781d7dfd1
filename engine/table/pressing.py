"""What comes before anything that a script wants: it can become due between any two asks."""

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Ask
from feltrig.engine.table.play import Play
from feltrig.engine.table.steps import check_shuffle, do_shuffle, to_shuffle_waiting
from feltrig.engine.tells import Tell


def pressing(play: Play) -> Ask | None:
    """A failed device is cleared first. Then a player whose card was exposed decides. Then the shuffle of the other
    deck starts again, if it was interrupted."""
    if play.jammed:
        return asks.ClearDevice(*next(iter(play.jammed.items())))
    if play.undecided:
        return asks.DecideExposed(*next(iter(play.undecided.items())))
    return to_shuffle_waiting(play) if play.waiting_begun and not play.over else None


def check_pressing(play: Play, ask: Ask, seen: Tell) -> None:
    """Raise Illegal or OutOfTurn unless this answers the ask."""
    match ask, seen:
        case asks.ClearDevice(), tells.DeviceCleared():
            expect(seen.device == ask.device, ask, seen)
        case asks.DecideExposed(), tells.PlayedOn() | tells.HandVoided():
            expect(seen.seat == ask.seat, ask, seen)
        case _:
            check_shuffle(play, ask, seen)


def do_pressing(play: Play, seen: Tell) -> None:
    """Take the answer into the round."""
    match seen:
        case tells.DeviceCleared():
            del play.jammed[seen.device]
        case tells.PlayedOn():
            del play.undecided[seen.seat]
        case tells.HandVoided():
            del play.undecided[seen.seat]
            play.voided.add(seen.seat)
        case _:
            do_shuffle(play, seen)
