"""The ways to play a game: combinations of choices that together use every dealing method and every option."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Way:
    """Choices of the house and of the game, by name, as plain values; the rest is at its default."""

    house: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    """What people call it, where a list of the choices is too long."""

    def __str__(self) -> str:
        if self.title:
            return self.title
        chosen = {**self.house, **self.options}
        return ", ".join(_words(name, value) for name, value in chosen.items()) or "defaults"


def _words(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name.replace("_", " ") if value else f"no {name.replace('_', ' ')}"
    if name == "deal":
        return str(value).replace("_", " ")
    shown = " and ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return f"{name.replace('_', ' ')} {shown}"
