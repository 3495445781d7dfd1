"""Faults as data: when they strike, what the catalogue knows, and how a station misbehaves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.faults import CATALOGUE, WIRE, Fault, Misbehaviour, Strikes, check, misbehaviour
from feltrig.emulators.reader import reader
from feltrig.emulators.rng import rng
from feltrig.protocols.vocabulary import KINDS


def test_every_kind_of_device_has_its_faults_and_those_of_the_wire() -> None:
    assert set(CATALOGUE) == set(KINDS)
    for entries in CATALOGUE.values():
        assert set(WIRE) <= set(entries)


@pytest.mark.parametrize("kind", CATALOGUE)
def test_every_fault_strikes_something_that_is_counted(kind: str) -> None:
    counted = {*KINDS[kind].commands, "load", "answer"}
    for entry in CATALOGUE[kind].values():
        assert entry.operation in counted
        assert entry.effect
        assert entry.expected


@given(at=st.integers(1, 20), times=st.integers(0, 20), number=st.integers(1, 60))
def test_a_fault_strikes_as_often_as_it_says(at: int, times: int, number: int) -> None:
    expected = number >= at if times == 0 else number in range(at, at + times)
    assert Fault("jam", at, times).strikes(number) is expected


@pytest.mark.parametrize(("at", "times", "said"), [(0, 1, "at 0"), (1, -1, "times -1")])
def test_a_fault_that_could_never_strike_is_refused(at: int, times: int, said: str) -> None:
    with pytest.raises(ValueError, match=f"fault jam: {said}: expected 1 or more"):
        Fault("jam", at, times)


def test_an_unknown_fault_and_one_of_another_kind_list_the_known_ones() -> None:
    expected = "a rng has only out_of_range, stuck, display_differs, silent, garbage, line_drop"
    with pytest.raises(ValueError, match=f"fault 'smoke': {expected}"):
        check("rng", [Fault("smoke")])
    with pytest.raises(ValueError, match=f"fault 'jam': {expected}"):
        rng("rng", 1, faults=[Fault("jam")])
    with pytest.raises(ValueError, match="fault 'jam': a reader has only silent, garbage, line_drop"):
        reader("reader", 1, faults=[Fault("jam")])


def test_operations_are_counted_each_for_itself() -> None:
    strikes = Strikes("shaker", [Fault("lid_lifted", at=2), Fault("few_shakes", at=2, times=2), Fault("cocked_die")])
    assert strikes.next("shake") == frozenset()
    assert strikes.next("uncover") == {"cocked_die"}
    assert strikes.next("shake") == {"lid_lifted", "few_shakes"}
    assert strikes.next("shake") == {"few_shakes"}
    assert strikes.next("shake") == frozenset()


def test_a_fault_added_later_counts_from_then() -> None:
    strikes = Strikes("shuffler")
    strikes.next("shuffle")
    strikes.add(Fault("jam", at=2))
    assert [strikes.next("shuffle") for _ in range(3)] == [frozenset(), {"jam"}, frozenset()]
    with pytest.raises(ValueError, match="fault 'stuck': a shuffler has only"):
        strikes.add(Fault("stuck"))


def test_a_fault_of_the_wire_leaves_the_model_alone() -> None:
    device = rng("rng", 1, faults=[Fault("silent", times=0)])
    assert device.board.strikes.next("answer") == {"silent"}
    assert device.board.strikes.next("select") == frozenset()


def test_answers_pass_until_silence_and_again_after() -> None:
    behave = Misbehaviour([Fault("silent", at=2, times=2)])
    assert [behave(b"ok") for _ in range(4)] == [b"ok", None, None, b"ok"]


def test_garbage_is_noise_of_the_same_length_and_replays() -> None:
    first = Misbehaviour([Fault("garbage", times=0)], seed=5)
    again = Misbehaviour([Fault("garbage", times=0)], seed=5)
    other = Misbehaviour([Fault("garbage", times=0)], seed=6)
    noise = [first(b"answer") for _ in range(20)]
    assert [again(b"answer") for _ in range(20)] == noise
    assert [other(b"answer") for _ in range(20)] != noise
    assert {len(spoiled) for spoiled in noise if spoiled is not None} == {6}


@pytest.mark.parametrize("answer", [b"", *(bytes([byte]) for byte in range(256))])
def test_garbage_is_never_the_answer_itself(answer: bytes) -> None:
    """One seed and every answer of one byte: the first noise drawn is one of them."""
    assert Misbehaviour([Fault("garbage")], seed=1)(answer) not in (answer, None, b"")


def test_a_dropped_line_raises_and_works_again_after() -> None:
    behave = Misbehaviour([Fault("line_drop", at=2)])
    assert behave(b"ok") == b"ok"
    with pytest.raises(ConnectionAbortedError, match="line dropped at answer 2"):
        behave(b"ok")
    assert behave(b"ok") == b"ok"


def test_a_device_with_no_fault_of_the_wire_needs_no_misbehaviour() -> None:
    assert misbehaviour("rng", [Fault("stuck")]) is None
    behave = misbehaviour("rng", [Fault("stuck"), Fault("silent")])
    assert behave is not None
    assert behave(b"ok") is None
    with pytest.raises(ValueError, match="a rng has only"):
        misbehaviour("rng", [Fault("jam")])
