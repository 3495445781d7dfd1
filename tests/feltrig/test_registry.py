"""What a registry takes from its own table, and from installed packages."""

import sys
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from feltrig import registry
from feltrig.errors import RegistryError
from feltrig.registry import Registry


@pytest.fixture
def installed(monkeypatch):
    """Installs entry points of the group `test.words`, given as name and value."""
    module = ModuleType("words_of_somebody")
    module.four, module.text = 4, "no number"
    monkeypatch.setitem(sys.modules, module.__name__, module)

    def install(*entries):
        points = [EntryPoint(name, value, "test.words") for name, value in entries]
        monkeypatch.setattr(registry, "entry_points", lambda group: [p for p in points if p.group == group])

    install()
    return install


def words():
    return Registry("test.words", {"ten": "string:digits.__len__", "one": "sys:api_version"}, int)


def test_own_entries_come_first_and_are_loaded_when_asked_for(installed):
    installed(("four", "words_of_somebody:four"))
    known = words()
    assert list(known) == ["ten", "one", "four"]
    assert len(known) == 3
    assert known["one"] == sys.api_version
    assert known["four"] == 4
    assert "four" in known
    assert "five" not in known


def test_a_name_that_nobody_registered_is_a_key_error(installed):
    with pytest.raises(KeyError, match="five"):
        words()["five"]


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("five", "words_of_somebody:five", "cannot be loaded"),
        ("five", "no_such_module:five", "cannot be loaded"),
        ("five", "words_of_somebody:text", "is a str; expected a int"),
        ("one", "words_of_somebody:four", "the name is taken"),
    ],
)
def test_an_entry_point_that_will_not_do_is_named(installed, name, value, reason):
    installed((name, value))
    with pytest.raises(RegistryError, match=f"entry point '{name}' in test.words: {reason}"):
        words()["five"]


def test_two_packages_cannot_take_one_name(installed):
    installed(("four", "words_of_somebody:four"), ("four", "words_of_somebody:text"))
    with pytest.raises(RegistryError, match="the name is taken"):
        list(words())
