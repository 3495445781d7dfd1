"""The clause register and how each jurisdiction cites it."""

import re
from collections import Counter

import pytest

from feltrig.engine.clauses import Clause
from feltrig.engine.games import GAMES

CLAUSES = GAMES["supreme_pai_gow"].clauses
CHAPTER = [key for key in CLAUSES if key.startswith("34.")]


def test_the_register_holds_every_clause_of_new_jersey_once() -> None:
    assert len(CLAUSES) == 201
    assert len(CHAPTER) == 163
    assert all(key == clause.key for key, clause in CLAUSES.items())
    assert Counter(key.split("-")[0] for key in CLAUSES if key not in CHAPTER) == {"19:46": 37, "19:40": 1}


def test_every_section_of_the_chapter_has_clauses_in_order() -> None:
    sections = [int(re.split(r"[.( ]", key)[1]) for key in CHAPTER]
    assert sections == sorted(sections)
    assert set(sections) == set(range(1, 17))


def test_every_clause_says_what_it_is_and_how_it_is_proved() -> None:
    kinds = {"definition", "inspection", "option", "device", "procedure", "admin", "round"}
    devices = {"rng", "shaker", "shuffler", "shoe", "button", "table"}
    for clause in CLAUSES.values():
        assert clause.kind in kinds
        assert set(clause.device) <= devices
        assert clause.summary
        assert clause.says.endswith(".")


def test_a_clause_without_a_device_names_none() -> None:
    assert CLAUSES["34.12(i)"].device == ()
    assert CLAUSES["34.16(o)"].device == ("shuffler", "shoe")
    assert isinstance(CLAUSES["34.1 Bank"], Clause)


@pytest.mark.parametrize(
    ("key", "new_jersey", "massachusetts"),
    [
        ("34.12(i)", "19:47-34.12(i)", "MA SPG 12(i)"),
        ("34.3(a)3iv", "19:47-34.3(a)3iv", "MA SPG 3(a)(3)(iv)"),
        ("34.1 Bank", "19:47-34.1 Bank", "MA SPG 1 Bank"),
        ("34.1 Set or setting the hands", "19:47-34.1 Set or setting the hands", "MA SPG 1 Set or setting the hands"),
        ("34.11(b)3ii", "19:47-34.11(b)3ii", "MA SPG 11(b)(3)(ii)"),
        ("34.13(i)5", "19:47-34.13(i)5", "MA SPG 13(i)(5)"),
        ("34.3(c)11", "19:47-34.3(c)11", "MA SPG 3(c)(11)"),
        ("19:46-1.13W(d)1", "19:46-1.13W(d)1", None),
        ("19:40-1.2(b) Table game", "19:40-1.2(b) Table game", None),
    ],
)
def test_a_clause_is_cited_in_the_style_of_the_jurisdiction(
    key: str, new_jersey: str, massachusetts: str | None
) -> None:
    assert GAMES["supreme_pai_gow"].cite(key, "NJ") == new_jersey
    assert GAMES["supreme_pai_gow"].cite(key, "MA") == massachusetts


def test_massachusetts_prints_exactly_the_chapter_and_no_two_clauses_alike() -> None:
    printed = [citation for key in CLAUSES if (citation := GAMES["supreme_pai_gow"].cite(key, "MA")) is not None]
    assert len(printed) == len(set(printed)) == 163
    label = re.compile(r"MA SPG \d+(?:( [A-Z][a-z -]+)|\([a-p]\)(\(\d+\))?(\([ivx]+\))?)")
    assert [text for text in printed if not label.fullmatch(text)] == []


def test_what_is_not_in_the_register_is_refused() -> None:
    with pytest.raises(KeyError, match=r"34\.12\(z\)"):
        GAMES["supreme_pai_gow"].cite("34.12(z)", "NJ")
    with pytest.raises(KeyError, match="snap"):
        GAMES["snap"]
    with pytest.raises(ValueError, match="PA"):
        GAMES["supreme_pai_gow"].cite("34.12(i)", "PA")
