"""Where the sentences of the clauses stand in the rule texts."""

from collections import Counter

import pytest

from feltrig.engine import places as module
from feltrig.engine.games import GAMES
from feltrig.engine.places import Place, changed, digest_of, places


def test_every_clause_has_a_place_in_one_of_five_texts():
    numbers = {
        (game.name, number)
        for game in GAMES.values()
        for code in game.jurisdictions
        for key in game.clauses
        if (number := game.cite(key, code)) is not None
    }
    assert set(places()) == numbers
    assert len({place.text for place in places().values()}) == 5


def test_two_clauses_do_not_stand_on_one_line_unless_the_text_runs_them_together():
    found = Counter((game, place.text, place.line) for (game, _), place in places().items())
    shared = {place for place, clauses in found.items() if clauses > 1}
    together = places()["heads_up_holdem", "13:69F-39.1[burn]"]
    assert shared == {("heads_up_holdem", together.text, together.line)}


@pytest.fixture
def one_clause(monkeypatch):
    text = "1.1 Wheels\n(a) A wheel has spokes.\n"
    known = {("whist", "1.1(a)"): Place(digest_of(text), 2, digest_of("(a) A wheel has spokes."))}
    monkeypatch.setattr(module, "places", lambda: known)
    return text


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (lambda text: text, False),
        (lambda text: "A preface.\n" + text, False),
        (lambda text: text.replace("spokes", "a rim"), True),
        (lambda text: "", True),
    ],
    ids=["the same", "moved", "reworded", "gone"],
)
def test_a_sentence_that_has_changed_is_named(one_clause, tmp_path, change, differs):
    (tmp_path / "rules.txt").write_text(change(one_clause))
    expected = [f"whist 1.1(a): its sentence is in none of the texts of {tmp_path}"] if differs else []
    assert list(changed(tmp_path)) == expected
