"""Jurisdictions are data: files of our own, and files that an installed package adds."""

import sys
from importlib.metadata import EntryPoint

import pytest

from feltrig import registry
from feltrig.engine import oracle
from feltrig.engine.games import GAMES
from feltrig.engine.games.game import Game
from feltrig.engine.jurisdictions import JURISDICTIONS, Jurisdiction, parse
from feltrig.registry import RegistryError

NEVADA = """
title = "Nevada"

[[games.pai_gow]]
key = '19:47-(?P<section>[^(]+)(?P<labels>.*)'
cite = "NV {section}{labels}"
label = ".{}"
"""


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Installs a package with these files and an entry point `NV` that names it."""

    def install(**files: str) -> None:
        folder = tmp_path / "rules_of_nevada"
        folder.mkdir()
        for name, text in files.items():
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")
        point = EntryPoint("NV", "rules_of_nevada", "feltrig.jurisdictions")
        monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == point.group else [])
        monkeypatch.setattr(JURISDICTIONS, "_added", None)
        monkeypatch.setattr(JURISDICTIONS, "_loaded", {})

    monkeypatch.syspath_prepend(tmp_path)
    yield install
    sys.modules.pop("rules_of_nevada", None)


def fresh(name: str) -> Game:
    """The game as a process that has just started sees it."""
    game = GAMES[name]
    fields = ("name", "title", "package", "jurisdiction", "procedure", "options", "ways")
    return Game(**{field: getattr(game, field) for field in fields})


def test_our_own_are_the_files_of_the_folder():
    assert list(JURISDICTIONS) == ["MA", "NJ"]
    assert [place.title for place in JURISDICTIONS.values()] == ["Massachusetts", "New Jersey"]
    assert {code: place.code for code, place in JURISDICTIONS.items()} == {"MA": "MA", "NJ": "NJ"}


def test_a_file_of_an_installed_package_adds_a_jurisdiction_to_a_game_that_is_there(installed):
    installed(NV=NEVADA)
    game = fresh("pai_gow")
    assert game.jurisdictions == ("NJ", "NV")
    assert game.cite("19:47-10.3(a)", "NV") == "NV 10.3.a"
    assert game.cite("19:47-10.3(a)", "NJ") == "19:47-10.3(a)"
    assert game.cite("19:47-10.3(a)", "MA") is None
    assert fresh("red_dog").jurisdictions == ("NJ",)


def test_the_oracle_answers_for_an_added_jurisdiction(installed, monkeypatch):
    installed(NV=NEVADA)
    monkeypatch.setitem(GAMES._loaded, "pai_gow", fresh("pai_gow"))
    asked = {"game": "pai_gow", "op": "tile_rank", "input": {"tiles": ["6-6", "2-4"]}, "jurisdiction": "NV"}
    assert "error" in oracle.ask({**asked, "jurisdiction": "MA"})
    found = oracle.ask(asked)
    assert "error" not in found, found
    assert all(number.startswith("NV ") for number in found["clauses"])


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "NV.toml: title: None is not a text"),
        ('title = "Nevada"\nname = "NV"', "NV.toml: name: no such key; expected title, games"),
        ('title = "x"\n[[games.pai_gow]]\nkey = "("\ncite = ""', "form 1: key: '\\(' is not a regular expression"),
        ('title = "x"\n[[games.pai_gow]]\nkey = "a"', "games.pai_gow: form 1: cite: missing"),
        ('title = "x"\n[[games.pai_gow]]\ncite = "a"', "games.pai_gow: form 1: key: missing"),
        ('title = "x"\n[[games.pai_gow]]\nkey = "a"\ncite = "{part}"', "form 1: part: missing"),
        ('title = "x"\n[[games.pai_gow]]\nkey = "a"\ncite = "a"\nlabel = "x"', "no group named labels"),
        ('title = "x"\n[[games.pai_gow]]\nkey = "a"\ncite = 5', "form 1: cite: 5 is not a text"),
        ('title = "x"\n[[games.pai_gow]]\nkey = "a"\nwhere = "a"', "form 1: where: no such key"),
    ],
)
def test_a_file_that_will_not_do_is_refused_with_its_name_and_key(installed, text, wrong):
    installed(NV=text)
    with pytest.raises(RegistryError, match=f"entry point 'NV' in feltrig.jurisdictions: cannot be loaded: .*{wrong}"):
        JURISDICTIONS["NV"]


def test_a_package_without_the_file_is_named(installed):
    installed(XX=NEVADA)
    with pytest.raises(RegistryError, match=r"NV\.toml: .*No such file"):
        JURISDICTIONS["NV"]


def test_the_first_form_that_matches_is_printed_and_no_form_prints_nothing():
    place = parse("XX", 'title = "x"\n[[games.g]]\nkey = "1"\ncite = "one"\n[[games.g]]\nkey = "1.*"\ncite = "<{key}>"')
    assert isinstance(place, Jurisdiction)
    assert [place.cite("g", key) for key in ("1", "12", "2")] == ["one", "<12>", None]
