"""What is checked of each kind of device, and how the journal shows it: one function each, and one table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from feltrig.engine.cards import Card, names
from feltrig.harness.evidence import Evidence
from feltrig.harness.journal import Record


@dataclass(frozen=True, slots=True)
class Sighting:
    """One occasion on which a check could be made."""

    good: bool
    evidence: tuple[int, ...]
    detail: str = ""


Look = Callable[[Evidence, str], Iterator[Sighting]]


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one kind of device (None: of every device), under a rule (None: the rig's own demand)."""

    name: str
    kind: str | None
    rule: str | None
    look: Look
    required: bool = True
    """Whether a certificate needs at least one occasion."""
    limits: str = ""
    """What a pass does not show, where that is easily overestimated."""
    absent: str = "did not occur in this run"
    """What it means that there was no occasion."""


def identity_as_submitted(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device says that it is of the kind expected, and every part of its identity that was submitted agrees."""
    for record in evidence.of("device"):
        if record.data["name"] == device:
            submitted = {"kind": record.data["kind"], **record.data["submitted"]}
            said = record.data["identity"]
            wrong = [
                f"{key} is {said[key]!r}, submitted {value!r}" for key, value in submitted.items() if said[key] != value
            ]
            yield Sighting(not wrong, (record.seq,), "; ".join(wrong))


def proves_its_firmware(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The proof that the device gives for a nonce of the rig's is that of the image submitted."""
    for record in evidence.of("challenge", device):
        error, proof = record.data["error"], record.data["proof"]
        wrong = f"answered {error}" if error != "ok" else f"the proof {proof} is not that of the image submitted"
        yield Sighting(proof == record.data["expected"], (record.seq,), wrong)


def events_without_gap(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Event numbers rise by one and never start over."""
    for record in evidence.of("event", device):
        yield Sighting(True, (record.seq,))
    for record in evidence.of("gap", device):
        detail = f"event {record.data['next']} follows event {record.data['seen']}"
        yield Sighting(False, (record.seq,), detail)
    for record in evidence.of("restart", device):
        yield Sighting(False, (record.seq,), "the device started over in the middle of the run")


def stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The device does not start over while it is in use. Whoever drives it begins behind the events of the past."""
    for record in evidence.events(device):
        good = record.data["event"] != "started"
        yield Sighting(good, (record.seq,), "the device started over in the middle of the run")


def completes(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Whatever the device was told to do, it did, without a fault, a refusal or a stop."""
    for record in evidence.of("reply", device):
        yield Sighting(record.data["error"] == "ok", (record.seq,), f"{record.data['command']}: {record.data['error']}")
    for record in evidence.events(device, "faulted"):
        yield Sighting(False, (record.seq,), "stopped with a fault")
    for record in evidence.of("trouble", device):
        if record.data["what"] in ("stalled", "unfit"):
            yield Sighting(False, (record.seq,), record.data["detail"])


def shuffles_to_the_end(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each shuffle that began was completed before the next."""
    begun: Record | None = None
    for record in evidence.events(device, "shuffling", "shuffled", "faulted"):
        match record.data["event"]:
            case "shuffling":
                if begun is not None:
                    yield Sighting(False, (begun.seq,), "a shuffle began and was never completed")
                begun = record
            case "shuffled":
                yield Sighting(begun is not None, (record.seq,), "a shuffle ended that never began")
                begun = None
            case _:
                yield Sighting(False, (record.seq,), "the shuffler stopped with a fault")
                begun = None


def counts_every_shuffle(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each completed shuffle is followed by its count, and only by one."""
    open_shuffle: Record | None = None
    for record in evidence.events(device, "shuffled", "counted"):
        if record.data["event"] == "shuffled":
            if open_shuffle is not None:
                yield Sighting(False, (open_shuffle.seq,), "no count after a shuffle")
            open_shuffle = record
        else:
            good = open_shuffle is not None
            yield Sighting(good, (record.seq,), "a count without a shuffle")
            open_shuffle = None
    if open_shuffle is not None and evidence.end is not None:
        yield Sighting(False, (open_shuffle.seq,), "no count after a shuffle")


def count_is_true(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The count reported is the number of cards that the reader saw come out."""
    for counted, read in _pairs(evidence, device, "counted", "deck after the shuffle"):
        count, seen = counted.data["values"]["count"], len(read.data["cards"])
        yield Sighting(count == seen, (counted.seq, read.seq), f"reported {count} cards, {seen} came out")


def indicates_wrong_count(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The machine calls a count correct if and only if it is that of the whole deck."""
    for record in evidence.events(device, "counted"):
        count, correct = record.data["values"]["count"], record.data["values"]["correct"]
        good = bool(correct) == (count == evidence.run["deck_size"])
        yield Sighting(good, (record.seq,), f"called {count} cards {'correct' if correct else 'incorrect'}")


def deck_comes_out_whole(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """What comes out of the shuffler are the cards that went in."""
    for before, after in _shuffles(evidence):
        missing = sorted(set(before.data["cards"]) - set(after.data["cards"]))
        good = sorted(before.data["cards"]) == sorted(after.data["cards"])
        absent = f"; missing {' '.join(names([Card(c) for c in missing]))}" if missing else ""
        detail = f"{len(before.data['cards'])} cards went in, {len(after.data['cards'])} other ones came out{absent}"
        yield Sighting(good, (before.seq, after.seq), detail)


def order_changes(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The order that comes out is not the order that went in. Whether it is random is for statistics to say."""
    for before, after in _shuffles(evidence):
        good = before.data["cards"] != after.data["cards"]
        yield Sighting(good, (before.seq, after.seq), "the deck came out in the order in which it went in")


def cards_do_not_stay_together(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Not many neighbours come out as they went in, one after the other."""
    for before, after in _shuffles(evidence):
        place = {card: index for index, card in enumerate(before.data["cards"])}
        places = [place.get(card, -1) - index for index, card in enumerate(after.data["cards"])]
        longest = max((len(list(group)) for _, group in groupby(places)), default=0)
        detail = f"{longest} cards came out together as they went in"
        yield Sighting(longest < TOGETHER, (before.seq, after.seq), detail)


def deck_is_not_sorted(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The deck does not come out in new-deck order, from either end."""
    for _, after in _shuffles(evidence):
        cards = after.data["cards"]
        good = len(cards) < 2 or sorted(cards) not in (cards, cards[::-1])
        yield Sighting(good, (after.seq,), "the deck came out in new-deck order")


def no_shuffle_twice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No two shuffles move the cards in the same way: by chance that happens once in 54 factorial."""
    former: dict[tuple[int, ...], int] = {}
    for before, after in _shuffles(evidence):
        place = {card: index for index, card in enumerate(before.data["cards"])}
        if set(place) == set(after.data["cards"]):
            way = tuple(place[card] for card in after.data["cards"])
            good = way not in former
            yield Sighting(good, (former.get(way, before.seq), after.seq), "two shuffles moved the cards alike")
            former[way] = after.seq


def turns_no_card(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No card that went in face down comes out face up."""
    for before, after in _shuffles(evidence):
        turned = set(after.data["face_up"]) - set(before.data["face_up"])
        detail = f"{' '.join(names([Card(c) for c in turned]))} came out face up"
        yield Sighting(not turned, (before.seq, after.seq), detail)


def decks_alternate(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """With two decks, each is used every other round of a session."""
    for former, latter in zip(evidence.rounds, evidence.rounds[1:], strict=False):
        same_session = former.session == latter.session
        if same_session and len(evidence.sessions[latter.session]["decks"]) == 2:
            decks = [_deck_in_play(former.records), _deck_in_play(latter.records)]
            if None not in decks:
                good = decks[0] != decks[1]
                yield Sighting(good, (latter.records[0].seq,), f"the {decks[1]} deck was used twice in a row")


def shuffles_the_idle_deck(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """With two decks, one is shuffled while the other is in play, never the one in play."""
    for round_ in evidence.rounds:
        if len(evidence.sessions[round_.session]["decks"]) < 2:
            continue
        in_play = _deck_in_play(round_.records)
        dealing = False
        for record in round_.records:
            if record.kind == "tell" and record.data["is"] == "ShoeLoaded":
                dealing = True
            if dealing and record.kind == "tell" and record.data["is"] == "ShuffleStarted":
                good = record.data["deck"] != in_play
                yield Sighting(good, (record.seq,), f"the {in_play} deck was shuffled while it was in play")


def stacks_of_the_size_asked(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each stack has as many cards as it was asked for."""
    for call, read in _dispensed(evidence, device):
        size, seen = call.data["values"]["size"], len(read.data["cards"])
        yield Sighting(size == seen, (call.seq, read.seq), f"a stack of {seen} where {size} were asked for")


def reports_the_size_dispensed(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The size that the shoe reports is the size that the reader saw."""
    for event, read in _pairs(evidence, device, "dispensed", "stack"):
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
        in_play = _deck_in_play(round_.records)
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


def three_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shows three dice whenever it is uncovered."""
    for record in evidence.events(device, "rolled"):
        dice = record.data["values"]["dice"]
        yield Sighting(len(dice) == 3, (record.seq,), f"{len(dice)} dice in the shaker")


def faces_of_dice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die shows a face from 1 to 6."""
    for record in evidence.events(device, "rolled"):
        wrong = [die for die in record.data["values"]["dice"] if not 1 <= die <= 6]
        yield Sighting(not wrong, (record.seq,), f"a die shows {wrong}")


def dice_lie_flat(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each die lies flat when the lid comes off."""
    for record in evidence.events(device, "rolled"):
        yield Sighting(all(record.data["values"]["flat"]), (record.seq,), "a die does not lie flat")


def shakes_as_often_as_told(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The shaker shakes as often as it is told, which is at least three times before a roll."""
    told: Record | None = None
    for record in evidence.records:
        if record.kind == "call" and record.data["device"] == device and record.data["command"] == "shake":
            told = record
        if record.kind == "event" and record.data["device"] == device and record.data["event"] == "shaken" and told:
            times, asked = record.data["values"]["times"], told.data["values"]["times"]
            yield Sighting(times >= asked, (told.seq, record.seq), f"shaken {times} times, told {asked}")
            told = None


def lid_stays_on(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The lid comes off only when it is told to."""
    for record in evidence.events(device, "uncovered"):
        yield Sighting(bool(record.data["values"]["commanded"]), (record.seq,), "the lid came off by a hand")


def reports_its_lid(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No dice are read under a lid that is closed, as far as the shaker says."""
    closed = False
    for record in evidence.events(device, "shaken", "covered", "uncovered", "rolled"):
        match record.data["event"]:
            case "shaken" | "covered":
                closed = True
            case "uncovered":
                closed = False
            case _:
                yield Sighting(not closed, (record.seq,), "dice were read, and no event said that the lid came off")


def dice_do_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The dice do not show the same faces again and again."""
    rolls = list(evidence.events(device, "rolled"))
    yield from _no_long_run(rolls, [tuple(r.data["values"]["dice"]) for r in rolls], 216)


def number_does_not_stick(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The same number is not selected again and again."""
    draws = list(evidence.events(device, "selected"))
    yield from _no_long_run(draws, [r.data["values"]["number"] for r in draws], 7)


def number_in_range(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The number selected is one of 1 to 7."""
    for record in evidence.events(device, "selected"):
        number = record.data["values"]["number"]
        yield Sighting(1 <= number <= 7, (record.seq,), f"selected {number}")


def displays_what_it_selected(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The display shows the number that was selected."""
    selected: Record | None = None
    for record in evidence.records:
        if record.data.get("device") != device:
            continue
        if record.kind == "event" and record.data["event"] == "selected":
            selected = record
        if record.kind == "reply" and record.data["command"] == "display" and selected and record.data["error"] == "ok":
            number, shown = selected.data["values"]["number"], record.data["values"]["number"]
            yield Sighting(number == shown, (selected.seq, record.seq), f"selected {number}, displays {shown}")
            selected = None


def one_selection_each(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """One trigger gives one selection: none without, none twice."""
    told = False
    for record in evidence.records:
        if record.data.get("device") != device:
            continue
        if record.kind == "call" and record.data["command"] == "select":
            told = True
        if record.kind == "event" and record.data["event"] == "selected":
            yield Sighting(told, (record.seq,), "a number was selected without a trigger")
            told = False


CHECKS = (
    Check("is the device that was submitted", None, None, identity_as_submitted),
    Check(
        "proves its firmware with a salted challenge",
        None,
        None,
        proves_its_firmware,
        required=False,  # of a device whose image was submitted, no run ends without it
        limits="this shows more than a digest, that the image is at hand, but not that it is what runs",
        absent="no firmware image was submitted",
    ),
    Check("numbers its events without a gap", None, None, events_without_gap),
    Check("stays on", None, None, stays_on),
    Check("does what it is told", None, None, completes),
    Check("completes its shuffle cycle", "shuffler", "34.16(m)", shuffles_to_the_end),
    Check("counts the cards after each shuffle", "shuffler", "34.8(e)", counts_every_shuffle),
    Check("reports the count that came out", "shuffler", "34.8(e)", count_is_true),
    Check("indicates whether the deck is complete", "shuffler", "34.8(e)", indicates_wrong_count),
    Check("gives out the cards that went in", "shuffler", "34.2(a)", deck_comes_out_whole),
    Check("changes the order of the deck", "shuffler", "34.6(a)", order_changes),
    Check("lets no cards stay together", "shuffler", "34.6(a)", cards_do_not_stay_together),
    Check("does not sort the deck", "shuffler", "34.6(a)", deck_is_not_sorted),
    Check("never shuffles twice alike", "shuffler", "34.6(a)", no_shuffle_twice),
    Check("turns no card over", "shuffler", "34.16(f)", turns_no_card),
    Check("alternates two decks", "shuffler", "34.2(b)4", decks_alternate, required=False),
    Check("shuffles the deck that is not in play", "shuffler", "34.2(b)3", shuffles_the_idle_deck, required=False),
    Check("dispenses stacks of the size asked for", "shoe", "34.10(a)", stacks_of_the_size_asked),
    Check("reports the size it dispensed", "shoe", "34.10(a)", reports_the_size_dispensed),
    Check("dispenses only when told, after no more bets", "shoe", "34.10(b)2", dispenses_only_when_told),
    Check("dispenses the deck from its top", "shoe", "34.10(d)", deals_from_the_top),
    Check("dispenses no card face up", "shoe", "34.16(f)", dispenses_face_down),
    Check("holds three dice", "shaker", "34.4(a)1i", three_dice),
    Check("shows faces from 1 to 6", "shaker", "34.11(b)1", faces_of_dice),
    Check("lets the dice lie flat", "shaker", "34.16(a)", dice_lie_flat),
    Check("shakes as often as told, at least three times", "shaker", "34.11(b)", shakes_as_often_as_told),
    Check("keeps its lid on until told", "shaker", "34.13(h)1", lid_stays_on),
    Check("says when its lid is off", "shaker", "34.11(b)1", reports_its_lid),
    Check("does not roll the same again and again", "shaker", "34.11(b)", dice_do_not_stick),
    Check("selects a number from 1 to 7", "rng", "34.4(a)2", number_in_range),
    Check("displays the number selected", "rng", "34.11(c)", displays_what_it_selected),
    Check("selects once for each trigger", "rng", "34.11(c)", one_selection_each),
    Check("does not select the same again and again", "rng", "34.4(a)2", number_does_not_stick),
)


TOGETHER = 8
"""A fair shuffle of 54 cards lets so many neighbours in a row stay together less than once in 10 ** 10 times."""

STUCK = 1e-6
"""A run of equal outcomes that a fair machine shows less often than this is called stuck."""


def _no_long_run(records: list[Record], outcomes: list[Any], equally_likely: int) -> Iterator[Sighting]:
    """Whether the longest run of equal outcomes is one that chance allows: n places to begin, each further one 1/k."""
    if not records:
        return
    runs = [list(group) for _, group in groupby(range(len(outcomes)), key=outcomes.__getitem__)]
    longest = max(runs, key=len)
    good = len(outcomes) * equally_likely ** (1 - len(longest)) >= STUCK
    yield Sighting(
        good, tuple(records[i].seq for i in longest), f"{outcomes[longest[0]]} {len(longest)} times in a row"
    )


def _pairs(evidence: Evidence, device: str, event: str, what: str) -> Iterator[tuple[Record, Record]]:
    """Each event of a device with the reader's next look at the same thing."""
    waiting: Record | None = None
    for record in evidence.records:
        if record.kind == "event" and record.data["device"] == device and record.data["event"] == event:
            waiting = record
        if record.kind == "read" and record.data["what"] == what and waiting is not None:
            yield waiting, record
            waiting = None


def _shuffles(evidence: Evidence) -> Iterator[tuple[Record, Record]]:
    """The reader's looks before and after each completed machine shuffle of a deck."""
    before: dict[str, Record] = {}
    for record in evidence.of("read"):
        name = record.data["deck"]
        if record.data["what"] == "deck before the shuffle":
            before[name] = record
        elif record.data["what"] == "deck after the shuffle" and name in before:
            yield before.pop(name), record


def _dispensed(evidence: Evidence, device: str) -> Iterator[tuple[Record, Record]]:
    """Each command to dispense with the reader's look at the stack."""
    call: Record | None = None
    for record in evidence.records:
        if record.kind == "call" and record.data["device"] == device and record.data["command"] == "dispense":
            call = record
        if record.kind == "read" and record.data["what"] == "stack" and call is not None:
            yield call, record
            call = None


def _deck_in_play(records: list[Record]) -> str | None:
    """The deck that the round was dealt from."""
    return next((r.data["deck"] for r in records if r.kind == "tell" and r.data["is"] == "Shuffled"), None)
