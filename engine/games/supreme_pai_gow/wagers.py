"""The wagers of a round, and which are refused: 34.7, 34.15."""

from collections.abc import Mapping

from feltrig.engine import tells
from feltrig.engine.games.supreme_pai_gow.banking import check_cover
from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.games.supreme_pai_gow.state import areas, players, state
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import House
from feltrig.engine.table.play import Play, Wagers
from feltrig.engine.table.positions import SEATS


def check(options: Options, house: House, wagers: Wagers) -> None:
    """Raise Illegal when one of the wagers is against the rules or the posted limits."""
    for seat, bets in wagers.items():
        if seat not in SEATS:
            raise Illegal(f"seat {seat}: no such betting area", "34.7(a)")
        _check_amounts(options, house, seat, bets)


def _check_amounts(options: Options, house: House, seat: int, bets: Mapping[str, int]) -> None:
    main, bonus = bets.get("main", 0), bets.get("bonus", 0)
    if main <= 0 and bonus > 0:
        raise Illegal(f"seat {seat}: a bonus wager goes with a main wager only", "34.7(d)")
    if main <= 0:
        raise Illegal(f"seat {seat}: no main wager", "34.1 Supreme pai gow wager")
    # The table's minimum and maximum are posted by the house; no clause of the game sets them.
    if main < house.table_minimum:
        raise Illegal(f"seat {seat}: wager of {main}, the table minimum is {house.table_minimum}")
    _check_bonus(options, seat, bonus)
    most = house.table_maximum
    if most is not None and main + bonus > most:
        raise Illegal(f"seat {seat}: wagers of {main + bonus}, the table maximum is {most}")


def _check_bonus(options: Options, seat: int, bonus: int) -> None:
    if bonus != 0 and bonus < options.bonus_minimum:
        raise Illegal(f"seat {seat}: bonus wager of {bonus}, the least is {options.bonus_minimum}", "34.7(d)")


def check_wager(play: Play, seen: tells.WagerPlaced) -> None:
    """Raise Illegal when a wager may not be made, changed or withdrawn now."""
    if play.bets_closed:
        raise Illegal("no more bets", "34.7(c)")
    bank, after = state(play).bank, _with_wager(play, seen)
    if seen.seat == bank:
        if seen.main:
            raise Illegal(f"seat {seen.seat}: the bank plays against all wagers and makes none", "34.1 Bank")
        _check_bonus(play.options, seen.seat, seen.bonus)
        return
    if not seen.main and seen.bonus:
        raise Illegal(f"seat {seen.seat}: a bonus wager goes with a main wager only", "34.7(d)")
    check(play.options, play.house, {seat: bets for seat, bets in after.items() if seat != bank})
    if bank is not None:
        check_cover(state(play).bank_chips, after, bank)


def place_wager(play: Play, seen: tells.WagerPlaced) -> None:
    """Take it into the round. A player who withdraws is not offered the bank."""
    play.wagers = _with_wager(play, seen)
    own = state(play)
    own.offers = tuple(seat for seat in own.offers if seat in play.wagers)


def _with_wager(play: Play, seen: tells.WagerPlaced) -> dict[int, dict[str, int]]:
    after = {seat: bets for seat, bets in play.wagers.items() if seat != seen.seat}
    if seen.main or seen.seat == state(play).bank:
        staked = {"bonus": seen.bonus, "main": seen.main}
        after[seen.seat] = {bet: amount for bet, amount in staked.items() if amount}
    return after


def setting_order(play: Play) -> tuple[int, ...]:
    """The players counterclockwise, but a player's larger wager before the smaller one: 34.15(b)."""
    playing = players(play)
    order: list[int] = []
    for seat in playing:
        if seat not in order:
            order += sorted(areas(play, seat), key=lambda area: (-play.stake(area, "main"), area))
    return tuple(seat for seat in order if seat in playing)
