"""A card table: its devices, and what lasts from round to round."""

from collections.abc import Callable, Mapping
from typing import Any

from feltrig.engine.decks import Decks
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.house import House, check_house
from feltrig.engine.table.play import Memory, Play, Procedure, Shoe, Wagers
from feltrig.engine.table.round import Round
from feltrig.engine.table.wagers import check_areas, in_order

DICE_HOURS = 24
"""How long dice may stay in the shaker."""


class Table:
    """Opens one round after the other. A game has just started: the cards are washed."""

    def __init__(self, procedure: Callable[[Any, House], Procedure], options: Any, house: House) -> None:
        self._make = procedure
        self.options, self.house = options, house
        self.procedure = procedure(options, house)
        check_house(self.procedure.rules, house)
        self._memory = Memory(Decks(house.decks))
        self.devices = house.devices
        """The machines that stand at the table: `shuffler`, `shoe`."""
        self._round: Round | None = None

    @property
    def deck(self) -> str:
        """The deck that is in play, or is next."""
        return self._memory.decks.in_play

    @property
    def button(self) -> int:
        """Where the dealing marker lies, in games that have one; otherwise at the dealer."""
        return int(self._memory.own.get("marker", 0))

    @property
    def start_of_game(self) -> bool:
        """Whether the next round is the first one after a wash."""
        return self._memory.start_of_game

    def open_round(self, wagers: Wagers, owners: Mapping[int, str] | None = None) -> Round:
        """Begin a round with these wagers by seat, of which the first is that of the first player to the table.

        `owners` names the player of a seat, where one player may have several.
        """
        self._between_rounds()
        check_areas(self.house, self.procedure.rules.two_areas, owners or {})
        rules = self.procedure.rules
        absent = self.house.devices - self.devices
        if absent:
            raise Illegal(f"the {', '.join(sorted(absent))} was removed: choose another method", *rules.remove_device)
        limit = rules.methods[self.house.deal].age
        if limit is not None and self._memory.hours >= limit:
            raise Illegal(f"the cards have been in use for {self._memory.hours:g} hours: replace them", *rules.age)
        if rules.dice_age and self._memory.dice_hours >= DICE_HOURS:
            raise Illegal(f"the dice have been in use for {self._memory.dice_hours:g} hours", *rules.dice_age)
        if not wagers:
            raise Illegal("nobody plays", *rules.idle)
        self.procedure.check_wagers(wagers)
        placed = {seat: in_order(bets) for seat, bets in wagers.items()}
        first = next(iter(wagers))
        play = Play(self.procedure, self.house, self.options, self._memory, placed, first, owners or {})
        self._round = Round(play)
        return self._round

    def idle(self) -> None:
        """Nobody played for a while: the cards were spread, inspected and washed, and a new game starts."""
        self._between_rounds()
        self._memory.wash()

    def reshuffle(self) -> None:
        """The house wants the cards of a shoe shuffled before the next round."""
        self._between_rounds()
        self._memory.shoe = Shoe()
        self._memory.decks.use(self._memory.decks.in_play)

    def time_passes(self, hours: float) -> None:
        """The cards and the dice get older."""
        self._memory.hours += hours
        self._memory.dice_hours += hours

    def new_dice(self) -> None:
        """Fresh dice came into the shaker."""
        self._between_rounds()
        self._memory.dice_hours = 0.0

    def new_cards(self) -> None:
        """Fresh cards came to the table, were inspected and washed."""
        self._between_rounds()
        self._memory.hours = 0.0
        self._memory.wash()

    def remove_device(self, device: str) -> None:
        """Take the `shuffler` or the `shoe` off the table."""
        self._between_rounds()
        if device not in self.devices:
            raise ValueError(f"device {device!r}: expected one of {', '.join(sorted(self.devices)) or 'none'}")
        self.devices -= {device}

    def change(self, options: Any, house: House) -> None:
        """Go on with other choices. A device that they do not use must have left the table."""
        self._between_rounds()
        procedure = self._make(options, house)
        unused = self.devices - house.devices
        if unused:
            raise Illegal(f"the {', '.join(sorted(unused))} is still at the table", *procedure.rules.remove_device)
        check_house(procedure.rules, house)
        if house.decks != self.house.decks:
            self._memory.decks = Decks(house.decks)
            self._memory.wash()
        elif not house.machine_shuffle:
            for name in house.decks:  # What lay in the shuffler is shuffled by hand now.
                self._memory.decks.use(name)
        if procedure.marker and not self.procedure.marker:
            self._memory.own.pop("marker", None)
        self.procedure, self.options, self.house, self.devices = procedure, options, house, house.devices

    def _between_rounds(self) -> None:
        if self._round is not None and self._round.ask is not None:
            raise OutOfTurn(f"a round is open and wants {self._round.ask}")
