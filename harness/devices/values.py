"""The values of replies and events, by the type that is expected."""

from feltrig.protocols.errors import Garbage
from feltrig.protocols.messages import Value


def int_of(value: Value) -> int:
    """A number field's value."""
    if not isinstance(value, int):
        raise Garbage(f"{value!r} is not a number")
    return value


def bytes_of(value: Value) -> tuple[int, ...]:
    """A list field's value."""
    if not isinstance(value, tuple):
        raise Garbage(f"{value!r} is not a list")
    return value
