"""The machines of a table, written from docs/serial.md alone: rng, shaker, shuffler, shoe and reader."""

from functools import partial
from typing import ClassVar

from machine import ARGUMENT, BUSY, EMPTY, IDLE, INCOMPLETE, JAM, LOCKED, READY, STATE, Card, Command, Machine, Refusal


class Rng(Machine):
    kind = 1
    own_commands: ClassVar = {
        "select": Command(0x10, True, (IDLE, READY)),
        "display": Command(0x11, False, (IDLE, BUSY, READY, LOCKED), (), (("number", "u8"),)),
        "blank": Command(0x12, True, (IDLE, READY)),
    }
    own_events: ClassVar = {"selected": (0x10, (("number", "u8"),))}

    def started(self) -> None:
        self.shown = 0

    def select(self) -> None:
        self.shown = 0
        self.begin(1.0, self._selected)

    def _selected(self) -> None:
        self.state, self.shown = READY, self.random.randint(1, 7)
        self.emit("selected", self.shown)

    def display(self) -> list[object]:
        return [self.shown]

    def blank(self) -> None:
        self.state, self.shown = IDLE, 0


class Shaker(Machine):
    kind = 2
    own_commands: ClassVar = {
        "shake": Command(0x10, True, (IDLE, READY), (("times", "u8"),)),
        "uncover": Command(0x11, True, (IDLE, READY)),
        "cover": Command(0x12, True, (IDLE, READY)),
    }
    own_events: ClassVar = {
        "shaken": (0x10, (("times", "u8"),)),
        "uncovered": (0x11, (("commanded", "bool"),)),
        "covered": (0x12, ()),
        "rolled": (0x13, (("dice", "list"), ("flat", "list"))),
    }

    def __init__(self, *made: object) -> None:
        self.dice, self.open = [[1, 1], [2, 1], [3, 1]], False
        super().__init__(*made)

    def shake(self, times: int) -> None:
        if times == 0:
            raise Refusal(ARGUMENT)
        if self.open:
            raise Refusal(STATE)
        self.begin(1.0, partial(self._shaken, times))

    def _shaken(self, times: int) -> None:
        self.dice = [[self.random.randint(1, 6), 1] for _ in self.dice]
        self.state = READY
        self.emit("shaken", times)

    def uncover(self) -> None:
        self.begin(0.2, partial(self.fail, JAM) if self.blocked and not self.open else self._uncovered)

    def _uncovered(self) -> None:
        self.state = READY
        if not self.open:
            self.open = True
            self.emit("uncovered", True)
        self._rolled()

    def _rolled(self) -> None:
        self.emit("rolled", bytes(face for face, _ in self.dice), bytes(flat for _, flat in self.dice))

    def cover(self) -> None:
        self.begin(0.2, partial(self.fail, JAM) if self.blocked and self.open else self._covered)

    def _covered(self) -> None:
        self.state, self.open = IDLE, False
        self.emit("covered")

    def lift(self) -> None:
        """A hand lifts the lid."""
        if not self.open:
            self.stop()
            self.open = True
            if self.on:
                self.state = READY
                self.emit("uncovered", False)
                self._rolled()

    def clear(self) -> None:
        super().clear()
        self.lay_dice()

    def lay_dice(self) -> None:
        """A hand lays all dice into it, flat."""
        self.dice = [[face, 1] for face, _ in [*self.dice, [3, 1], [3, 1], [3, 1]][:3]]


class Shuffler(Machine):
    kind = 3
    own_commands: ClassVar = {"shuffle": Command(0x10, True, (IDLE, READY), (("deck", "u8"),))}
    own_events: ClassVar = {
        "shuffling": (0x10, (("deck", "u8"),)),
        "shuffled": (0x11, (("deck", "u8"),)),
        "counted": (0x12, (("deck", "u8"), ("count", "u16"), ("correct", "bool"))),
    }

    def __init__(self, tray: list[Card], settings: dict[str, object]) -> None:
        self.entry: dict[int, list[Card]] = {1: [], 2: []}
        self.exit: dict[int, list[Card]] = {1: [], 2: []}
        self.inside: list[Card] = []
        super().__init__(tray, settings)

    def shuffle(self, deck: int) -> None:
        if deck not in self.entry:
            raise Refusal(ARGUMENT)
        if not self.entry[deck]:
            raise Refusal(EMPTY)
        if self.exit[deck]:
            raise Refusal(STATE)
        self.deck = deck
        self.inside, self.entry[deck] = self.entry[deck], []
        self.emit("shuffling", deck)
        self.begin(0.5, self._half)

    def _half(self) -> None:
        if self.blocked:
            self.fail(JAM)
            return
        self.later(0.5, self._shuffled)

    def _shuffled(self) -> None:
        self.random.shuffle(self.inside)
        self.exit[self.deck], self.inside = self.inside, []
        self.emit("shuffled", self.deck)
        self.later(0.5, self._counted)

    def _counted(self) -> None:
        count = len(self.exit[self.deck])
        self.state = READY
        self.emit("counted", self.deck, count, count == 54)

    def cards(self) -> list[list[Card]]:
        return [self.inside, *self.entry.values(), *self.exit.values()]


class Shoe(Machine):
    kind = 4
    own_commands: ClassVar = {
        "dispense": Command(0x10, True, (IDLE, READY), (("size", "u8"),)),
        "unlock": Command(0x11, True, (IDLE, READY, LOCKED)),
        "lock": Command(0x12, True, (IDLE, READY, LOCKED)),
    }
    own_events: ClassVar = {"dispensed": (0x10, (("stack", "u16"), ("size", "u8")))}

    def __init__(self, tray: list[Card], settings: dict[str, object]) -> None:
        self.well: list[Card] = []
        self.exit: list[Card] = []
        self.stack = 0
        self.sizes = settings.get("sizes", [2, 3, 4, 5, 7])
        super().__init__(tray, settings)

    def dispense(self, size: int) -> None:
        if size not in self.sizes:
            raise Refusal(ARGUMENT)
        if not self.well:
            raise Refusal(EMPTY)
        self.begin(1.0, partial(self._dispensed, size))

    def _dispensed(self, size: int) -> None:
        if self.blocked:
            self.fail(JAM)
            return
        out = self.well[:size]
        del self.well[:size]
        self.exit.extend(out)
        if len(out) < size:
            self.fail(INCOMPLETE)
            return
        self.stack += 1
        self.state = READY
        self.emit("dispensed", self.stack, size)

    def unlock(self) -> None:
        self.state = IDLE if self.locked else self.state
        self.locked = False

    def lock(self) -> None:
        self.locked, self.state = True, LOCKED

    def cards(self) -> list[list[Card]]:
        return [self.well, self.exit]


class Reader(Machine):
    kind = 5
    own_commands: ClassVar = {
        "scan": Command(0x10, True, (IDLE, READY)),
        "faces": Command(0x11, False, (IDLE, READY), (("offset", "u16"), ("limit", "u8")), (("cards", "list"),)),
    }
    own_events: ClassVar = {"scanned": (0x10, (("count", "u16"),))}

    def started(self) -> None:
        self.seen = b""
        self.work = 0.0

    def scan(self) -> None:
        self.seen = bytes(card.code | (0x80 if card.up else 0) for card in self.tray)
        self.state = READY
        self.emit("scanned", len(self.seen))

    def faces(self, offset: int, limit: int) -> list[object]:
        return [self.seen[offset : offset + limit]]


KINDS: dict[str, type[Machine]] = {"rng": Rng, "shaker": Shaker, "shuffler": Shuffler, "shoe": Shoe, "reader": Reader}
