"""What is checked of a shoe."""

from collections.abc import Iterator

from feltrig.engine.cards import Card, names
from feltrig.harness.devices.patterns import deck_in_play, pairs
from feltrig.harness.journal.reader import Record, is_a
from feltrig.harness.journal.records import Called, CardsRead, EventSeen, RoundBegun, Told
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence


@check(
    "dispenses stacks of the size asked for",
    requirements=("DEV-89",),
    role="stack",
    catches=("double_feed", "short_stack", "long_stack", "misfeed"),
    basis=Basis.SEEN,
)
def stacks_of_the_size_asked(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each stack has as many cards as it was asked for."""
    for call, read in _dispensed(evidence, device):
        size, seen = call.body.values["size"], len(read.body.cards)
        yield Sighting(size == seen, (call.seq, read.seq), f"a stack of {seen} where {size} were asked for")


@check(
    "reports the size it dispensed",
    requirements=("DEV-89",),
    role="stack",
    rests_on=("dispensed.size",),
    basis=Basis.SEEN,
)
def reports_the_size_dispensed(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The size that the shoe reports is the size that the reader saw."""
    for event, read in pairs(evidence, device, "dispensed", "stack"):
        size, seen = event.body.values["size"], len(read.body.cards)
        yield Sighting(size == seen, (event.seq, read.seq), f"reported {size} cards, dispensed {seen}")


@check(
    "dispenses only when told, after no more bets",
    requirements=("DEV-91", "DEV-15"),
    role="closed first",
    catches=("early_dispense",),
)
def dispenses_only_when_told(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Every stack follows a command of its own, after the betting was closed."""
    told = closed = False
    for record in evidence.records:
        match record.body:
            case RoundBegun():
                closed = False
            case Told({"is": "NoMoreBets"}):
                closed = True
            case Called(name, "dispense") if name == device:
                told = True
            case EventSeen(name, event="dispensed") if name == device:
                why = "before the betting was closed" if not closed else "without a command"
                yield Sighting(told and closed, (record.seq,), f"a stack came out {why}")
                told = False


@check(
    "dispenses the deck from its top",
    requirements=("DEV-90",),
    role="dispense",
    catches=("bottom_card",),
    basis=Basis.SEEN,
)
def deals_from_the_top(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The stacks are the shuffled and, by hand, cut deck from its top, in order."""
    for round_ in evidence.rounds:
        in_play = deck_in_play(round_.records)
        left: list[int] | None = None
        for record in round_.records:
            match record.body:
                case CardsRead(what, deck, cards) if what.startswith("deck after"):
                    left = list(cards) if deck == in_play else left
                case Told({"is": "DeckCut", "depth": depth}) if left is not None:
                    left = left[depth:] + left[:depth]
                case CardsRead("stack", cards=cards) if left is not None:
                    good = left[: len(cards)] == list(cards)
                    yield Sighting(good, (record.seq,), "a stack was not the next cards of the deck")
                    del left[: len(cards)]


@check(
    "dispenses no card face up", requirements=("DEV-90",), role="face up", catches=("face_up_card",), basis=Basis.SEEN
)
def dispenses_face_down(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No card comes out of the shoe face up that did not go in so."""
    loaded: set[int] = set()
    for record in evidence.of(CardsRead):
        if record.body.what.startswith("deck after"):
            loaded = set(record.body.face_up)
        if record.body.what == "stack":
            turned = set(record.body.face_up) - loaded
            cards = " ".join(names([Card(c) for c in turned]))
            yield Sighting(not turned, (record.seq,), f"{cards} came out face up")


def _dispensed(evidence: Evidence, device: str) -> Iterator[tuple[Record[Called], Record[CardsRead]]]:
    """Each command to dispense with the reader's look at the stack."""
    call: Record[Called] | None = None
    for record in evidence.records:
        if is_a(record, Called) and record.body.device == device and record.body.command == "dispense":
            call = record
        if is_a(record, CardsRead) and record.body.what == "stack" and call is not None:
            yield call, record
            call = None
