"""What is checked of a shuffler."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import cast

from feltrig.engine.cards import Card, name, names
from feltrig.harness.devices.patterns import deck_in_play, pairs
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Called, CardsRead, EventSeen, SampleTaken, SessionOpened, Told
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence

TOGETHER = 8
"""A fair shuffle of 54 cards keeps this many neighbours together less than once in 10 ** 10 times."""


@check(
    "completes its shuffle cycle",
    requirements=("DEV-39",),
    role="shuffler fails",
    rests_on=("event shuffling", "event shuffled"),
)
def shuffles_to_the_end(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each shuffle that began was completed before the next."""
    begun: Record[EventSeen] | None = None
    for record in evidence.events(device, "shuffling", "shuffled", "faulted"):
        match record.body.event:
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


@check(
    "counts the cards after each shuffle",
    requirements=("DEV-81", "DEV-31"),
    role="machine count",
    rests_on=("event counted",),
)
def counts_every_shuffle(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each completed shuffle is followed by its count, and only by one."""
    open_shuffle: Record[EventSeen] | None = None
    for record in evidence.events(device, "shuffled", "counted"):
        if record.body.event == "shuffled":
            if open_shuffle is not None:
                yield Sighting(False, (open_shuffle.seq,), "no count after a shuffle")
            open_shuffle = record
        else:
            good = open_shuffle is not None
            yield Sighting(good, (record.seq,), "a count without a shuffle")
            open_shuffle = None
    if open_shuffle is not None and evidence.end is not None:
        yield Sighting(False, (open_shuffle.seq,), "no count after a shuffle")


@check(
    "names the compartment that it was told to use",
    requirements=("DEV-78",),
    rests_on=("event shuffled",),
    basis=Basis.SEEN,
)
def right_compartment(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Every event of a shuffle names the compartment of the command, in the drills too."""
    told: int | None = None
    for record in evidence.every:
        match record.body:
            case Called(name, "shuffle", values) if name == device:
                told = values.get("deck")
            case EventSeen(name, event="shuffling" | "shuffled" | "counted" as event, values=values) if name == device:
                said = values.get("deck", told)
                yield Sighting(said == told, (record.seq,), f"{event} says compartment {said}, told was {told}")


@check(
    "reports the count that came out",
    requirements=("DEV-82",),
    role="machine count",
    rests_on=("counted.count",),
    catches=("double_feed", "wrong_count", "blind_count", "missing_card_unnoticed"),
    basis=Basis.SEEN,
)
def count_is_true(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The count reported is the number of cards that the reader saw come out."""
    for counted, read in pairs(evidence, device, "counted", "deck after the shuffle"):
        count, seen = counted.body.values["count"], len(read.body.cards)
        yield Sighting(count == seen, (counted.seq, read.seq), f"reported {count} cards, {seen} came out")


@check(
    "indicates whether the deck is complete",
    requirements=("DEV-83",),
    role="machine count",
    rests_on=("counted.correct",),
)
def indicates_wrong_count(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The machine calls a count correct if and only if it is that of the whole deck."""
    whole = evidence.run.deck_size
    for record in evidence.records:
        match record.body:
            case SessionOpened(table):
                whole = table.get("cards", whole)
            case EventSeen(name, event="counted", values=values) if name == device:
                count, correct = values["count"], values["correct"]
                good = bool(correct) == (count == whole)
                yield Sighting(good, (record.seq,), f"called {count} cards {'correct' if correct else 'incorrect'}")


@check(
    "gives out the cards that went in",
    requirements=("DEV-79",),
    role="deck",
    catches=("incomplete", "missing_card", "extra_card", "duplicate_card"),
    basis=Basis.SEEN,
)
def deck_comes_out_whole(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """What comes out of the shuffler are the cards that went in."""
    for before, after in shuffles(evidence):
        loaded, out = Counter(before.body.cards), Counter(after.body.cards)
        detail = f"{loaded.total()} cards in, {out.total()} out, but not the same deck: {_difference(loaded, out)}"
        yield Sighting(loaded == out, (before.seq, after.seq), detail)


@check(
    "changes the order of the deck",
    requirements=("DEV-80",),
    role="shuffle",
    catches=("unshuffled", "sort_mode"),
    basis=Basis.SEEN,
)
def order_changes(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The order that comes out is not the order that went in. Whether it is random is for statistics to say."""
    for before, after in shuffles(evidence):
        good = before.body.cards != after.body.cards
        yield Sighting(good, (before.seq, after.seq), "the deck came out in the order in which it went in")


@check(
    "lets no cards stay together",
    requirements=("DEV-80",),
    role="shuffle",
    catches=("half_shuffled",),
    basis=Basis.SEEN,
)
def cards_do_not_stay_together(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Not many neighbours come out as they went in, one after the other."""
    for before, after in shuffles(evidence):
        place = {card: index for index, card in enumerate(before.body.cards)}
        places = [place.get(card, -1) - index for index, card in enumerate(after.body.cards)]
        longest = max((len(list(group)) for _, group in groupby(places)), default=0)
        detail = f"{longest} cards came out together as they went in"
        yield Sighting(longest < TOGETHER, (before.seq, after.seq), detail)


@check("does not sort the deck", requirements=("DEV-80",), role="shuffle", catches=("sort_mode",), basis=Basis.SEEN)
def deck_is_not_sorted(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The deck does not come out in new-deck order, from either end."""
    for _, after in shuffles(evidence):
        cards = after.body.cards
        good = len(cards) < 2 or sorted(cards) not in ([*cards], [*cards[::-1]])
        yield Sighting(good, (after.seq,), "the deck came out in new-deck order")


@check(
    "never shuffles twice alike",
    requirements=("DEV-80",),
    role="shuffle",
    catches=("repeated_shuffle",),
    basis=Basis.SEEN,
)
def no_shuffle_twice(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No two shuffles move the cards in the same way: by chance that happens once in 54 factorial."""
    former: dict[tuple[int, ...], int] = {}
    for before, after in shuffles(evidence):
        place = {card: index for index, card in enumerate(before.body.cards)}
        if set(place) == set(after.body.cards):
            way = tuple(place[card] for card in after.body.cards)
            good = way not in former
            yield Sighting(
                good, (former.get(way, before.seq), after.seq), "two shuffles moved the cards in the same way"
            )
            former[way] = after.seq


@check("turns no card over", requirements=("DEV-79",), role="face up", catches=("face_up_card",), basis=Basis.SEEN)
def turns_no_card(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """No card that went in face down comes out face up."""
    for before, after in shuffles(evidence):
        turned = set(after.body.face_up) - set(before.body.face_up)
        detail = f"{' '.join(names([Card(c) for c in turned]))} came out face up"
        yield Sighting(not turned, (before.seq, after.seq), detail)


@check("alternates two decks", role="alternate", required=False, basis=Basis.PLAYED)
def decks_alternate(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """With two decks, each is used every other round of a session."""
    for former, latter in zip(evidence.rounds, evidence.rounds[1:], strict=False):
        same_session = former.session == latter.session
        if same_session and len(evidence.sessions[latter.session].table["decks"]) == 2:
            decks = [deck_in_play(former.records), deck_in_play(latter.records)]
            if None not in decks:
                good = decks[0] != decks[1]
                yield Sighting(good, (latter.records[0].seq,), f"the {decks[1]} deck was used twice in a row")


@check("shuffles the deck that is not in play", role="shuffle waiting", required=False, basis=Basis.PLAYED)
def shuffles_the_idle_deck(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """With two decks, one is shuffled while the other is in play, never the one in play."""
    for round_ in evidence.rounds:
        if len(evidence.sessions[round_.session].table["decks"]) < 2:
            continue
        in_play = deck_in_play(round_.records)
        dealing = False
        for record in round_.records:
            match record.body:
                case Told({"is": "ShoeLoaded"}):
                    dealing = True
                case Told({"is": "ShuffleStarted", "deck": deck}) if dealing:
                    detail = f"the {in_play} deck was shuffled while it was in play"
                    yield Sighting(deck != in_play, (record.seq,), detail)


def _difference(loaded: Counter[int], out: Counter[int]) -> str:
    """Which cards are missing, and which came out more often than they went in."""
    missing = [f"{name(Card(card))} missing" for card in sorted(loaded - out)]
    added = [f"{name(Card(card))} {_how_often(out[card], loaded[card])}" for card in sorted(out - loaded)]
    return ", ".join(missing + added)


def _how_often(out: int, loaded: int) -> str:
    if loaded == 0:
        return "was not loaded"
    return "twice" if (out, loaded) == (2, 1) else f"{out} times instead of {loaded}"


def shuffles(evidence: Evidence) -> Iterator[tuple[Record[CardsRead], Record[CardsRead]]]:
    """The reader's looks before and after each completed machine shuffle of a deck. A sample that was loaded as the
    last one came out has one look only, and names those that belong to it."""
    before: dict[str, Record[CardsRead]] = {}
    looks: dict[int, Record[CardsRead]] = {}
    for record in evidence.records:
        match record.body:
            case CardsRead("deck before the shuffle", deck):
                before[deck] = looks[record.seq] = cast("Record[CardsRead]", record)
            case CardsRead("deck after the shuffle", deck):
                looks[record.seq] = cast("Record[CardsRead]", record)
                if deck in before:
                    yield before.pop(deck), looks[record.seq]
            case SampleTaken(seen={"loaded": "as it came out", "reads": [loaded, out]}) if {loaded, out} <= set(looks):
                yield looks[loaded], looks[out]
