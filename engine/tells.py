"""What was seen at the table. A round accepts an observation only when its rules allow it at that moment."""

from dataclasses import dataclass

from feltrig.engine.cards import Card


class Tell:
    """An observation."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class BankAccepted(Tell):
    """A seat takes the bank. `chips` are its chips on the table, in cents."""

    seat: int
    chips: int
    co_bank: bool = False


@dataclass(frozen=True, slots=True)
class BankDeclined(Tell):
    """A seat passes the bank."""

    seat: int


@dataclass(frozen=True, slots=True)
class ShuffleStarted(Tell):
    """The shuffle has begun."""

    deck: str


@dataclass(frozen=True, slots=True)
class Shuffled(Tell):
    """The shuffle is complete. `count` is what a counting machine reported, None when nothing counted."""

    deck: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ShufflerFailed(Tell):
    """The shuffler jammed, stopped, or did not complete its cycle."""

    deck: str
    what: str


@dataclass(frozen=True, slots=True)
class DeckCut(Tell):
    """The cutting card went in `depth` cards from the top. `by` is the seat, 0 the dealer."""

    by: int
    depth: int


@dataclass(frozen=True, slots=True)
class RecutOrdered(Tell):
    """A supervisor orders a recut, after the cut and before the first card."""


@dataclass(frozen=True, slots=True)
class DealerWagered(Tell):
    """The dealer's stake against the bank, in cents; 0 for none."""

    amount: int


@dataclass(frozen=True, slots=True)
class ShoeLoaded(Tell):
    """The deck lies in the shoe."""

    deck: str


@dataclass(frozen=True, slots=True)
class WagerPlaced(Tell):
    """A wager was made, raised or (0) withdrawn, in cents."""

    seat: int
    main: int
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class NoMoreBets(Tell):
    """The dealer has closed the betting."""


@dataclass(frozen=True, slots=True)
class DiceRolled(Tell):
    """The dice as they lay when the lid came off. Fewer than three dice: one fell out."""

    dice: tuple[int, ...]
    flat: tuple[bool, ...]
    shakes: int
    lid_by: str = "dealer"
    announced: int | None = None
    """The total that the dealer called, when it was heard."""


@dataclass(frozen=True, slots=True)
class NumberSelected(Tell):
    """The number that the generator displays."""

    number: int


@dataclass(frozen=True, slots=True)
class ButtonSeen(Tell):
    """Where the button lies."""

    position: int


@dataclass(frozen=True, slots=True)
class CardDealt(Tell):
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
class CardDrawnInError(Tell):
    """A card was drawn too early, its face not exposed: it is the next card."""

    card: Card


@dataclass(frozen=True, slots=True)
class StackDispensed(Tell):
    """A stack came out of the automated shoe; the cards as the rig's reader saw them, and those lying face up."""

    cards: tuple[Card, ...]
    face_up: tuple[Card, ...] = ()
    position: int | None = None
    """Where it was delivered, None: as asked."""
    area: str | None = None
    """The place of the layout where it was delivered, None: as asked."""


@dataclass(frozen=True, slots=True)
class ShoeFailed(Tell):
    """The automated shoe jammed, stopped, or did not deal all the cards."""

    what: str


@dataclass(frozen=True, slots=True)
class StubRacked(Tell):
    """The undealt cards are in the rack; `count` when they were counted, `cards` when the rig's reader saw them."""

    count: int | None = None
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class StackChosen(Tell):
    """The bank chose the first stack, counted from the dealer's left, 1 first."""

    stack: int


@dataclass(frozen=True, slots=True)
class StackDelivered(Tell):
    """A stack was delivered to a position."""

    stack: int
    position: int


@dataclass(frozen=True, slots=True)
class UnbetCollected(Tell):
    """The cards at positions without a wager are in the rack, unseen."""


@dataclass(frozen=True, slots=True)
class ShakerParked(Tell):
    """The shaker was covered, shaken and put aside."""

    shakes: int = 1


@dataclass(frozen=True, slots=True)
class CardExposed(Tell):
    """A card of a position, or of a place of the layout, was exposed after it was dealt and before its time."""

    position: int | None
    card: Card | None = None
    area: str | None = None


@dataclass(frozen=True, slots=True)
class PlayedOn(Tell):
    """The player whose card was exposed plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandVoided(Tell):
    """The player whose card was exposed voids the hand."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandSet(Tell):
    """A position's hands as they were set. Any split can be told; the rules judge it."""

    position: int
    high: tuple[Card, ...]
    low: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Surrendered(Tell):
    """A player gives up the main wager."""

    seat: int


@dataclass(frozen=True, slots=True)
class Exposed(Tell):
    """Both hands of the position lie face up."""

    position: int


@dataclass(frozen=True, slots=True)
class CardsCollected(Tell):
    """All cards are gathered; `count` when they were counted."""

    deck: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class DeviceCleared(Tell):
    """The failed device is empty and reset."""

    device: str


@dataclass(frozen=True, slots=True)
class DeckReplaced(Tell):
    """The deck was removed and a good one is in its place."""

    deck: str


@dataclass(frozen=True, slots=True)
class CardBurned(Tell):
    """A card was put aside; its face when the rig's reader saw it."""

    card: Card


@dataclass(frozen=True, slots=True)
class BetPlaced(Tell):
    """A bet was made, changed or (0) withdrawn, in cents, before the betting was closed."""

    seat: int
    bet: str
    amount: int


@dataclass(frozen=True, slots=True)
class Decided(Tell):
    """What a seat chose; `amount` in cents when the choice needs one."""

    seat: int
    choice: str
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class Revealed(Tell):
    """The cards of a place of the layout lie face up."""

    area: str


@dataclass(frozen=True, slots=True)
class CuttingCardSeen(Tell):
    """The cutting card came out of the shoe: this round is finished, and the cards are shuffled."""


@dataclass(frozen=True, slots=True)
class DealerChanged(Tell):
    """Another dealer came to the table."""


@dataclass(frozen=True, slots=True)
class HoleCardChecked(Tell):
    """What the card reader says about the dealer's hand."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class SensorsRead(Tell):
    """The seats whose sensors are lit."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MeterRead(Tell):
    """What the progressive meter shows, in cents."""

    amount: int


@dataclass(frozen=True, slots=True)
class BallSpun(Tell):
    """The ball rotates in the track of the wheel."""


@dataclass(frozen=True, slots=True)
class WheelSpun(Tell):
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


TELLS = tuple(
    kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Tell) and kind is not Tell
)
"""All of them."""
