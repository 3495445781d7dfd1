"""The engine as an oracle: one question in, one answer out, both plain JSON values."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.cards import BadCard
from feltrig.engine.games import GAMES
from feltrig.engine.questions import BadQuestion
from feltrig.engine.rulings import Illegal

_KEYS = ("id", "game", "op", "input", "jurisdiction", "options")


def ask(question: Any) -> dict[str, Any]:
    """The answer to a question, or an error that says what is wrong with it. Never raises for bad input."""
    identity = question.get("id") if isinstance(question, Mapping) else None
    try:
        return {"id": identity, **_answer(question)}
    except (BadQuestion, BadCard, Illegal) as error:
        return {"id": identity, "error": str(error)}


def _answer(question: Any) -> dict[str, Any]:
    if not isinstance(question, Mapping):
        raise BadQuestion(f"{question!r} is not an object")
    for key in question:
        if key not in _KEYS:
            raise BadQuestion(f"{key}: no such key; expected {', '.join(_KEYS)}")
    game = GAMES[_text(question, "game", tuple(GAMES))]
    op = _text(question, "op", tuple(game.questions))
    given = question.get("jurisdiction")
    jurisdiction = game.jurisdiction if given is None else given
    if jurisdiction not in game.jurisdictions:
        raise BadQuestion(f"jurisdiction {jurisdiction!r}: expected {' or '.join(game.jurisdictions)}")
    found = game.questions[op].ask(_table(question, "input"), _table(question, "options"))
    citations = (game.cite(key, jurisdiction) for key in found.clauses)
    return {"result": dict(found.result), "clauses": [number for number in citations if number is not None]}


def _text(question: Mapping[str, Any], key: str, expected: tuple[str, ...]) -> str:
    given = question.get(key)
    if not isinstance(given, str) or given not in expected:
        what = "missing" if key not in question else repr(given)
        raise BadQuestion(f"{key}: {what}; expected one of {', '.join(expected)}")
    return given


def _table(question: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    given = question.get(key)
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise BadQuestion(f"{key}: {given!r} is not an object")
    return given
