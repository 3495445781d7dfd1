"""The emulated bench: real cards lie in piles at named places, and move. No card is ever lost or doubled on the way.

A place is a free-form name such as `shuffler.in.1`, `shoe.well` or `felt.3`; what is before the first dot names the
machine that the place belongs to, if any. A pile is ordered; index 0 is its top.
"""

import random
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

CODES = range(128)
"""What fits a card code on the wire, beside the bit for face up."""

BOTTOM = sys.maxsize
"""The index below every card of a pile."""

Sensor = Callable[[int, int], None]
"""Told how many cards lay at a place before and lie there after each change."""


@dataclass(frozen=True, slots=True)
class Card:
    """One physical card. Two cards of the same code differ in their serial number, which never changes."""

    code: int
    deck: str
    face_up: bool = False
    serial: int = 0


class CardsLost(Exception):
    """The census found a card missing or doubled: the bench itself is broken."""


class Bench:
    """Piles of cards at named places. Moving more cards than there are is the caller's mistake: ValueError."""

    def __init__(self) -> None:
        self._piles: dict[str, list[Card]] = {}
        self._brought = 0
        self._taken_out: list[Card] = []
        self._sensors: dict[str, list[Sensor]] = {}
        self._obstacles: set[str] = set()

    def put_new_deck(self, place: str, deck: str, codes: Iterable[int]) -> tuple[Card, ...]:
        """Bring new cards, face down, onto the top of a place; the first code lies on top."""
        return self._bring(place, deck, codes, 0)

    def put_new_card(self, place: str, deck: str, code: int, index: int = 0) -> Card:
        """Bring one new card, face down, into a pile so that it lies at an index."""
        if not 0 <= index <= self.count(place):
            raise ValueError(f"bench: {place}: no index {index} among {self.count(place)} cards")
        return self._bring(place, deck, (code,), index)[0]

    def move(
        self, source: str, target: str, count: int | None = None, *, from_top: bool = True, to_bottom: bool = False
    ) -> tuple[Card, ...]:
        """Move this many cards (all by default) as one block, its order kept; returns them, top first."""
        pile = self.peek(source)
        if count is None:
            count = len(pile)
        if not 0 <= count <= len(pile):
            raise ValueError(f"bench: cannot move {count} cards from {source} to {target}: {len(pile)} are there")
        block = pile[:count] if from_top else pile[len(pile) - count :]
        self._transfer(block, source, target, BOTTOM if to_bottom else 0)
        return block

    def move_card(self, source: str, target: str, index: int) -> Card:
        """Move one card of a pile onto another."""
        card = self._at(source, index)
        self._transfer((card,), source, target)
        return card

    def move_all(self, source: str, target: str, *, to_bottom: bool = False) -> tuple[Card, ...]:
        """Move the whole pile, which may be empty."""
        return self.move(source, target, to_bottom=to_bottom)

    def pick(self, place: str, deck: str, target: str) -> tuple[Card, ...]:
        """Move the cards of one deck out of a pile, turned face down, as hands do that gather a deck."""
        block = self._of_deck(place, deck)
        turned = tuple(replace(card, face_up=False) for card in block)
        self._transfer(turned, place, target, 0)
        return turned

    def arrange(self, place: str, order: Sequence[int]) -> None:
        """Bring a pile into a new order, given by the present indexes of its cards from the top."""
        pile = self.peek(place)
        if sorted(order) != list(range(len(pile))):
            raise ValueError(f"bench: {place}: not an order of {len(pile)} cards")
        self._piles[place] = [pile[index] for index in order]

    def shuffle(self, place: str, rng: random.Random) -> None:
        """Shuffle a pile by hand, thoroughly."""
        order = list(range(self.count(place)))
        rng.shuffle(order)
        self.arrange(place, order)

    def turn(self, place: str, index: int) -> Card:
        """Turn one card over; returns it as it lies now."""
        card = self._at(place, index)
        turned = replace(card, face_up=not card.face_up)
        self._piles[place][index] = turned
        return turned

    def take_out(self, place: str, index: int = 0) -> Card:
        """One card leaves the bench, on record."""
        card = self._at(place, index)
        self._transfer((card,), place, None)
        return card

    def remove(self, place: str, deck: str) -> tuple[Card, ...]:
        """The cards of one deck at a place leave the bench, on record."""
        block = self._of_deck(place, deck)
        self._transfer(block, place, None)
        return block

    def peek(self, place: str) -> tuple[Card, ...]:
        """The cards at a place, top first."""
        return tuple(self._piles.get(place, ()))

    def count(self, place: str) -> int:
        return len(self._piles.get(place, ()))

    def places(self) -> tuple[str, ...]:
        """The places where cards lie now."""
        return tuple(place for place, pile in self._piles.items() if pile)

    def cards(self) -> tuple[Card, ...]:
        """The census: every card on the bench. Raises CardsLost when it does not add up."""
        present = tuple(card for pile in self._piles.values() for card in pile)
        accounted = {card.serial for card in present} | {card.serial for card in self._taken_out}
        if len(accounted) != self._brought or len(present) + len(self._taken_out) != self._brought:
            raise CardsLost(
                f"bench: {self._brought} cards came, {len(self._taken_out)} left, {len(present)} are there, "
                f"{len(accounted)} are different"
            )
        return present

    @property
    def taken_out(self) -> tuple[Card, ...]:
        """The cards that left the bench, in that order."""
        return tuple(self._taken_out)

    def watch(self, place: str, sensor: Sensor) -> None:
        """Tell a sensor of every change in the number of cards at a place."""
        self._sensors.setdefault(place, []).append(sensor)

    def obstruct(self, place: str) -> None:
        """Put something into the way of the cards at a place of a machine."""
        self._obstacles.add(place)

    def unobstruct(self, place: str) -> None:
        self._obstacles.discard(place)

    def obstructed(self, place: str) -> bool:
        """Whether something is in the way at a place."""
        return place in self._obstacles

    @property
    def obstacles(self) -> tuple[str, ...]:
        """The places where something is in the way."""
        return tuple(sorted(self._obstacles))

    def clear(self, machine: str, target: str = "table") -> tuple[Card, ...]:
        """Take every card out of the places of a machine, and whatever obstructs them."""
        prefix = f"{machine}."
        self._obstacles = {place for place in self._obstacles if not place.startswith(prefix)}
        mine = [place for place in self.places() if place.startswith(prefix)]
        return tuple(card for place in mine for card in self.move_all(place, target))

    def _at(self, place: str, index: int) -> Card:
        pile = self._piles.get(place, [])
        if not 0 <= index < len(pile):
            raise ValueError(f"bench: {place}: no card at index {index} of {len(pile)} cards")
        return pile[index]

    def _of_deck(self, place: str, deck: str) -> tuple[Card, ...]:
        return tuple(card for card in self.peek(place) if card.deck == deck)

    def _bring(self, place: str, deck: str, codes: Iterable[int], index: int) -> tuple[Card, ...]:
        codes = tuple(codes)
        for code in codes:
            if code not in CODES:
                raise ValueError(f"bench: {code!r} is not a card code: expected 0 to {CODES[-1]}")
        block = tuple(Card(code, deck, serial=self._brought + n) for n, code in enumerate(codes, 1))
        self._brought += len(block)
        self._transfer(block, None, place, index)
        return block

    def _transfer(self, block: tuple[Card, ...], source: str | None, target: str | None, index: int = 0) -> None:
        """All movement goes through here: from a place or from outside, to a place or out of the bench."""
        before = {place: self.count(place) for place in (source, target) if place is not None}
        if source is not None:
            gone = {card.serial for card in block}
            self._piles[source] = [card for card in self._piles.get(source, ()) if card.serial not in gone]
        if target is None:
            self._taken_out += block
        else:
            self._piles.setdefault(target, [])[index:index] = block
        for place, cards in before.items():
            if cards != self.count(place):
                for sensor in self._sensors.get(place, ()):
                    sensor(cards, self.count(place))
