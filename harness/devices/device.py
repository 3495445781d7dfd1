"""The record of a kind of device: everything that the harness knows of it, in one place.

Each kind has one file, or one small package, in this folder, which ends in its `DEVICE`. The judge reads these records
too, so they import neither the table nor the wires: what a device does is handed its driver and its operator.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from feltrig.harness.devices.cases import QuietCommand, StateCases
from feltrig.harness.devices.hands import Driver, Hands, Seen
from feltrig.harness.devices.play import Play
from feltrig.harness.journal.reader import Record
from feltrig.harness.journal.records import Body
from feltrig.harness.journal.writer import Journal
from feltrig.harness.judge.check import Check
from feltrig.harness.judge.evidence import Evidence
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


ANSWER = Limit("answers a request", "answer", "s", 1.0, 0.8)
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
    """About how long one sample takes a real machine."""
    take: Callable[[Hands], Awaitable[dict[str, Any]]]
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
    rounds: int = 2
    """How many a plan plays of every way to play."""
    drills: tuple[Drill, ...] = ()
    drills_need: str | None = None
    """The option of the game without which the drills cannot be held."""
    states: tuple[StateCases, ...] = ()
    """The conformance cases, state by state."""
    leaves: Mapping[tuple[str, State] | str, State] = field(default_factory=dict)
    """The state in which a command leaves the device, or a command given in a state; others leave it as it was."""
    quiet: QuietCommand | None = None
    sampler: Sampler | None = None

    @property
    def handles_cards(self) -> bool:
        """Whether hands move cards in and out of it."""
        return self.openings is not None

    @property
    def planned(self) -> bool:
        """Whether there are plans for it: an instrument of the rig is not judged."""
        return self.read is None
