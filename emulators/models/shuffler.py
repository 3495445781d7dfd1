"""The model of a card shuffler: one or two compartments, a count after each shuffle, perhaps a shoe to feed."""

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from functools import partial

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.device import AT_REST, DONE, Commands, Device, integer, refuse
from feltrig.emulators.models.faults import EVERY_DEVICE, FaultType, FaultTypes
from feltrig.emulators.models.mechanics import CardMechanics, cards_out, shuffle
from feltrig.emulators.models.model import Model
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.triggers import Struck
from feltrig.emulators.zoo import shufflers
from feltrig.protocols.kinds.shuffler import SHUFFLER
from feltrig.protocols.messages import Reply, Values
from feltrig.protocols.schema import Flag, Key, Text
from feltrig.protocols.vocabulary import Error, FaultCode, State

SECONDS = {"feed": 12.0, "mix": 12.0, "deliver": 1.0, "count": 1.0}
"""How long each step of a shuffle takes, in this order: half of the deck goes in, the rest goes in and half comes
out, the rest comes out, the count is shown."""

NAME = Text(r"[A-Za-z0-9_-]{1,64}", "a name of letters, digits, - and _")

KEPT_ONE = frozenset({"missing_card", "missing_card_unnoticed"})


@dataclass(frozen=True, slots=True)
class Run:
    """One shuffle: what it does, and the cards that were left inside before it began."""

    deck: int
    struck: Struck
    left: int


class ShufflerMechanism:
    """Shuffles the pile at `<name>.in.<deck>` through `<name>.inside` to `<name>.out.<deck>`.

    With a shoe to feed, the deck goes on into its well, unless cards lie there: then it waits at the way out. Cards
    that stay inside lie there until a hand takes them out.
    """

    def __init__(self, board: Board, setup: Setup) -> None:
        if setup.decks not in (1, 2):
            raise ValueError(f"{board.name}: {setup.decks!r} decks: a shuffler has 1 or 2 compartments")
        self.inside = f"{board.name}.inside"
        self._board = board
        self._bench = setup.bench
        self._decks = range(1, setup.decks + 1)
        ways = (way(deck) for deck in self._decks for way in (self.way_in, self.way_out))
        self.places = (*ways, self.inside)
        self._mechanics: CardMechanics = setup.mechanics or shuffle
        shoe = setup.settings.get("feeds")
        self._feeds = None if shoe is None else f"{shoe}.well"
        self._counts = setup.settings.get("counts", True)
        self._deck_size = setup.deck_size
        self._moves: tuple[int, ...] = ()
        board.at_boot.append(self._booted)

    def way_in(self, deck: int) -> str:
        """Where the cards of a compartment are put in."""
        return f"{self._board.name}.in.{deck}"

    def way_out(self, deck: int) -> str:
        """Where the cards of a compartment come out."""
        return f"{self._board.name}.out.{deck}"

    def shuffle(self, values: Values) -> Reply:
        """Begin to shuffle; the way out must be clear."""
        deck = integer(values, "deck")
        if deck not in self._decks:
            return refuse(Error.BAD_ARGUMENT)
        if not self._bench.count(self.way_in(deck)):
            return refuse(Error.EMPTY)
        if self._bench.count(self.way_out(deck)):
            return refuse(Error.WRONG_STATE)
        run = Run(deck, self._board.struck("shuffle"), self._bench.count(self.inside))
        self._board.begin()
        self._board.emit("shuffling", deck=deck)
        self._board.after(SECONDS["feed"], lambda: self._feed(run))
        return DONE

    def _feed(self, run: Run) -> None:
        """The lower half of the deck goes in."""
        way_in = self.way_in(run.deck)
        if "jam_in" in run.struck or self._bench.obstructed(way_in):
            self._board.fail(FaultCode.JAM)
            return
        self._bench.move(way_in, self.inside, self._bench.count(way_in) // 2, from_top=False)
        if "jam" in run.struck or self._bench.obstructed(self.inside):
            self._board.fail(FaultCode.JAM)
        elif "stop" in run.struck:
            self._board.fail(FaultCode.STOPPED)
        else:
            self._board.after(SECONDS["mix"], lambda: self._mix(run))

    def _mix(self, run: Run) -> None:
        """The upper half goes in, the cards are mixed, and the upper half of the result comes out."""
        bench, way_out = self._bench, self.way_out(run.deck)
        bench.move_all(self.way_in(run.deck), self.inside)
        ready = self._arrange(run)
        if not ready:
            self._board.fail(FaultCode.INCOMPLETE)
            return
        if "jam_out" in run.struck or bench.obstructed(way_out):
            self._board.fail(FaultCode.JAM)
            return
        half = ready // 2
        bench.move(self.inside, way_out, half)
        if "incomplete" in run.struck:
            self._board.fail(FaultCode.INCOMPLETE)
        else:
            self._board.after(SECONDS["deliver"], lambda: self._deliver(run, ready - half))

    def _deliver(self, run: Run, rest: int) -> None:
        """The rest comes out, and the deck goes on into the shoe."""
        bench, way_out = self._bench, self.way_out(run.deck)
        bench.move(self.inside, way_out, min(rest, bench.count(self.inside)), to_bottom=True)
        count = bench.count(way_out)
        if "face_up_card" in run.struck and count:
            bench.turn(way_out, self._board.mishaps.randrange(count))
        if self._feeds is not None and not bench.count(self._feeds):
            bench.move_all(way_out, self._feeds)
        self._board.emit("shuffled", deck=run.deck)
        if self._counts and "no_count" not in run.struck:
            self._board.after(SECONDS["count"], lambda: self._count(run, self._reported(count, run.struck)))
        else:
            self._board.become(State.READY)

    def _reported(self, count: int, struck: Struck) -> int:
        """The count that the shuffler makes of this many cards."""
        if "blind_count" in struck:
            return self._deck_size()
        one_less = "wrong_count" in struck or "double_feed" in struck
        return max(0, count - one_less + ("missing_card_unnoticed" in struck))

    def _count(self, run: Run, count: int) -> None:
        self._board.become(State.READY)
        self._board.emit("counted", deck=run.deck, count=count, correct=count == self._deck_size())

    def _arrange(self, run: Run) -> int:
        """Bring the cards of this run, on top inside, into the order in which they come out; returns how many do.

        What comes out is a list of codes. A card whose code is not called for stays inside, below the others; a code
        for which there is no card is a foreign card that looks like one of the deck.
        """
        pile = self._bench.peek(self.inside)
        cards = pile[: max(0, len(pile) - run.left)]
        if not cards:
            return 0
        codes = [card.code for card in cards]
        out = self._ordered(codes, cards_out(self._mechanics, list(codes), self._board.random), run.struck)
        self._spoil(out, run.struck)
        waiting: defaultdict[int, deque[int]] = defaultdict(deque)
        for index, card in enumerate(cards):
            waiting[card.code].append(index)
        order: list[int] = []
        foreign: list[tuple[int, int]] = []
        for position, code in enumerate(out):
            if waiting[code]:
                order.append(waiting[code].popleft())
            else:
                foreign.append((position, code))
        self._moves = tuple(order)
        called = set(order)
        self._bench.arrange(self.inside, [*order, *(index for index in range(len(pile)) if index not in called)])
        for position, code in foreign:
            self._bench.put_new_card(self.inside, cards[0].deck, code, position)
        return len(out)

    def _ordered(self, codes: list[int], shuffled: list[int], struck: Struck) -> list[int]:
        """The order in which the cards come out, where the mechanics would have shuffled them."""
        if "unshuffled" in struck:
            return list(codes)
        if "sort_mode" in struck:
            return sorted(codes)
        if "repeated_shuffle" in struck and len(self._moves) == len(codes):
            return [codes[index] for index in self._moves]
        if "half_shuffled" in struck:
            return _half_shuffled(codes, shuffled)
        if "double_feed" in struck and len(codes) > 1:
            first = self._board.mishaps.randrange(len(codes) - 1)
            return _fed_together(shuffled, codes[first], codes[first + 1])
        return shuffled

    def _spoil(self, out: list[int], struck: Struck) -> None:
        """What the faults that change the deck make of the codes that come out."""
        mishaps = self._board.mishaps
        if struck.keys() & KEPT_ONE and out:
            del out[mishaps.randrange(len(out))]
        if "extra_card" in struck and out:
            out.insert(mishaps.randrange(len(out) + 1), mishaps.choice(out))
        if "duplicate_card" in struck and len(out) > 1:
            lost, copied = mishaps.sample(range(len(out)), 2)
            out[lost] = out[copied]

    def _booted(self, _: bool) -> None:
        self._moves = ()


def _half_shuffled(codes: list[int], shuffled: list[int]) -> list[int]:
    """The lower half of the cards as it went in, and on it the others as they were shuffled."""
    lower = codes[len(codes) // 2 :]
    below = Counter(lower)
    upper: list[int] = []
    for code in shuffled:
        if below[code]:
            below[code] -= 1
        else:
            upper.append(code)
    return [*upper, *lower]


def _fed_together(shuffled: list[int], upper: int, lower: int) -> list[int]:
    """The cards as they were shuffled, but two of them in one piece."""
    if upper == lower or not {upper, lower} <= set(shuffled):
        return shuffled
    out = list(shuffled)
    out.remove(lower)
    out.insert(out.index(upper) + 1, lower)
    return out


_shuffle = partial(FaultType, "shuffle")
_fails = partial(_shuffle, expected="shuffler failed: reshuffle", rules=("34.16(m)",))
_counts = partial(_shuffle, rules=("34.8(e)",))
_shows = partial(_counts, expected="count wrong: remove the deck")
_orders = partial(_shuffle, rules=("34.6(a)",))

FAULTS: FaultTypes = {
    "jam_in": _fails("jams at the way in, no card inside"),
    "jam": _fails("jams half-way, half of the cards inside"),
    "jam_out": _fails("jams at the way out, all cards inside"),
    "stop": _fails("stops half-way, half of the cards inside"),
    "incomplete": _fails("ends with half of the cards still inside"),
    "double_feed": _shows("two cards go through as one and are counted as one"),
    "wrong_count": _shows("reports one card less than come out"),
    "no_count": _counts("ends without a count", "stalled, no count after a shuffle: refused"),
    "blind_count": _counts(
        "reports a full deck whatever comes out", "in the drills, a count that is false: refused", persistent=True
    ),
    "missing_card": _shows("keeps one card inside and counts the others"),
    "missing_card_unnoticed": _counts(
        "keeps one card inside and counts it as delivered", "reported count false: refused"
    ),
    "extra_card": _shows("delivers a foreign card too and counts it"),
    "duplicate_card": _shuffle(
        "delivers a copy of another card in place of one: the count is right, the deck is not",
        "not the cards that went in: refused",
        ("34.2(a)", "34.8(e)"),
    ),
    "face_up_card": _shuffle("turns one card face up", "card turned over: refused", ("34.16(f)",)),
    "unshuffled": _orders("the deck comes out as it went in", "order unchanged: refused"),
    "half_shuffled": _orders("the lower half of the deck comes out as it went in", "cards stay together: refused"),
    "repeated_shuffle": _orders(
        "moves the cards exactly as the time before", "two shuffles alike: refused", later=True
    ),
    "sort_mode": _orders("the deck comes out in new-deck order", "the deck is sorted: refused"),
    **EVERY_DEVICE,
}

COMMANDS: Commands[ShufflerMechanism] = {"shuffle": (AT_REST, ShufflerMechanism.shuffle)}


def shuffler(setup: Setup) -> Device[ShufflerMechanism]:
    board = Board(SHUFFLER, setup, FAULTS)
    return Device(SHUFFLER, board, ShufflerMechanism(board, setup), COMMANDS, setup.identity)


MODEL = Model(
    SHUFFLER,
    shuffler,
    COMMANDS,
    FAULTS,
    keys=(
        Key("counts", Flag(), "whether it counts the cards after each shuffle", True),
        Key("feeds", NAME, "name of the shoe that it feeds", None),
    ),
    takes_mechanics=True,
    moves_cards=True,
    mid_work=2,
    specimens=shufflers.SPECIMENS,
)
