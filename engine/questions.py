"""Questions about the rules, as data: which fields a question has, how each is read, and which function answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from feltrig.engine.cards import JOKERS, BadCard, Card, name, parse
from feltrig.engine.rulings import Illegal

Read = Callable[[Any], Any]
"""Turns a JSON value into what the rules take. Raises BadQuestion that says what was expected."""

GREATEST = 10**18
"""The largest number in a question: more than any wager, and what is paid on it can still be written."""


class BadQuestion(ValueError):
    """A question that cannot be answered as it stands."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a question's input. A field without a default is required."""

    read: Read
    default: Any = ...


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules say, as plain JSON values, and the keys of the clauses that say it."""

    result: Mapping[str, Any]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of the licensee, or of how the text is read. `decision` is its row in the table of readings, if any."""

    name: str
    values: tuple[Any, ...]
    """Plain values, or the members of an enumeration. The first one is the default."""
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """An operation: its fields by name, the choices that bear on it, and the function that answers.

    The function gets every field and every choice as a keyword argument of that name.
    """

    answer: Callable[..., Answer]
    fields: Mapping[str, Field | Read]
    choices: tuple[Choice, ...] = ()

    def ask(self, given: Mapping[str, Any], options: Mapping[str, Any]) -> Answer:
        """Read the input, and answer. What the rules forbid is a question that cannot be answered."""
        try:
            return self.answer(**_fields(self.fields, given), **_choices(self.choices, options))
        except (BadCard, Illegal) as error:
            raise BadQuestion(str(error)) from None


def _fields(fields: Mapping[str, Field | Read], given: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [key for key in given if key not in fields]
    if unknown:
        raise BadQuestion(f"input.{unknown[0]}: no such field; expected {', '.join(fields)}")
    read: dict[str, Any] = {}
    for key, field in fields.items():
        spec = field if isinstance(field, Field) else Field(field)
        if key not in given:
            if spec.default is ...:
                raise BadQuestion(f"input.{key}: missing")
            read[key] = spec.default
            continue
        try:
            read[key] = spec.read(given[key])
        except BadQuestion as error:
            raise BadQuestion(f"input.{key}: {error}") from None
    return read


def _choices(choices: tuple[Choice, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: choice for choice in choices for key in (choice.name, choice.decision) if key}
    chosen = {choice.name: choice.values[0] for choice in choices}
    for key, value in options.items():
        if key not in known:
            expected = ", ".join(known) or "none for this question"
            raise BadQuestion(f"options.{key}: no such option; expected {expected}")
        try:
            chosen[known[key].name] = one_of(*known[key].values)(_spelled(known[key], value))
        except BadQuestion as error:
            raise BadQuestion(f"options.{key}: {error}") from None
    return chosen


def _spelled(choice: Choice, value: Any) -> Any:
    """The value as the choice spells it. The readings have spaces where our names have underscores."""
    underscored = value.replace(" ", "_") if isinstance(value, str) else value
    return underscored if value not in map(plain, choice.values) else value


# How fields are read


def cards(*counts: int, jokers: int = 0, decks: int = 1) -> Read:
    """A list of cards, as many as one of `counts`, from a deck with `jokers`. A card may occur once per deck."""

    def read(given: Any) -> tuple[Card, ...]:
        if not isinstance(given, list):
            raise BadQuestion(f"{given!r} is not a list of cards")
        if counts and len(given) not in counts:
            raise BadQuestion(f"{len(given)} cards, expected {_or(counts)}")
        read = tuple(_card(text, jokers) for text in given)
        distinct(read, decks=decks)
        return read

    return read


def card(jokers: int = 0) -> Read:
    """One card."""
    return lambda given: _card(given, jokers)


def distinct(*hands: Sequence[Card], decks: int = 1) -> None:
    """Raise BadCard when a card occurs more often than the decks have it."""
    seen: dict[Card, int] = {}
    for dealt in (dealt for hand in hands for dealt in hand):
        seen[dealt] = seen.get(dealt, 0) + 1
        if seen[dealt] > decks:
            raise BadCard(f"card {name(dealt)!r}: {seen[dealt]} times, and the decks have {decks}")


def cents(given: Any) -> int:
    """An amount of money in whole cents, zero or more."""
    return integer(0)(given)


def integer(low: int, high: int | None = None) -> Callable[[Any], int]:
    """A whole number in a range."""

    def read(given: Any) -> int:
        if not isinstance(given, int) or isinstance(given, bool):
            raise BadQuestion(f"{given!r} is not a whole number")
        if given < low or (high is not None and given > high):
            raise BadQuestion(f"{given} is not {low} or more" if high is None else f"{given} is not {low} to {high}")
        if given > GREATEST:
            raise BadQuestion(f"a number of more than {GREATEST}")
        return given

    return read


def flag(given: Any) -> bool:
    """True or false."""
    if not isinstance(given, bool):
        raise BadQuestion(f"{given!r} is not true or false")
    return given


def one_of(*values: Any) -> Read:
    """One of these values; a member of an enumeration is given by its plain value."""

    def read(given: Any) -> Any:
        for value in values:
            if given == plain(value) and type(given) is type(plain(value)):
                return value
        raise BadQuestion(f"{given!r} is not {_or([plain(value) for value in values])}")

    return read


def plain(value: Any) -> Any:
    """A value as JSON has it: a fraction of a cent is a text such as `3003/2`."""
    return value.value if isinstance(value, Enum) else str(value) if isinstance(value, Fraction) else value


def maybe(read: Read) -> Field:
    """A field that may be null or absent."""
    return Field(lambda given: None if given is None else read(given), None)


def each(read: Read) -> Read:
    """A list whose items are all read the same way."""

    def read_all(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, list):
            raise BadQuestion(f"{given!r} is not a list")
        return tuple(read(item) for item in given)

    return read_all


def table(fields: Mapping[str, Field | Read]) -> Read:
    """An object with these fields."""

    def read(given: Any) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise BadQuestion(f"{given!r} is not an object")
        return _fields(fields, given)

    return read


def _card(given: Any, jokers: int) -> Card:
    if not isinstance(given, str):
        raise BadQuestion(f"{given!r} is not a card")
    read = parse(given)
    if read in JOKERS[jokers:]:
        raise BadCard(f"card {given!r}: not in the deck of this game")
    return read


def _or(values: Sequence[Any]) -> str:
    *rest, last = [str(value) for value in values]
    return f"{', '.join(rest)} or {last}" if rest else last
