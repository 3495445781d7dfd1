"""Codecs of the user's own, for what TOML cannot say; registered under the entry point group `feltrig.codecs`."""

from typing import Literal, Protocol, runtime_checkable

from feltrig.protocols.profiles.framing import Framing
from feltrig.protocols.profiles.template import Pattern, Tables

GROUP = "feltrig.codecs"

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
    # few profiles have one, and this takes a while to import
    from importlib.metadata import entry_points  # noqa: PLC0415

    found = entry_points(group=GROUP)
    known = sorted({entry.name for entry in found})
    if name not in known:
        raise ValueError(f"{name!r} is no codec that is installed: {', '.join(known) or 'there are none'}")
    try:
        make = found[name].load()
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the codec {name} cannot be loaded: {error}") from error
    codec = make()
    if not isinstance(codec, Codec):
        raise ValueError(f"the codec {name} has no pattern() and framing()")
    return codec
