"""The oracle: one question in, one answer out, and never an exception."""

from typing import Any

import pytest

from feltrig.engine import oracle
from feltrig.engine.games import GAMES

SUPREME = {"id": 7, "game": "pai_gow", "op": "tile_rank", "input": {"tiles": ["2-4", "1-2"]}}


def test_an_answer_bears_the_id_of_its_question_and_cites_clauses() -> None:
    found = oracle.ask(SUPREME)
    assert found["id"] == 7
    assert found["result"]
    assert all(number.startswith("19:47-10.") for number in found["clauses"])


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ([1], "[1] is not an object"),
        ({**SUPREME, "more": 1}, "more: no such key; expected id, game, op, input, jurisdiction, options"),
        ({"id": 1}, f"game: missing; expected one of {', '.join(GAMES)}"),
        ({**SUPREME, "game": "whist"}, f"game: 'whist'; expected one of {', '.join(GAMES)}"),
        ({**SUPREME, "input": []}, "input: [] is not an object"),
        ({**SUPREME, "jurisdiction": "XX"}, "jurisdiction 'XX': expected NJ"),
    ],
)
def test_a_question_that_is_none_is_answered_with_what_is_wrong(question: Any, error: str) -> None:
    assert oracle.ask(question)["error"] == error
