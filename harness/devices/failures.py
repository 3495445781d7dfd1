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
    """The device answers, but what it was told to do did not end in time, or never will."""

    def __init__(self, device: str, expected: str, until: str) -> None:
        super().__init__(f"{device}: no {expected} {until}")
        self.device = device
        self.expected = expected


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
