"""Events and state of a device whose wire does not keep them: the driver's end numbers and holds them."""

from feltrig.protocols.messages import Event, EventBatch, Status, Values
from feltrig.protocols.vocabulary import FaultCode, State

KEPT = 1024


class EventLog:
    """Numbered events, and the state of the device as far as it is known."""

    def __init__(self) -> None:
        self.state = State.IDLE
        self.fault = FaultCode.NONE
        self._events: dict[int, Event] = {}
        self._latest = 0

    def add(self, name: str, values: Values, missed: int = 0) -> None:
        """Number an event. Numbers are left out for those before it that the device has sent, and that never came."""
        self._latest += 1 + missed
        self._events[self._latest] = Event(self._latest, name, values)
        if len(self._events) > KEPT:
            del self._events[next(iter(self._events))]

    def begin(self, latest: int) -> None:
        """Number from here on: the device has numbers of its own."""
        self._latest = latest

    def restart(self) -> None:
        """The device began anew, of which an event tells. The numbers go on: they are ours, and whoever has seen some
        of them would take those from 1 on for seen."""
        self.state, self.fault = State.IDLE, FaultCode.NONE
        self.add("started", {})

    def status(self) -> Status:
        """The state, and the events held."""
        return Status(self.state, self.fault, next(iter(self._events), 0), self._latest)

    def after(self, number: int) -> EventBatch:
        """The status and the events after a number."""
        return EventBatch(self.status(), tuple(event for n, event in self._events.items() if n > number))
