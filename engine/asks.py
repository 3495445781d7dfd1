"""What a round can want next. The game decides the order; whoever runs the table fulfils each and tells what was seen.

Positions: 0 is the dealer, the betting positions count up counterclockwise from the dealer's far right.
Every ask cites the rules that call for it, by the keys of the clause register.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltrig.engine.cards import Card

Rules = tuple[str, ...]


class Ask:
    """What a round wants next, and the rules that call for it."""

    __slots__ = ()
    rules: Rules


@dataclass(frozen=True, slots=True)
class OfferBank(Ask):
    """Offer the bank to a seat. Tell BankAccepted or BankDeclined."""

    seat: int
    co_bank: bool
    """Whether the house offers to cover half."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class StartShuffle(Ask):
    """Start the shuffler on the deck, or begin to shuffle by hand. Tell ShuffleStarted or ShufflerFailed."""

    deck: str
    by: str
    """`machine` or `hand`."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class FinishShuffle(Ask):
    """Wait for the shuffle to end and take the stack out. Tell Shuffled or ShufflerFailed."""

    deck: str
    by: str
    expect: int
    """How many cards the deck has."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class Cut(Ask):
    """Offer the cut to the seats in this order; the dealer (0) cuts when all decline. Tell DeckCut."""

    offer: tuple[int, ...]
    size: int
    """How many cards there are to cut."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class PlaceDealerWager(Ask):
    """The dealer stakes against the bank; the bank may lower it or forbid it. Tell DealerWagered."""

    most: int
    """Cents."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class LoadShoe(Ask):
    """Put the deck into the shoe. Tell ShoeLoaded."""

    deck: str
    automated: bool
    rules: Rules


@dataclass(frozen=True, slots=True)
class CallNoMoreBets(Ask):
    """Close the betting. Tell NoMoreBets."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class ShakeDice(Ask):
    """Cover, shake at least `shakes` times, uncover. Tell DiceRolled."""

    by: str
    """`dealer` or `bank`. Whoever shakes, only the dealer lifts the lid."""
    shakes: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class SelectNumber(Ask):
    """Let the random number generator select. Tell NumberSelected."""

    low: int
    high: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class ReadButton(Ask):
    """Look where the button lies. Tell ButtonSeen."""

    expect: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class DealCard(Ask):
    """Deal the next single card, face down, to a position or onto a stack. Tell CardDealt."""

    number: int
    """1 for the first card of the round."""
    position: int | None
    stack: int | None
    """Counted from the dealer's left, 1 first; used when stacks are built by hand."""
    rules: Rules
    area: str | None = None
    """A place of the layout that is not a position, such as `community.1`."""


@dataclass(frozen=True, slots=True)
class Dispense(Ask):
    """Let the automated shoe dispense a stack and deliver it. Tell StackDispensed or ShoeFailed."""

    number: int
    size: int
    position: int | None
    rules: Rules
    area: str | None = None
    """A place of the layout that is not a position."""


@dataclass(frozen=True, slots=True)
class RackStub(Ask):
    """Place the undealt cards in the discard rack, counting them face down when `count` is set. Tell StubRacked."""

    expect: int
    count: bool
    rules: Rules


@dataclass(frozen=True, slots=True)
class ChooseStack(Ask):
    """The bank chooses which stack goes first. Tell StackChosen."""

    seat: int
    stacks: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class DeliverStack(Ask):
    """Deliver a stack, face down. Tell StackDelivered."""

    stack: int
    position: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class CollectUnbet(Ask):
    """Collect, unseen, the cards of the positions without a wager. Tell UnbetCollected."""

    positions: tuple[int, ...]
    rules: Rules


@dataclass(frozen=True, slots=True)
class ParkShaker(Ask):
    """Cover the shaker, shake it once, put it to the dealer's right. Tell ShakerParked."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class DecideExposed(Ask):
    """A card of the seat was exposed: play on or void, without a look at the others. Tell PlayedOn or HandVoided."""

    seat: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class SetHands(Ask):
    """The holder of a position sets its hands. Tell HandSet; a player may tell Surrendered instead."""

    position: int
    cards: tuple[Card, ...]
    house_way: bool
    """Whether the hands are set as the licensee submitted: the dealer's, and a co-bank's."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class Expose(Ask):
    """Turn over both hands of a position and call the result. Tell Exposed."""

    position: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class CollectCards(Ask):
    """The round is over: gather every card of the deck. Tell CardsCollected."""

    deck: str
    rules: Rules
    keep: bool = False
    """The shoe stays as it is for the next round: only the cards on the layout go to the discard rack."""


@dataclass(frozen=True, slots=True)
class ClearDevice(Ask):
    """Take the cards out of a failed device, remove the cause and reset it. Tell DeviceCleared."""

    device: str
    """`shuffler` or `shoe`."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class ReplaceDeck(Ask):
    """Remove the deck from the table and bring a good one. Tell DeckReplaced."""

    deck: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class Burn(Ask):
    """Put the next card aside unseen, face down. Tell CardBurned."""

    rules: Rules
    show: bool = False
    """Whether its face is shown first."""


@dataclass(frozen=True, slots=True)
class Decide(Ask):
    """A seat chooses. Tell Decided; a choice with an amount lies between `least` and `most`, in cents."""

    seat: int
    what: str
    choices: tuple[str, ...]
    cards: tuple[Card, ...]
    """What the seat can see of its own hand."""
    rules: Rules
    amounts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Choices that need an amount, with the least and the most that it may be."""


@dataclass(frozen=True, slots=True)
class Reveal(Ask):
    """Turn over the cards of a place of the layout. Tell Revealed."""

    area: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class CheckHoleCard(Ask):
    """Let the card reader look at the dealer's face-down card. Tell HoleCardChecked."""

    expect: bool
    """What the cards that the rig saw make of it."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class CountSensors(Ask):
    """Compare the lights of the wager sensors, or of the progressive meter, with the chips. Tell SensorsRead."""

    bet: str
    seats: tuple[int, ...]
    """Who has chips there."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class ReadMeter(Ask):
    """Read the amount of the progressive meter. Tell MeterRead."""

    expect: int
    """What it must show, in cents, by the wagers and awards so far."""
    rules: Rules


@dataclass(frozen=True, slots=True)
class SpinBall(Ask):
    """Spin the ball in the track of the wheel. Tell BallSpun while it rotates."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class SpinWheel(Ask):
    """Spin the wheel for at least `turns` full turns. Tell WheelSpun."""

    turns: int
    results: tuple[str, ...]
    """The results on the wheel, each once for every place that shows it."""
    rules: Rules


ASKS = tuple(
    kind for kind in globals().values() if isinstance(kind, type) and issubclass(kind, Ask) and kind is not Ask
)
"""All of them."""
