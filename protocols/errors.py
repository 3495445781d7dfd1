"""What can go wrong between a driver and a device. Each family becomes a different finding."""

from feltrig.errors import FeltrigError


class WireError(FeltrigError):
    """The wire failed, not the device's conduct: nothing can be said about the rules. Only WrongAnswer is otherwise."""


class NoAnswer(WireError):
    """The device stayed silent past the deadline, retries included."""


class SilentConnection(NoAnswer):
    """Silence on a connection through a network. It may be dead without either end knowing, and another one can be made
    without touching the device; a serial port that is opened anew may restart what is plugged into it."""


class LineLost(WireError):
    """The port, the connection or the broker went away."""


class NotAdmitted(LineLost):
    """One end does not let the other in, and trying again will not help: a certificate or a password is wrong. `key` is
    what to look at on our side: `ca`, `certificate`, `username` or `password`; empty when it is none of them."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class Garbage(WireError):
    """Bytes arrived, but no usable answer could be made of them before the deadline."""


class WrongAnswer(Garbage):
    """An answer arrived whole, and is not what the document of the wire says: the device's conduct, not the wire's.
    `requirements` are the ids that it breaks, as far as they are known."""

    def __init__(self, message: str, requirements: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.requirements = requirements


class Refused(FeltrigError):
    """The device answered a command with an error code of the vocabulary."""

    def __init__(self, device: str, command: str, error: str) -> None:
        super().__init__(f"{device}: {command}: refused: {error}")
        self.device = device
        self.command = command
        self.error = error
