"""Codecs of the user's own, for what TOML cannot say: classes under the entry point group `feltrig.codecs`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, Protocol, runtime_checkable

from feltrig.errors import RegistryError
from feltrig.protocols.profiles.framing import Framing
from feltrig.protocols.profiles.template import Pattern, Tables
from feltrig.registry import Registry

CODECS: Registry[type] = Registry("feltrig.codecs", {}, type)
"""The classes of the codecs, by name."""

FAILURES = (Exception, SystemExit)
"""Whatever a class of the user's may raise."""

Direction = Literal["hears", "says"]
"""Of the device: what it hears comes from the driver, what it says goes there."""


@runtime_checkable
class Codec(Protocol):
    """Made without arguments, once for each profile that names it. The profile's commands, answers and sayings stay in
    TOML; the codec says what their messages look like."""

    def pattern(self, text: str, tables: Tables) -> Pattern:
        """How one message is written and read; `text` is what the profile says of it. What makes no sense is a
        ValueError, whose words the user sees."""

    def framing(self, direction: Direction) -> Framing | None:
        """How messages are framed on a serial line; None: as the profile says."""


def find(name: str) -> Codec:
    """The codec of a name. Raises ValueError when there is none, or when it cannot be used."""
    if name not in CODECS:
        raise ValueError(f"no codec {name!r} is installed; there are {', '.join(sorted(CODECS)) or 'none'}")
    try:
        codec = CODECS[name]()
    except RegistryError as error:
        raise ValueError(_line(error)) from error
    except FAILURES as error:
        raise ValueError(f"the codec {name} fails: {type(error).__name__}: {_line(error)}") from error
    if not isinstance(codec, Codec):
        raise ValueError(f"the codec {name} has no pattern() and framing()")
    return codec


@contextmanager
def at_work(codec: Codec) -> Iterator[None]:
    """What a codec raises beside ValueError is a mistake in it, told as one."""
    try:
        yield
    except ValueError:
        raise
    except FAILURES as error:
        raise ValueError(f"{type(codec).__name__} fails: {type(error).__name__}: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())
