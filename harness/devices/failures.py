"""What a device does instead of what it was told. `Refused`, its answer with an error, is in `protocols.errors`."""

from feltrig.errors import FeltrigError
from feltrig.protocols.errors import Refused
from feltrig.protocols.vocabulary import FaultCode


class Faulted(FeltrigError):
    """The device stopped with a fault while something was expected of it."""

    def __init__(self, device: str, fault: FaultCode) -> None:
        super().__init__(f"{device}: stopped with fault {fault.name.lower()}")
        self.device = device
        self.fault = fault


class Stalled(FeltrigError):
    """The device answers, but what it was told to do did not end in time, or never will. `requirements` are the ids
    that it breaks, if they are known."""

    def __init__(self, device: str, expected: str, until: str, requirements: tuple[str, ...] = ()) -> None:
        super().__init__(f"{device}: no {expected} {until}")
        self.device = device
        self.expected = expected
        self.requirements = requirements


STOP_BUTTON = "stop button"
"""What a machine need not have."""


class CannotBeDone(FeltrigError):
    """What hands were asked to do at a device cannot be done with this machine: what needs it is not tested, and the
    device is not at fault."""

    def __init__(self, device: str, what: str, why: str = "", lacks: str = "") -> None:
        super().__init__(f"{what.replace('_', ' ')} cannot be done with this {device}{why and f': {why}'}")
        self.device = device
        """The kind of device."""
        self.what = what
        self.lacks = lacks
        """What the machine does not have, such as `STOP_BUTTON`; empty if the reason is another."""


class Redo(FeltrigError):
    """Whoever has hands wants to do the task under way again, from its beginning."""


class SomethingWrong(Stalled):
    """Whoever has hands says that something is wrong. The run ends, and can be resumed."""

    def __init__(self, device: str, note: str) -> None:
        super().__init__(device, "go-ahead", f"because something is wrong{note and f': {note}'}")


DEVICE_FAILURES = (Faulted, Stalled, Refused)


def word(failure: Exception) -> str:
    """The failure in one word, as the engine and the journal have it."""
    match failure:
        case Faulted():
            return failure.fault.name.lower()
        case Stalled():
            return "stalled"
        case _:
            return "refused"
