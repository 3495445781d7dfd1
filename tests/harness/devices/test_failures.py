"""What a device does instead of what it was told, in one word."""

import pytest

from feltrig.harness.devices.failures import DEVICE_FAILURES, Faulted, Stalled, word
from feltrig.protocols.errors import Refused
from feltrig.protocols.vocabulary import FaultCode


@pytest.mark.parametrize(
    ("failure", "said", "message"),
    [
        (Faulted("box", FaultCode.JAM), "jam", "box: stopped with fault jam"),
        (Stalled("box", "event counted", "within 2 s"), "stalled", "box: no event counted within 2 s"),
        (Refused("box", "shake", "wrong_state"), "refused", "box: shake: refused: wrong_state"),
    ],
)
def test_a_failure_has_one_word_and_names_its_device(failure: Exception, said: str, message: str) -> None:
    assert isinstance(failure, DEVICE_FAILURES)
    assert (word(failure), str(failure)) == (said, message)
