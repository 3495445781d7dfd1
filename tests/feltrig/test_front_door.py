"""`import feltrig` is cheap, and offers what it says."""

import subprocess
import sys

import pytest

import feltrig


def test_importing_it_loads_nothing_else():
    code = "import sys; before = set(sys.modules); import feltrig; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"feltrig", "typing", "collections", "collections.abc", "functools", "re"} | {
        name for name in done.stdout.split() if name.split(".")[0] in sys.stdlib_module_names
    }
    assert not [name for name in done.stdout.split() if name.startswith("feltrig.")]


@pytest.mark.parametrize("name", feltrig.__all__)
def test_every_name_is_there(name):
    assert getattr(feltrig, name).__name__ == name


def test_a_name_that_it_has_not_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        feltrig.nothing  # noqa: B018


def test_the_names_are_listed():
    assert dir(feltrig) == sorted(feltrig.__all__)
