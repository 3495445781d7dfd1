"""The record of a kind of device: everything that the harness knows of it, in one place.

Each kind has one file, or one small package, in this folder, which ends in its `DEVICE`. The judge reads these records
too, so they import neither the table nor the wires: what a device does is handed its driver and its operator.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from feltrig.harness.devices.cases import CommandCase, FirstOutcomes, LaterRight, Lock, QuietCommand, StateCases, Work
from feltrig.harness.devices.hands import Driver, Hands, Seen
from feltrig.harness.devices.play import Play
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.basis import Basis
from feltrig.harness.judge.check import Check
from feltrig.harness.judge.evidence import Evidence
from feltrig.harness.scene import Scene
from feltrig.protocols.messages import Value
from feltrig.protocols.vocabulary import State


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that a time may be. Above `margin` times that, a pass is called marginal."""

    name: str
    of: str
    """What is timed: `answer`, or the command that begins the operation."""
    unit: str
    most: float
    margin: float
    requirements: tuple[str, ...] = ()
    """The requirements of the wire documents that it tests, by their ids."""


ANSWER = Limit("answers a request", "answer", "s", 1.0, 0.8, ("DEV-16", "DEV-17", "MOD-40"))
"""What every device must keep."""


@dataclass(frozen=True, slots=True)
class Drill:
    """An irregularity provoked by hand, as a lab does, and how the journal shows whether the machine met it well.

    A good machine never meets one in the rounds, and a machine that always reports a full deck would pass for one that
    counts."""

    name: str
    role: str
    """What it is about: each game says which of its clauses that is."""
    provoke: Callable[[Hands], Awaitable[None]]
    fault: Callable[[list[Record[Body]], int], str | None]
    """What was wrong, from the records of the drill and the size of a whole deck; None when the machine did well."""
    rests_on: tuple[str, ...] = ()
    """What it takes the device's word for, as `Profile.lacks` names it."""
    catches: tuple[str, ...] = ()
    """The faults of emulated devices for which it must fail."""
    requirements: tuple[str, ...] = ()
    """The requirements of the wire documents that it tests, by their ids."""
    required: bool = True
    """Whether a certificate needs it. The way in of a machine may be out of reach."""
    during: str = ""
    """The command in the middle of whose work hands must act, if they must."""
    prompts: int = 0
    """How many prompts it takes if all goes well."""
    basis: Basis = Basis.SEEN
    """What a pass rests on: the rig knows what its own hands have done to the machine."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One sample that is to be taken."""

    number: int
    """Its number, from 1."""
    anew: bool = True
    """Whether it begins with a new deck, and not with what the last one left."""
    last: Mapping[str, Any] | None = None
    """The sample before, whose cards still lie on the reader's tray; None if there is none."""

    @property
    def fresh(self) -> bool:
        """Whether a new deck is needed."""
        return self.anew or self.last is None


@dataclass(frozen=True, slots=True)
class Sampler:
    """How samples of a device's results are taken, and how statistics judge them."""

    unit: str
    role: str
    """What the statistics are about: each game says which of its clauses that is."""
    batch: int
    """Samples between two moments at which a run can be interrupted."""
    attended_batch: int
    """The same where a technician's hands move the cards."""
    seconds: float
    """About how long one sample takes a real machine, without what hands do."""
    take: Callable[[Hands, Turn], Awaitable[dict[str, Any]]]
    samples: str
    """How statistics judge them: the sort of sample, by its name in `harness.statistics.SAMPLES`."""
    played: Callable[[Evidence], Iterator[Mapping[str, Any]]]
    """What the rounds of a run show, in the form of samples."""
    row: Callable[[Mapping[str, Any]], tuple[int, ...]]
    """A sample as reports draw it; empty when it cannot be drawn."""
    pictures: tuple[str, ...]
    """The pictures of a report, as `module:function`."""
    caption: str = ""
    """What a reader of the pictures must know."""
    note: str = ""
    """How the samples are taken, for the report."""
    anew_every: int = 1
    """Every Nth sample begins with a new deck, the others with what the last one left."""
    prompts: int = 0
    """What hands must be asked for a sample; one more if it begins with a new deck."""
    requirements: tuple[str, ...] = ()
    """The requirements of the wire documents that it tests, by their ids."""
    basis: Basis = Basis.CLAIMED
    """Who says what the machine gave: an instrument of the rig, or the machine itself."""


@dataclass(frozen=True, slots=True)
class Eye:
    """What a person must read off a machine, because the machine's own word is all that its wire carries."""

    name: str
    role: str
    """What it is about: each game says which of its clauses that is."""
    show: Callable[[Hands], Awaitable[str]]
    """Brings the machine to show something; returns what it says that it shows."""
    put_away: Callable[[Hands], Awaitable[None]] | None = None
    """What is done when it was seen."""


@dataclass(frozen=True, slots=True)
class Openings:
    """Where hands put cards into a machine and take them out: the places of its emulated bench, under its name. A
    `{compartment}` in one is that of the deck."""

    load: str = ""
    unload: str = ""
    stack: str = ""
    stub: str = ""
    tray: str = ""


@dataclass(frozen=True, slots=True)
class Restore:
    """How a device is brought back if its last events say that it was left in the middle of something."""

    after: tuple[str, ...]
    command: str
    done: str


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """Everything that the harness knows of one kind of device."""

    kind: str
    commands: tuple[str, ...]
    events: tuple[str, ...]
    """The commands and events without which no round can be played."""
    needed_for: tuple[tuple[str, str | int], ...] = ()
    """Options of a game, each with the value that cannot be played without the device."""
    words: str = ""
    """What people at the table call it, if not by its kind."""
    openings: Openings | None = None
    """None for a device that handles no cards."""
    blocked: str = "Hold a card in the card path of the {machine}."
    cleared: str = "Take all cards out of the {machine}. Remove whatever blocks it. Release its stop button."
    """How hands make it jam, and how they clear it, in the words of a prompt."""
    play: Play | None = None
    read: Callable[[Driver, Journal, str, str], Awaitable[Seen]] | None = None
    """How the rig's own instrument reads the cards on its tray; None for a device under test."""
    tells: tuple[str, ...] = ()
    """What comes from the device, where the engine leaves open whose fault it is."""
    restore: Restore | None = None
    alone: Mapping[str, Any] = field(default_factory=dict)
    """Choices of the embedded rig's game that put it to use, and few other devices."""
    stopped_by: tuple[str, ...] = ()
    """The faults of its emulator that keep it from doing what it is told."""
    checks: tuple[Check, ...] = ()
    operations: Mapping[str, str] = field(default_factory=dict)
    """The commands that begin an operation, each with the event that ends it."""
    limits: tuple[Limit, ...] = ()
    reaction: float = 1.0
    """Seconds that a work must last for hands to act in the middle of it."""
    outcome: frozenset[str] = frozenset()
    """What a device must say itself, as `Profile.lacks` names it. Nothing can be certified of a machine whose own
    protocol does not carry it."""
    rounds: int = 2
    """How many a plan plays of every way to play."""
    rounds_after: int = 1
    """How many of every way to play it plays once more after the drills: a machine may behave before its first fault
    only."""
    drills: tuple[Drill, ...] = ()
    drills_need: str | None = None
    """The option of the game without which the drills cannot be held."""
    states: tuple[StateCases, ...] = ()
    """The conformance cases, state by state."""
    leaves: Mapping[tuple[str, State] | str, State] = field(default_factory=dict)
    """The state in which a command leaves the device, or a command given in a state; others leave it as it was."""
    demands: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The requirement ids of its commands: by the expected answer, then by the command."""
    works: tuple[Work, ...] = ()
    """What it can be told that takes a while, each from idle or ready."""
    after_reset: CommandCase | None = None
    """What must be answered after a reset has ended a work of it."""
    after_start: tuple[CommandCase, ...] = ()
    """What must be answered after a start."""
    first_outcomes: FirstOutcomes | None = None
    locked: Lock | None = None
    quiet: QuietCommand | None = None
    bad_arguments: tuple[tuple[Work, Mapping[str, Value]], ...] = ()
    """Works, each with arguments that are out of range."""
    later_right: tuple[LaterRight, ...] = ()
    """Commands that are refused at first and would be obeyed later."""
    scenes: tuple[Scene, ...] = ()
    """What conformance tries on it beside these cases and the scenes of every device."""
    sampler: Sampler | None = None
    eyes: tuple[Eye, ...] = ()
    """What only a person's eye can see."""

    of_sizes: Callable[[tuple[int, ...]], Mapping[str, Any]] | None = None
    """What of this record depends on the sizes of stack for which a machine was submitted."""

    def fitted(self, sizes: tuple[int, ...]) -> "DeviceKind":
        """The record for a machine that was submitted for these sizes of stack; none for all of them."""
        return replace(self, **self.of_sizes(sizes)) if sizes and self.of_sizes is not None else self

    @property
    def handles_cards(self) -> bool:
        """Whether hands move cards in and out of it."""
        return self.openings is not None

    @property
    def planned(self) -> bool:
        """Whether there are plans for it: an instrument of the rig is not judged."""
        return self.read is None
