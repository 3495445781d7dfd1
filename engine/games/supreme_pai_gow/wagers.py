"""The wagers of a round, and which are refused: 34.7, 34.15."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.positions import SEATS


@dataclass(frozen=True, slots=True)
class Wager:
    """What lies on one betting area, in cents. `player` tells whose it is; None: of somebody with no other area."""

    main: int
    bonus: int = 0
    player: str | None = None


def holder(seat: int, wager: Wager) -> str:
    """Whose wager it is."""
    return wager.player if wager.player is not None else f"seat {seat}"


def areas(wagers: Mapping[int, Wager], seat: int) -> tuple[int, ...]:
    """All betting areas of the player at the seat."""
    who = holder(seat, wagers[seat])
    return tuple(other for other in sorted(wagers) if holder(other, wagers[other]) == who)


def check(options: Options, wagers: Mapping[int, Wager]) -> None:
    """Raise Illegal when one of the wagers, or all of them together, are against the rules or the posted limits."""
    for seat, wager in wagers.items():
        if seat not in SEATS:
            raise Illegal(f"seat {seat}: no such betting area", "34.7(a)")
        _check_amounts(options, seat, wager)
    for seat in wagers:
        _check_areas(options, areas(wagers, seat))


def check_bonus(options: Options, seat: int, bonus: int) -> None:
    """Raise Illegal when the bonus wager is too small."""
    if bonus != 0 and bonus < options.bonus_minimum:
        raise Illegal(f"seat {seat}: bonus wager of {bonus}, the least is {options.bonus_minimum}", "34.7(d)")


def setting_order(wagers: Mapping[int, Wager], seats: Iterable[int]) -> tuple[int, ...]:
    """The seats counterclockwise, but a player's larger wager before the smaller one: 34.15(b)."""
    order: list[int] = []
    for seat in sorted(seats):
        if seat not in order:
            order += sorted(areas(wagers, seat), key=lambda area: (-wagers[area].main, area))
    playing = set(seats)
    return tuple(seat for seat in order if seat in playing)


def _check_amounts(options: Options, seat: int, wager: Wager) -> None:
    if wager.main <= 0 and wager.bonus > 0:
        raise Illegal(f"seat {seat}: a bonus wager goes with a main wager only", "34.7(d)")
    if wager.main <= 0:
        raise Illegal(f"seat {seat}: no main wager", "34.1 Supreme pai gow wager")
    # The table's minimum and maximum are posted by the house; no clause of the game sets them.
    if wager.main < options.table_minimum:
        raise Illegal(f"seat {seat}: wager of {wager.main}, the table minimum is {options.table_minimum}")
    check_bonus(options, seat, wager.bonus)
    most = options.table_maximum
    if most is not None and wager.main + wager.bonus > most:
        raise Illegal(f"seat {seat}: wagers of {wager.main + wager.bonus}, the table maximum is {most}")


def _check_areas(options: Options, taken: tuple[int, ...]) -> None:
    if len(taken) == 1:
        return
    places = " and ".join(map(str, taken))
    if not options.two_areas:
        raise Illegal(f"seats {places}: this table allows a player one betting area", "34.15(a)")
    if len(taken) > 2 or taken[1] - taken[0] != 1:
        raise Illegal(f"seats {places}: a player may have two adjacent betting areas", "34.15(a)")
