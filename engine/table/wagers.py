"""The bets of a game as data, and which wagers are refused."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import House
from feltrig.engine.table.play import Wagers


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet that can lie at a seat before the deal."""

    name: str
    rules: Rules
    required: bool = False
    """Nobody plays without it."""
    needs: tuple[str, ...] = ()
    """It goes with one of these bets only."""
    equals: str | None = None
    """It is as much as that bet."""
    fixed: int | None = None
    """It is exactly so much, in cents."""
    minimum: int | None = None
    """The least, in cents; None for the table's minimum."""
    maximum: int | None = None


def check_bets(bets: Iterable[Bet], house: House, seats: int, rules: Rules, wagers: Wagers) -> None:
    """Raise Illegal when a wager is against the rules or the posted limits. `rules` speak of wagers in general."""
    known = {bet.name: bet for bet in bets}
    for seat, staked in wagers.items():
        if not 1 <= seat <= seats:
            raise Illegal(f"seat {seat}: no such betting area, expected 1 to {seats}", *rules)
        placed = {name: amount for name, amount in staked.items() if amount}
        if not placed:
            raise Illegal(f"seat {seat}: no wager", *rules)
        for name in placed:
            if name not in known:
                raise Illegal(f"seat {seat}: no bet {name!r}, expected {', '.join(known)}", *rules)
        for bet in known.values():
            _check_bet(bet, house, seat, placed)


def in_order(bets: Mapping[str, int]) -> dict[str, int]:
    """The bets of a seat sorted by name, without empty ones, so that they are always settled in the same order."""
    return {bet: amount for bet, amount in sorted(bets.items()) if amount}


def wagers_to_record(wagers: Wagers) -> dict[str, dict[str, int]]:
    """Wagers as plain JSON values."""
    return {str(seat): dict(bets) for seat, bets in wagers.items()}


def wagers_from_record(record: Mapping[str, Mapping[str, int]]) -> Wagers:
    """The wagers that were recorded."""
    return {int(seat): dict(bets) for seat, bets in record.items()}


def check_areas(house: House, rules: Rules, owners: Mapping[int, str]) -> None:
    """Raise Illegal when a player has more betting areas than the house allows: one, or two that are adjacent."""
    for owner in dict.fromkeys(owners.values()):
        seats = sorted(seat for seat, name in owners.items() if name == owner)
        if len(seats) > 1 and not house.two_areas:
            raise Illegal(f"{owner}: this table allows a player one betting area", *rules)
        if len(seats) > 2 or seats[-1] - seats[0] > 1:
            raise Illegal(f"{owner}: a player may have two adjacent betting areas", *rules)


def _check_bet(bet: Bet, house: House, seat: int, placed: Mapping[str, int]) -> None:
    where = f"seat {seat}: {bet.name}"
    amount = placed.get(bet.name, 0)
    if not amount:
        if bet.required:
            raise Illegal(f"{where}: nobody plays without it", *bet.rules)
        return
    if bet.needs and not any(name in placed for name in bet.needs):
        raise Illegal(f"{where}: goes with {' or '.join(bet.needs)} only", *bet.rules)
    if bet.equals is not None and amount != placed.get(bet.equals, 0):
        raise Illegal(f"{where} of {amount}, expected as much as {bet.equals}", *bet.rules)
    if bet.fixed is not None and amount != bet.fixed:
        raise Illegal(f"{where} of {amount}, expected {bet.fixed}", *bet.rules)
    least = house.table_minimum if bet.minimum is None else bet.minimum
    if bet.fixed is None and amount < least:
        raise Illegal(f"{where} of {amount}, the least is {least}", *bet.rules)
    most = house.table_maximum if bet.maximum is None else bet.maximum
    if most is not None and amount > most:
        raise Illegal(f"{where} of {amount}, the most is {most}", *bet.rules)
