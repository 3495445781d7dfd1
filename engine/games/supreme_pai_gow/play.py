"""The state of a table and of a round: what has been seen so far, and nothing about what to do with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltrig.engine.asks import Ask
from feltrig.engine.cards import Card, deck
from feltrig.engine.decks import Decks, StubCount
from feltrig.engine.games.supreme_pai_gow.banking import BankHistory
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE
from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.games.supreme_pai_gow.wagers import Wager, holder
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table.hands import Hands
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import POSITIONS, SEATS, next_button
from feltrig.engine.table.rotation import Rotation

DECK = frozenset(deck(jokers=2))
"""34.2(a)."""
DEALT = POSITIONS * HAND_SIZE


@dataclass(slots=True)
class Memory:
    """What lasts from round to round."""

    decks: Decks
    banks: BankHistory = field(default_factory=BankHistory)
    cuts: Rotation = field(default_factory=Rotation)
    """Whom the cut is offered to while nobody banks: 34.6(d)3."""
    button: int = DEALER
    stub: StubCount = field(default_factory=lambda: StubCount(every=5))
    """34.8(d)."""

    def wash(self) -> None:
        """The cards were spread, inspected and washed, 34.5(c): a new game starts."""
        self.banks.restart()
        self.cuts.restart()
        for name in self.decks.names:
            self.decks.use(name)


@dataclass(slots=True)
class Play:
    """One round, as far as it has come."""

    options: Options
    memory: Memory
    wagers: dict[int, Wager]
    first_player: int | None
    """The seat that came to the table first, for the first cut: 34.6(d)1."""
    offers: tuple[int, ...]
    """Seats that the bank is still to be offered."""

    ask: Ask | None = None
    """What the round waits for."""
    first_offer: int | None = field(init=False)
    bank: int | None = None
    co_bank: bool = False
    bank_chips: int = 0
    dealer_wager: int | None = None
    """None until the dealer has wagered against the bank, or not."""
    cut_by: int | None = None
    recut_from: int | None = None
    """Who had cut when a recut was ordered."""
    loaded: bool = False
    bets_closed: bool = False
    start: int | None = None
    mis_totalled: bool = False
    """Whether the dealer announced a wrong total of the dice."""
    undealt: set[Card] = field(default_factory=lambda: set(DECK))
    hands: dict[int, list[Card]] = field(default_factory=dict)
    """The cards of each position that has any."""
    stacks: dict[int, list[Card]] = field(default_factory=dict)
    """The stacks of a hand deal that are not delivered yet."""
    discarded: list[Card] = field(default_factory=list)
    """Cards found face up: 34.16(f)."""
    drawn: list[Card] = field(default_factory=list)
    """Cards drawn in error, which come next: 34.16(g)."""
    stub_racked: bool = False
    stub_counted: bool = False
    first_stack: int | None = None
    unbet_collected: bool = False
    shaker_parked: bool = False
    undecided: list[int] = field(default_factory=list)
    """Seats that must say whether they void their exposed hands: 34.16(d)."""
    voided: set[int] = field(default_factory=set)
    surrendered: set[int] = field(default_factory=set)
    settings: dict[int, Hands[Card]] = field(default_factory=dict)
    bank_reset: bool = False
    """Whether the dealer must set the bank's hands: 34.16(j)."""
    exposed: set[int] = field(default_factory=set)
    cards_collected: bool = False
    jammed: list[str] = field(default_factory=list)
    """Devices to be cleared."""
    new_deck: bool = False
    """Whether a deck was replaced after the deal, so that the next round starts a game."""
    void: Ruling | None = None
    rulings: list[Ruling] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.first_offer = self.offers[0] if self.offers else None

    @property
    def decks(self) -> Decks:
        """The decks of the table."""
        return self.memory.decks

    @property
    def deck(self) -> str:
        """The deck of this round."""
        return self.memory.decks.in_play

    @property
    def dealt(self) -> int:
        """Cards dealt to positions or onto stacks."""
        return sum(map(len, self.hands.values())) + sum(map(len, self.stacks.values()))

    @property
    def dealt_out(self) -> bool:
        """Whether every position has its four cards."""
        return not self.stacks and self.dealt == DEALT

    @property
    def dealer_plays(self) -> bool:
        """Whether the dealer's cards are compared with anybody's: not in a banked round without a wager, 34.13(k)."""
        return self.bank is None or bool(self.dealer_wager)

    @property
    def unbet(self) -> tuple[int, ...]:
        """The positions whose cards nobody plays."""
        dealer = () if self.dealer_plays else (DEALER,)
        return (*dealer, *(seat for seat in SEATS if seat not in self.wagers and seat != self.bank))

    @property
    def mains(self) -> dict[int, int]:
        """The main wagers in action by seat, counterclockwise; a bank's own is not."""
        return {seat: self.wagers[seat].main for seat in sorted(self.wagers) if seat != self.bank}

    @property
    def bonuses(self) -> dict[int, int]:
        """The bonus wagers in action by seat, counterclockwise; who voids a hand takes back both (SPG-22)."""
        return {seat: wager.bonus for seat, wager in sorted(self.wagers.items()) if self._bonus_plays(seat)}

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that play on for their main wager, counterclockwise."""
        return tuple(seat for seat in self.mains if seat not in self.surrendered and seat not in self.voided)

    @property
    def dead(self) -> bool:
        """Whether nothing of the round is left but to clear the table."""
        if self.void is None:
            return False
        return self.void.order is not Order.VOID_KEEP_BONUS or not self.bonuses

    def holds(self, position: int) -> bool:
        """Whether face-down cards lie at the position."""
        if position not in self.hands or position in self.exposed:
            return False
        if self.unbet_collected and position in self.unbet:
            return False
        if position == DEALER:
            return DEALER not in self.settings
        gone = position in self.surrendered and position not in self.bonuses
        return not gone

    def gather(self) -> None:
        """Take all cards back, to be shuffled again for this round."""
        self.undealt = set(DECK)
        for pile in (self.hands, self.stacks, self.discarded, self.drawn):
            pile.clear()
        self.cut_by = self.recut_from = None
        self.loaded = self.stub_racked = self.stub_counted = False
        self.decks.use(self.deck)

    def round_over(self) -> None:
        """Hand on to the next round what it must know.

        A round that was void counts in every rotation. The button is the exception, as rig policy: it moves only after
        a completed round, and a banked round starts at the button like any other.
        """
        memory = self.memory
        if self.void is None:
            memory.button = next_button(memory.button)
        if self.first_offer is not None:
            memory.banks.offers.pass_on(self.first_offer)
        self._rotate_cut(memory)
        bank = None if self.bank is None else holder(self.bank, self.wagers[self.bank])
        memory.banks.round_over(self.wagers, bank)
        memory.banks.start_of_game = False
        memory.stub.round_over(self.stub_counted or self.deck in memory.decks.counted)
        memory.decks.alternate()
        if self.new_deck:
            memory.banks.restart()
            memory.cuts.restart()

    def cut_offer(self) -> tuple[int, ...]:
        """The seats that are offered the cut, in order: 34.6(d), and 34.6(f) after a recut was ordered."""
        seats = self.wagers.keys()
        if self.recut_from is not None:
            return self._recut_offer(self.recut_from)
        if self.bank is not None:
            return Rotation(self.bank).order(seats)
        if self.memory.banks.start_of_game:
            return (self.first_player,) if self.first_player in seats else ()
        return self.memory.cuts.order(seats)[:1]

    def _bonus_plays(self, seat: int) -> bool:
        return self.wagers[seat].bonus > 0 and seat not in self.voided

    def _recut_offer(self, cutter: int) -> tuple[int, ...]:
        if self.options.recut_by == "last":
            return (cutter,) if cutter != DEALER else ()
        return Rotation(cutter + 1).order(self.wagers)[:1]

    def _rotate_cut(self, memory: Memory) -> None:
        if self.bank is not None or memory.banks.start_of_game:
            memory.cuts.restart()
        elif self.wagers:
            memory.cuts.pass_on(memory.cuts.order(self.wagers)[0])


def opened(options: Options, memory: Memory, wagers: Mapping[int, Wager]) -> Play:
    """A round with its wagers, before anything was done."""
    return Play(options, memory, dict(wagers), next(iter(wagers), None), memory.banks.offer_to(options, wagers))
