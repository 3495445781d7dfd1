"""A Modbus line: the silence between frames."""

import pytest

from feltrig.protocols.modbus.link import frame_gap


def test_frames_on_a_real_line_are_parted_by_silence_and_on_a_pseudo_terminal_are_not():
    assert frame_gap("/dev/ttyS0", 9600) == pytest.approx(0.00401, rel=1e-3)
    assert frame_gap("/dev/ttyS0", 115200) == 0.00175
    assert frame_gap("/dev/pts/7", 9600) == 0.0
