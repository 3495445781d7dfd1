"""Codes that no device has, for messages that are wrong on purpose."""

import pytest

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.malformed import CODES, UNKNOWN
from feltrig.protocols.vocabulary import Kind


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_an_unknown_code_is_that_of_no_command_and_the_common_ones_are_of_all(kind: Kind) -> None:
    assert not set(UNKNOWN) & set(kind.command_of)
    assert all(kind.commands[name].code == code for name, code in CODES.items())
