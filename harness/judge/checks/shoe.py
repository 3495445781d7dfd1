"""What is checked of a dealing shoe."""

from collections.abc import Iterator

from feltrig.engine.cards import Card, names
from feltrig.harness.journal.journal import Record
from feltrig.harness.judge.checks.check import Sighting
from feltrig.harness.judge.checks.pairing import deck_in_play, pairs
from feltrig.harness.judge.evidence import Evidence


def stacks_of_the_size_asked(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each stack has as many cards as it was asked for."""
    for call, read in _dispensed(evidence, device):
        size, seen = call.data["values"]["size"], len(read.data["cards"])
        yield Sighting(size == seen, (call.seq, read.seq), f"a stack of {seen} where {size} were asked for")


def reports_the_size_dispensed(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The size that the shoe reports is the size that the reader saw."""
    for event, read in pairs(evidence, device, "dispensed", "stack"):
        size, seen = event.data["values"]["size"], len(read.data["cards"])
        yield Sighting(size == seen, (event.seq, read.seq), f"reported {size} cards, dispensed {seen}")


def dispenses_only_when_told(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Every stack follows a command of its own, after the betting was closed."""
    told: Record | None = None
    closed = False
    for record in evidence.records:
        match record.kind:
            case "round":
                closed = False
            case "tell" if record.data["is"] == "NoMoreBets":
                closed = True
            case "call" if record.data["device"] == device and record.data["command"] == "dispense":
                told = record
            case "event" if record.data["device"] == device and record.data["event"] == "dispensed":
                good = told is not None and closed
                why = "before the betting was closed" if not closed else "without a command"
                yield Sighting(good, (record.seq,), f"a stack came out {why}")
                told = None


def deals_from_the_top(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The stacks are the shuffled and, by hand, cut deck from its top, in order."""
    for round_ in evidence.rounds:
        in_play = deck_in_play(round_.records)
        left: list[int] | None = None
        for record in round_.records:
            match record.kind, record.data:
                case "read", {"what": str(what), "deck": deck, "cards": cards} if what.startswith("deck after"):
                    left = list(cards) if deck == in_play else left
                case "tell", {"is": "DeckCut", "depth": depth} if left is not None:
                    left = left[depth:] + left[:depth]
                case "read", {"what": "stack", "cards": cards} if left is not None:
                    good = left[: len(cards)] == cards
                    yield Sighting(good, (record.seq,), "a stack was not the next cards of the deck")
                    del left[: len(cards)]


def dispenses_face_down(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No card comes out of the shoe face up that did not go in so."""
    loaded: set[int] = set()
    for record in evidence.of("read"):
        if record.data["what"].startswith("deck after"):
            loaded = set(record.data["face_up"])
        if record.data["what"] == "stack":
            turned = set(record.data["face_up"]) - loaded
            cards = " ".join(names([Card(c) for c in turned]))
            yield Sighting(not turned, (record.seq,), f"{cards} came out face up")


def _dispensed(evidence: Evidence, device: str) -> Iterator[tuple[Record, Record]]:
    """Each command to dispense with the reader's look at the stack."""
    call: Record | None = None
    for record in evidence.records:
        if record.kind == "call" and record.data["device"] == device and record.data["command"] == "dispense":
            call = record
        if record.kind == "read" and record.data["what"] == "stack" and call is not None:
            yield call, record
            call = None
