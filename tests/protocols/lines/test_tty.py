"""Serial ports of this computer."""

import pytest

from feltrig.protocols.errors import LineLost
from feltrig.protocols.lines.tty import comes_back, open_tty


def test_a_pseudo_terminal_does_not_come_back_by_its_name() -> None:
    assert comes_back("/dev/ttyUSB0")
    assert not comes_back("/dev/pts/7")


def test_a_port_that_cannot_be_opened_is_a_lost_line_with_the_reason() -> None:
    with pytest.raises(LineLost, match="/nowhere/tty0: no such file or directory"):
        open_tty("/nowhere/tty0", 9600, lambda _: None, lambda _: None)
