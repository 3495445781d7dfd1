"""The state of a card table and of one round: what has been seen so far."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from feltrig.engine.asks import Ask, Rules
from feltrig.engine.cards import Card
from feltrig.engine.decks import Decks, StubCount
from feltrig.engine.rulings import Ruling
from feltrig.engine.table.house import House, Method, TableRules
from feltrig.engine.table.irregular import Irregularity, Remedy, Row, ruling
from feltrig.engine.table.result import Result, Settlement
from feltrig.engine.table.rotation import Rotation
from feltrig.engine.tells import Tell

if TYPE_CHECKING:
    from feltrig.engine.table.interjections import Interjection
    from feltrig.engine.table.script import Script

Place = int | str
"""A position, 0 for the dealer's, or the name of another place of the layout, such as `community.1`."""
Wagers = Mapping[int, Mapping[str, int]]
"""What each seat has staked, in cents, by the name of the bet."""


@dataclass(frozen=True)
class Procedure:
    """How one game is run at the table: its cards, its clauses, the script of a round, and hooks that few need."""

    game: str
    cards: tuple[Card, ...]
    """One deck, or all decks of a shoe together."""
    seats: int
    rules: TableRules
    remedies: Mapping[Irregularity, Remedy]
    script: "Callable[[Play], Script[tuple[Settlement, ...]]]"
    """The round from the shuffle to the last wager settled; not the clearing of the table."""
    check_wagers: Callable[[Wagers], None]
    """Raises Illegal."""
    cut_offer: "Callable[[Play], tuple[int, ...]]" = lambda play: ()
    """The seats that are offered the cut, in order; the dealer cuts when there is none."""
    cut_rules: "Callable[[Play], Rules]" = lambda play: play.rules.cut
    """The clauses of a cut, where they depend on who is offered it."""
    next_area: "Callable[[Play], str | None]" = lambda play: None
    """The place of the layout whose card comes next and may not be seen yet, where a text speaks of that."""
    behind_cutting_card: int = 0
    """How many cards of a shoe lie behind the cutting card."""
    irregularities: Mapping[type[Tell], tuple[Row, ...]] = field(default_factory=dict)
    """Rows of the game's own, by kind of observation, in place of the shared ones."""
    interjections: "Mapping[type[Tell], Interjection]" = field(default_factory=dict)
    """What may be told between two asks, besides or in place of what may be told at any table."""
    refuse: "Callable[[Play, Tell], None]" = lambda play, seen: None
    """Raises Illegal for what the rules forbid whatever is asked for."""
    survives: "Callable[[Play], bool]" = lambda play: False
    """Whether wagers are left to be settled when an order voids all others. The script then goes on, with `Play.void`
    set, as far as these need it."""
    begin: "Callable[[Play], Any]" = lambda play: {}
    """What only this game notes during a round: `Play.own`, before anything was done."""
    result: "Callable[[Play, tuple[Settlement, ...]], Any]" = Result.of
    """The end of a round, from what the script returned."""
    round_over: "Callable[[Play], None]" = lambda play: None
    """What only this game remembers: changes `Memory` after a round, and after the shared rotations."""
    marker: bool = False
    """A dealing marker lies on the table. One that comes to the table begins at the dealer."""


@dataclass(slots=True)
class Shoe:
    """A shoe of several decks that lasts for many rounds."""

    left: Counter[Card] = field(default_factory=Counter)
    """Cards that have not been dealt since the last shuffle."""
    ready: bool = False
    rounds_left: int | None = None
    """How many rounds may still be dealt after this one, once the cutting card has been seen."""
    burn_due: bool = True


@dataclass(slots=True)
class Memory:
    """What lasts from round to round."""

    decks: Decks
    cuts: Rotation = field(default_factory=Rotation)
    stub: StubCount = field(default_factory=lambda: StubCount(every=5))
    shoe: Shoe = field(default_factory=Shoe)
    start_of_game: bool = True
    rounds: int = 0
    hours: float = 0.0
    """How long the cards have been in use."""
    dice_hours: float = 0.0
    """How long the dice have been in the shaker."""
    own: dict[str, Any] = field(default_factory=dict)
    """What only one game remembers: a marker, a meter."""

    def wash(self) -> None:
        """The cards were spread, inspected and washed: a new game starts."""
        self.start_of_game = True
        self.cuts.restart()
        self.shoe = Shoe()
        for name in self.decks.names:
            self.decks.use(name)


@dataclass(slots=True)
class Play:
    """One round, as far as it has come."""

    procedure: Procedure
    house: House
    options: Any
    """The game's own choices."""
    memory: Memory
    wagers: dict[int, dict[str, int]]
    first_player: int | None
    owners: Mapping[int, str] = field(default_factory=dict)
    """Whose seats they are, where one player may have several."""
    ask: Ask | None = None
    """What the round waits for."""
    undealt: Counter[Card] = field(init=False)
    hands: dict[Place, list[Card]] = field(default_factory=dict)
    discarded: list[Card] = field(default_factory=list)
    """Cards found face up, and burned ones."""
    drawn: list[Card] = field(default_factory=list)
    """Cards drawn in error, which come next."""
    face_up: int = 0
    """How many cards were found face up in this round."""
    cut_by: int | None = None
    recut_from: int | None = None
    loaded: bool = False
    bets_closed: bool = False
    dealt: int = 0
    """How many cards or stacks were dealt."""
    next_card_seen: bool = False
    """Whether the card that comes next was exposed too early."""
    stub_racked: bool = False
    stub_counted: bool = False
    seen: set[Place] = field(default_factory=set)
    """Places whose cards no longer lie face down: they were turned over as they should be, or taken away."""
    jammed: dict[str, Rules] = field(default_factory=dict)
    """Devices that must be cleared, with the rules that say so."""
    undecided: dict[int, Rules] = field(default_factory=dict)
    """Seats that must say whether they void their exposed hands, with the rules that let them."""
    voided: set[int] = field(default_factory=set)
    """Seats that did."""
    waiting_begun: bool = False
    """Whether the deck that waits was put into the shuffler."""
    void: Ruling | None = None
    over: bool = False
    """Whether nothing of the round is left but to clear the table."""
    new_deck: bool = False
    """Whether a deck was replaced at the end of the round."""
    rulings: list[Ruling] = field(default_factory=list)
    settled: list[Settlement] = field(default_factory=list)
    """Wagers that were paid or collected before the end of the round, which an order that voids it leaves alone."""
    own: Any = field(init=False)
    """What only one game notes during a round."""

    def __post_init__(self) -> None:
        self.undealt = self._whole()
        self.own = self.procedure.begin(self)

    @property
    def rules(self) -> TableRules:
        """The clauses of the shared steps."""
        return self.procedure.rules

    @property
    def method(self) -> Method:
        """The clauses of the dealing method."""
        return self.rules.methods[self.house.deal]

    @property
    def decks(self) -> Decks:
        """The decks of the table."""
        return self.memory.decks

    @property
    def deck(self) -> str:
        """The deck of this round."""
        return self.decks.in_play

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats with a wager, clockwise from the dealer's far left."""
        return tuple(sorted(self.wagers, reverse=True))

    @property
    def counterclockwise(self) -> tuple[int, ...]:
        """The seats with a wager from the dealer's far right: how hands are opened and paid."""
        return tuple(sorted(self.wagers))

    def hand(self, place: Place) -> tuple[Card, ...]:
        """The cards of a place."""
        return tuple(self.hands.get(place, ()))

    def stake(self, seat: int, bet: str) -> int:
        """What a seat has on a bet, in cents."""
        return self.wagers.get(seat, {}).get(bet, 0)

    def rule(self, what: Irregularity, place: Place | None = None, rules: Rules = ()) -> Ruling:
        """Note an irregularity that a step found by itself, and what is ordered."""
        position = place if isinstance(place, int) else None
        return self.note(ruling(self, what, position, rules), jams=what.jams)

    def note(self, given: Ruling, *, jams: bool = False) -> Ruling:
        """Note an order. A device that jams must be cleared."""
        self.rulings.append(given)
        if jams and given.device is not None:
            self.jammed.setdefault(given.device, given.rules)
        return given

    def take(self, card: Card, place: Place) -> None:
        """A card of the deck now lies at a place."""
        self.undealt[card] -= 1
        self.hands.setdefault(place, []).append(card)
        self._came(card)

    def discard(self, card: Card) -> None:
        """A card of the deck is out of play."""
        self.undealt[card] -= 1
        self.discarded.append(card)
        self._came(card)

    def holds(self, cards: tuple[Card, ...]) -> bool:
        """Whether these cards can come from what is left of the deck."""
        return all(self.undealt[card] >= cards.count(card) for card in cards)

    @property
    def left(self) -> int:
        """How many cards have not been dealt."""
        return self.undealt.total()

    def gather(self) -> None:
        """Take all cards back, to be shuffled again for this round."""
        self.memory.shoe = Shoe()
        self.undealt = self._whole()
        for pile in (self.hands, self.discarded, self.drawn):
            pile.clear()
        self.seen.clear()
        self.face_up = self.dealt = 0
        self.cut_by = self.recut_from = None
        self.loaded = self.stub_racked = self.stub_counted = False
        self.decks.use(self.deck)

    def round_over(self) -> None:
        """Hand on to the next round what it must know."""
        memory = self.memory
        memory.stub.round_over(self.stub_counted or self.deck in memory.decks.counted)
        if memory.start_of_game:
            memory.cuts.restart()
        elif self.wagers:
            memory.cuts.pass_on(memory.cuts.order(self.wagers)[0])
        memory.start_of_game = False
        memory.rounds += 1
        if not memory.shoe.ready:
            memory.decks.alternate()
        elif self.void is not None or memory.shoe.rounds_left == 0:
            memory.shoe = Shoe()
            memory.decks.alternate()
        elif memory.shoe.rounds_left is not None:
            memory.shoe.rounds_left -= 1
        self.procedure.round_over(self)

    def _came(self, card: Card) -> None:
        if self.drawn[:1] == [card]:
            self.drawn = self.drawn[1:]

    def _whole(self) -> Counter[Card]:
        if self.memory.shoe.ready:
            return self.memory.shoe.left
        return Counter(self.procedure.cards)
