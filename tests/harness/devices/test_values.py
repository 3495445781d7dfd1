"""The values of replies and events, by the type that is expected."""

import pytest

from feltrig.harness.devices.values import bytes_of, int_of
from feltrig.protocols.errors import Garbage


def test_a_value_of_the_expected_type_is_given_back() -> None:
    assert (int_of(7), bytes_of((1, 2))) == (7, (1, 2))


def test_a_value_of_another_type_is_garbage() -> None:
    with pytest.raises(Garbage, match="'x' is not a number"):
        int_of("x")
    with pytest.raises(Garbage, match="7 is not a list"):
        bytes_of(7)
