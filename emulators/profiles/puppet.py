"""A machine that does nothing by itself, so that a test can send every message that a wire may carry."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from feltrig.emulators.models.device import emulated
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status, Value, Values
from feltrig.protocols.vocabulary import FaultCode, Kind, State


@dataclass(slots=True)
class Puppet:
    """A Machine that records what it is told, and replies and reports what the test has prepared."""

    kind: Kind
    identity: Identity = field(init=False)
    replies: dict[str, Reply] = field(default_factory=dict)
    told: list[tuple[str, Mapping[str, Value]]] = field(default_factory=list)
    state: State = State.IDLE
    fault: FaultCode = FaultCode.NONE
    held: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.identity = emulated(self.kind, "puppet")
        self.replies["identify"] = Reply(values={**asdict(self.identity), "kind": self.kind.code})
        self.emit("started", {})

    def emit(self, name: str, values: Values) -> None:
        self.held.append(Event(len(self.held) + 1, name, values))

    def handle(self, request: Request, now: float) -> Reply:
        """Record a command and give the reply prepared for it; for `status`, the state it was put in."""
        self.told.append((request.command, dict(request.values)))
        if request.command == "status":
            return self.status(now).reply()
        return self.replies.get(request.command, Reply())

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        return EventBatch(self.status(now), tuple(self.held[after : after + limit]))

    def advance(self, now: float) -> None:
        """Time changes nothing."""

    def due(self) -> float | None:
        return None

    def status(self, now: float) -> Status:
        return Status(self.state, self.fault, min(1, len(self.held)), len(self.held))
