"""The automated dealing shoe: dispenses stacks of cards, and can be locked."""

from collections.abc import Iterator

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card, names
from feltrig.harness.devices.cases import (
    ANY,
    BYTES,
    FAULT,
    OK,
    RESET,
    STATE,
    CommandCase,
    QuietCommand,
    StateCases,
    bring,
    each,
    empty,
    jam,
    unjam,
)
from feltrig.harness.devices.device import ANSWER, DeviceKind, Drill, Limit, Openings
from feltrig.harness.devices.failures import DEVICE_FAILURES, Faulted
from feltrig.harness.devices.hands import Driver, Hands
from feltrig.harness.devices.patterns import deck_in_play, pairs, works_again
from feltrig.harness.devices.play import Dealing, Play, place_of
from feltrig.harness.journal.reader import Record, is_a
from feltrig.harness.journal.records import Called, CardsRead, EventSeen, RoundBegun, Told
from feltrig.harness.judge.check import Sighting, check
from feltrig.harness.judge.evidence import Evidence
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.vocabulary import State

STACK = 4
"""Cards of a stack that shows whether the shoe works."""


@check(
    "dispenses stacks of the size asked for",
    role="stack",
    catches=("double_feed", "short_stack", "long_stack", "misfeed"),
)
def stacks_of_the_size_asked(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """Each stack has as many cards as it was asked for."""
    for call, read in _dispensed(evidence, device):
        size, seen = call.body.values["size"], len(read.body.cards)
        yield Sighting(size == seen, (call.seq, read.seq), f"a stack of {seen} where {size} were asked for")


@check("reports the size it dispensed", role="stack", rests_on=("dispensed.size",))
def reports_the_size_dispensed(evidence: Evidence, device: str) -> Iterator[Sighting]:
    """The size that the shoe reports is the size that the reader saw."""
    for event, read in pairs(evidence, device, "dispensed", "stack"):
        size, seen = event.body.values["size"], len(read.body.cards)
        yield Sighting(size == seen, (event.seq, read.seq), f"reported {size} cards, dispensed {seen}")


@check("dispenses only when told, after no more bets", role="closed first", catches=("early_dispense",))
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


@check("dispenses the deck from its top", role="dispense", catches=("bottom_card",))
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


@check("dispenses no card face up", role="face up", catches=("face_up_card",))
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


class _AtTable:
    """A shoe in a session."""

    def __init__(self, shoe: Driver, dealing: Dealing) -> None:
        self._shoe = shoe
        self._dealing = dealing

    @property
    def _loaded(self) -> bool:
        return self._dealing.stub_in == self._shoe.kind.name

    async def load(self, ask: asks.LoadShoe) -> tells.Tell | None:
        if not ask.automated:
            return None
        await self._shoe.call("lock")
        await self._dealing.operator.load(self._shoe.kind.name, ask.deck)
        self._dealing.stub_in = self._shoe.kind.name
        return tells.ShoeLoaded(ask.deck)

    async def look(self, _: asks.CallNoMoreBets) -> tells.Tell | None:
        """Whatever the shoe did by itself before this moment is on record as such. The dealer makes the call."""
        if self._loaded:
            await self._shoe.pending()
        return None

    async def dispense(self, ask: asks.Dispense) -> tells.Tell:
        try:
            if ask.number == 1:
                await self._shoe.call("unlock")
            await self._shoe.perform("dispense", "dispensed", size=ask.size)
        except DEVICE_FAILURES as failure:
            return tells.ShoeFailed(self._dealing.failed(failure))
        await self._dealing.operator.show_stack(self._shoe.kind.name)
        seen = await self._dealing.tray.read("stack", self._dealing.deck)
        await self._dealing.operator.from_reader(place_of(ask.position, ask.area))
        return tells.StackDispensed(seen.cards, seen.face_up)

    async def hand_over(self, _: asks.DealCard) -> tells.Tell | None:
        """What the shoe has not dispensed is dealt by hand."""
        if self._loaded:
            await self._shoe.call("lock")
            await self._dealing.operator.show_stub(self._dealing.deck, self._dealing.stub_in)
            seen = await self._dealing.tray.read("rest of the deck", self._dealing.deck)
            await self._dealing.operator.from_reader(f"deck.{self._dealing.deck}")
            self._dealing.stub_in, self._dealing.left = None, len(seen.cards)
        return None

    async def lock(self, _: asks.RackStub) -> tells.Tell | None:
        """No more stacks come. The dealer takes the rest out."""
        if self._loaded:
            await self._shoe.call("lock")
        return None


async def _jam_a_stack(hands: Hands) -> None:
    """Hold a card in the way of a stack, clear it, and let the shoe dispense again."""
    shoe, operator = hands.driver, hands.operator
    await hands.load()
    await shoe.call("unlock")
    await operator.block(shoe.kind.name)
    try:
        await shoe.perform("dispense", "dispensed", size=STACK)
    except Faulted:
        await hands.recover()
    else:
        await operator.clear(shoe.kind.name)
    await operator.gather(hands.deck)
    await hands.load()
    await shoe.perform("dispense", "dispensed", size=STACK)
    await shoe.call("lock")
    await operator.gather(hands.deck)


async def _gather(hands: Hands) -> None:
    await hands.operator.gather(hands.deck)


async def _jam(hands: Hands) -> str | None:
    await unjam(hands)
    await bring(hands)
    await hands.load()
    await hands.driver.call("unlock")
    return await jam(hands, "dispense", "dispensed", size=STACK)


NO_STACK = each("dispense", "size", [n for n in BYTES if n not in STACK_SIZES])
LOCK, UNLOCK = CommandCase("lock"), CommandCase("unlock")

DEVICE = DeviceKind(
    kind="shoe",
    needed_for=(("deal", "automated_shoe"),),
    alone={"start": ("rng",), "deal": ("automated_shoe",)},
    stopped_by=("jam", "jam_well", "jam_exit", "stop"),
    commands=("dispense", "lock", "unlock", "reset"),
    events=("dispensed", "faulted", "cleared"),
    words="dealing shoe",
    openings=Openings(load="well", stack="exit", stub="well"),
    tells=("StackDispensed",),
    play=Play(
        _AtTable,
        {
            asks.LoadShoe: _AtTable.load,
            asks.CallNoMoreBets: _AtTable.look,
            asks.Dispense: _AtTable.dispense,
            asks.DealCard: _AtTable.hand_over,
            asks.RackStub: _AtTable.lock,
        },
    ),
    checks=(
        stacks_of_the_size_asked,
        reports_the_size_dispensed,
        dispenses_only_when_told,
        deals_from_the_top,
        dispenses_face_down,
    ),
    operations={"dispense": "dispensed"},
    limits=(ANSWER, Limit("dispenses a stack", "dispense", "s", 10.0, 0.8)),
    drills=(
        Drill(
            "reports a jam of its stacks, and works again",
            "shoe fails",
            _jam_a_stack,
            works_again("dispensed"),
            rests_on=("event faulted",),
        ),
    ),
    states=(
        StateCases("empty", (UNLOCK, RESET, *NO_STACK, CommandCase("dispense", ANY, {"size": STACK})), bring),
        StateCases("locked and loaded", (LOCK, LOCK), Hands.load),
        StateCases("locked", tuple(CommandCase("dispense", ANY, {"size": size}) for size in (*STACK_SIZES, 0, 255))),
        StateCases("unlocked", (UNLOCK, UNLOCK, *NO_STACK)),
        StateCases(
            "dispensed", tuple(CommandCase("dispense", OK, {"size": size}, "dispensed") for size in STACK_SIZES)
        ),
        StateCases("locked again", (*NO_STACK, LOCK, CommandCase("dispense", STATE, {"size": STACK}))),
        StateCases("unloaded", (UNLOCK, RESET, LOCK), _gather),
        StateCases(
            FAULT,
            (
                CommandCase("dispense", ANY, {"size": STACK}),
                CommandCase("unlock", STATE),
                CommandCase("lock", STATE),
            ),
            _jam,
        ),
        StateCases("cleared", (RESET, UNLOCK, *NO_STACK, LOCK), empty),
    ),
    leaves={"dispense": State.READY, "lock": State.LOCKED, ("unlock", State.LOCKED): State.IDLE},
    quiet=QuietCommand("lock", undo="unlock", undone=None),
)
