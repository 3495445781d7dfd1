"""Jurisdictions: whose rules a table follows, and how each prints the numbers of clauses. One TOML file for each.

An installed package adds a jurisdiction by an entry point of the group `feltrig.jurisdictions` whose name is the code
and whose value is the package that holds `<code>.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from types import ModuleType
from typing import Any

from feltrig.registry import Registry

_LABEL = re.compile(r"\([a-z]\)|\d+|[ivx]+")


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a citation: what is printed for the keys that match."""

    key: re.Pattern[str]
    cite: str
    label: str | None = None
    """How each label in the group `labels` is printed; None where they stay as they are."""

    def printed(self, key: str) -> str | None:
        """The number as it is printed; None when the key does not have this form."""
        matched = self.key.fullmatch(key)
        if matched is None:
            return None
        parts = matched.groupdict()
        if self.label is not None:
            labels = _LABEL.findall(parts["labels"])
            parts["labels"] = "".join(self.label.format(label.strip("()")) for label in labels)
        return self.cite.format(key=key, **parts)


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """A jurisdiction, and the forms of its citations by game."""

    code: str
    title: str
    games: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)

    def cite(self, game: str, key: str) -> str | None:
        """The number of a clause of one of `games` as it is printed here; None when it is not printed."""
        return next((number for form in self.games[game] if (number := form.printed(key)) is not None), None)


def parse(code: str, text: str) -> Jurisdiction:
    """The jurisdiction in a file of this format. Raises ValueError that names the key."""
    given = tomllib.loads(text)
    _known(given, "", "title", "games")
    title, games = given.get("title"), given.get("games", {})
    if not isinstance(title, str):
        raise ValueError(f"title: {title!r} is not a text")
    forms = {game: tuple(_forms(f"games.{game}", rows)) for game, rows in games.items()}
    return Jurisdiction(code, title, forms)


def _forms(where: str, rows: list[dict[str, Any]]) -> Iterator[Form]:
    for number, row in enumerate(rows, start=1):
        at = f"{where}: form {number}: "
        _known(row, at, "key", "cite", "label")
        for name, value in row.items():
            if not isinstance(value, str):
                raise ValueError(f"{at}{name}: {value!r} is not a text")
        try:
            form = Form(re.compile(row["key"]), row["cite"], row.get("label"))
            form.cite.format(key="", **dict.fromkeys(form.key.groupindex, ""))
        except KeyError as error:
            raise ValueError(f"{at}{error.args[0]}: missing") from None
        except re.error as error:
            raise ValueError(f"{at}key: {row['key']!r} is not a regular expression: {error}") from None
        if form.label is not None and "labels" not in form.key.groupindex:
            raise ValueError(f"{at}label: the expression has no group named labels")
        yield form


def _known(given: Mapping[str, Any], where: str, *expected: str) -> None:
    for name in given:
        if name not in expected:
            raise ValueError(f"{where}{name}: no such key; expected {', '.join(expected)}")


def _read(code: str, package: object) -> object:
    if not isinstance(package, ModuleType):
        return package
    file = files(package).joinpath(f"{code}.toml")
    try:
        return parse(code, file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ValueError(f"{code}.toml: {error}") from error


_OWN = sorted(file.name.removesuffix(".toml") for file in files(__name__).iterdir() if file.name.endswith(".toml"))

JURISDICTIONS: Registry[Jurisdiction] = Registry(
    "feltrig.jurisdictions", dict.fromkeys(_OWN, __name__), Jurisdiction, read=_read
)
"""By code."""
