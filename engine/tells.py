"""What was seen at the table. A round accepts an observation only when its rules allow it at that moment."""

from dataclasses import dataclass

from feltrig.engine.cards import Card


@dataclass(frozen=True, slots=True)
class BankAccepted:
    """A seat takes the bank. `chips` are its chips on the table, in cents."""

    seat: int
    chips: int
    co_bank: bool = False


@dataclass(frozen=True, slots=True)
class BankDeclined:
    """A seat passes the bank."""

    seat: int


@dataclass(frozen=True, slots=True)
class ShuffleStarted:
    """The shuffle has begun."""

    deck: str


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The shuffle is complete. `count` is what a counting machine reported, None when nothing counted."""

    deck: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ShufflerFailed:
    """The shuffler jammed, stopped, or did not complete its cycle."""

    deck: str
    what: str


@dataclass(frozen=True, slots=True)
class DeckCut:
    """The cutting card went in `depth` cards from the top. `by` is the seat, 0 the dealer."""

    by: int
    depth: int


@dataclass(frozen=True, slots=True)
class RecutOrdered:
    """A supervisor orders a recut, after the cut and before the first card."""


@dataclass(frozen=True, slots=True)
class DealerWagered:
    """The dealer's stake against the bank, in cents; 0 for none."""

    amount: int


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """The deck lies in the shoe."""

    deck: str


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A wager was made, raised or (0) withdrawn, in cents."""

    seat: int
    main: int
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """The dealer has closed the betting."""


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The dice as they lay when the lid came off. Fewer than three dice: one fell out."""

    dice: tuple[int, ...]
    flat: tuple[bool, ...]
    shakes: int
    lid_by: str = "dealer"
    announced: int | None = None
    """The total that the dealer called, when it was heard."""


@dataclass(frozen=True, slots=True)
class NumberSelected:
    """The number that the generator displays."""

    number: int


@dataclass(frozen=True, slots=True)
class ButtonSeen:
    """Where the button lies."""

    position: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A single card was dealt. `position` and `stack` say where it really went, None: as asked."""

    card: Card
    position: int | None = None
    stack: int | None = None
    face_up: bool = False
    """It lay face up in the shoe or deck."""
    exposed: bool = False
    """The dealer showed its face while dealing."""
    area: str | None = None
    """The place of the layout where it really went, None: as asked."""


@dataclass(frozen=True, slots=True)
class CardDrawnInError:
    """A card was drawn too early, its face not exposed: it is the next card."""

    card: Card


@dataclass(frozen=True, slots=True)
class StackDispensed:
    """A stack came out of the automated shoe; the cards as the rig's reader saw them, and those lying face up."""

    cards: tuple[Card, ...]
    face_up: tuple[Card, ...] = ()
    position: int | None = None
    """Where it was delivered, None: as asked."""
    area: str | None = None
    """The place of the layout where it was delivered, None: as asked."""


@dataclass(frozen=True, slots=True)
class ShoeFailed:
    """The automated shoe jammed, stopped, or did not deal all the cards."""

    what: str


@dataclass(frozen=True, slots=True)
class StubRacked:
    """The undealt cards are in the rack; `count` when they were counted, `cards` when the rig's reader saw them."""

    count: int | None = None
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class StackChosen:
    """The bank chose the first stack, counted from the dealer's left, 1 first."""

    stack: int


@dataclass(frozen=True, slots=True)
class StackDelivered:
    """A stack was delivered to a position."""

    stack: int
    position: int


@dataclass(frozen=True, slots=True)
class UnbetCollected:
    """The cards at positions without a wager are in the rack, unseen."""


@dataclass(frozen=True, slots=True)
class ShakerParked:
    """The shaker was covered, shaken and put aside."""

    shakes: int = 1


@dataclass(frozen=True, slots=True)
class CardExposed:
    """A card of a position, or of a place of the layout, was exposed after it was dealt and before its time."""

    position: int | None
    card: Card | None = None
    area: str | None = None


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """The player whose card was exposed plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandVoided:
    """The player whose card was exposed voids the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandSet:
    """A position's hands as they were set. Any split can be told; the rules judge it."""

    position: int
    high: tuple[Card, ...]
    low: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Surrendered:
    """A player gives up the main wager."""

    seat: int


@dataclass(frozen=True, slots=True)
class Exposed:
    """Both hands of the position lie face up."""

    position: int


@dataclass(frozen=True, slots=True)
class CardsCollected:
    """All cards are gathered; `count` when they were counted."""

    deck: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceCleared:
    """The failed device is empty and reset."""

    device: str


@dataclass(frozen=True, slots=True)
class DeckReplaced:
    """The deck was removed and a good one is in its place."""

    deck: str


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card was put aside; its face when the rig's reader saw it."""

    card: Card


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """A bet was made, changed or (0) withdrawn, in cents, before the betting was closed."""

    seat: int
    bet: str
    amount: int


@dataclass(frozen=True, slots=True)
class Decided:
    """What a seat chose; `amount` in cents when the choice needs one."""

    seat: int
    choice: str
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Revealed:
    """The cards of a place of the layout lie face up."""

    area: str


@dataclass(frozen=True, slots=True)
class CuttingCardSeen:
    """The cutting card came out of the shoe: this round is finished, and the cards are shuffled."""


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """Another dealer came to the table."""


@dataclass(frozen=True, slots=True)
class HoleCardChecked:
    """What the card reader says about the dealer's hand."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class SensorsRead:
    """The seats whose sensors are lit."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MeterRead:
    """What the progressive meter shows, in cents."""

    amount: int


@dataclass(frozen=True, slots=True)
class WheelSpun:
    """How the wheel was spun and where it came to rest."""

    result: str | None
    """None when nothing counts: the ball or the clapper lies between two places."""
    turns: int
    opposite: bool = True
    """Whether ball and wheel went in opposite directions."""
    foreign: bool = False
    """A foreign object was in the wheel before the ball came to rest."""
    passed: str | None = None
    """The place that the clapper passed last."""


Tell = (
    BankAccepted
    | BankDeclined
    | ShuffleStarted
    | Shuffled
    | ShufflerFailed
    | DeckCut
    | RecutOrdered
    | DealerWagered
    | ShoeLoaded
    | WagerPlaced
    | NoMoreBets
    | DiceRolled
    | NumberSelected
    | ButtonSeen
    | CardDealt
    | CardDrawnInError
    | StackDispensed
    | ShoeFailed
    | StubRacked
    | StackChosen
    | StackDelivered
    | UnbetCollected
    | ShakerParked
    | CardExposed
    | PlayedOn
    | HandVoided
    | HandSet
    | Surrendered
    | Exposed
    | CardsCollected
    | DeviceCleared
    | DeckReplaced
    | CardBurned
    | BetPlaced
    | Decided
    | Revealed
    | CuttingCardSeen
    | DealerChanged
    | HoleCardChecked
    | SensorsRead
    | MeterRead
    | WheelSpun
)
