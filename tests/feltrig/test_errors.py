"""The errors that a caller can catch."""

import pytest

import feltrig


@pytest.mark.parametrize("name", [name for name in feltrig.__all__ if name.endswith("Error")])
def test_every_error_is_one_of_feltrig(name):
    assert issubclass(getattr(feltrig, name), feltrig.FeltrigError)
