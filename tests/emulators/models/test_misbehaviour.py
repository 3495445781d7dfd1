"""What becomes of the answers of a device with a fault of the wire, or without power."""

import pytest

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.misbehaviour import Misbehaviour
from feltrig.emulators.models.rng import FAULTS
from feltrig.emulators.models.setup import Setup
from feltrig.protocols.kinds.rng import RNG


def misbehaviour(*faults: Fault, seed: int = 1) -> Misbehaviour:
    return Misbehaviour(Board(RNG, Setup("rng", seed, faults=faults), FAULTS))


def test_a_device_without_such_faults_answers_as_it_should() -> None:
    behave = misbehaviour(Fault("stuck", times=0))
    assert [behave(b"ok") for _ in range(3)] == [b"ok"] * 3


def test_answers_pass_until_silence_and_again_after() -> None:
    behave = misbehaviour(Fault("silent", at=2, times=2))
    assert [behave(b"ok") for _ in range(4)] == [b"ok", None, None, b"ok"]


def test_garbage_is_noise_of_the_same_length_and_replays() -> None:
    fault = Fault("garbage", times=0)
    first, again, other = misbehaviour(fault), misbehaviour(fault), misbehaviour(fault, seed=2)
    noise = [first(b"answer") for _ in range(20)]
    assert [again(b"answer") for _ in range(20)] == noise
    assert [other(b"answer") for _ in range(20)] != noise
    assert {len(spoiled) for spoiled in noise if spoiled is not None} == {6}


@pytest.mark.parametrize("answer", [b"", *(bytes([byte]) for byte in range(256))])
def test_garbage_is_never_the_answer_itself(answer: bytes) -> None:
    """One seed and every answer of one byte: the first noise drawn is one of them."""
    assert misbehaviour(Fault("garbage"))(answer) not in (answer, None, b"")


def test_a_dropped_line_raises_and_works_again_after() -> None:
    behave = misbehaviour(Fault("line_drop", at=2))
    assert behave(b"ok") == b"ok"
    with pytest.raises(ConnectionAbortedError, match="line dropped at answer 2"):
        behave(b"ok")
    assert behave(b"ok") == b"ok"


def test_a_fault_injected_into_the_running_device_reaches_the_wire() -> None:
    board = Board(RNG, Setup("rng", 1), FAULTS)
    behave = Misbehaviour(board)
    assert behave(b"ok") == b"ok"
    board.inject(Fault("silent"))
    assert [behave(b"ok"), behave(b"ok")] == [None, b"ok"]


def test_a_device_without_power_does_not_answer() -> None:
    board = Board(RNG, Setup("rng", 1, faults=[Fault("power_loss", seconds=2.0)]), FAULTS)
    behave = Misbehaviour(board)
    assert behave(b"ok") == b"ok"
    board.emit("selected", number=1)
    assert behave(b"ok") is None
    board.advance(1.9)
    assert behave(b"ok") is None
    board.advance(2.0)
    assert behave(b"ok") == b"ok"
