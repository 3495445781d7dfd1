"""Noise on a wire: what each sort does to the chunks that pass, and that the same seed does the same again."""

import random
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.emulators.relays.noise import BROKER, LINE, NOISES, STREAM, Disturbance, Noise

FRAME = bytes(range(40))


def delivered(passage):
    return b"".join(data for _, data in passage.pieces)


def noise(what, **more):
    return Noise([Disturbance(what, **more)], 7)


def test_without_a_disturbance_every_chunk_passes_at_once():
    assert Noise([], 1).passes(True, FRAME, 0.0).pieces == [(0.0, FRAME)]


def test_a_disturbance_strikes_from_its_chunk_on_as_often_as_it_may():
    line = noise("drop", at=2, times=2)
    lost = [delivered(line.passes(True, FRAME, 0.0)) != FRAME for _ in range(5)]
    assert lost == [False, True, True, False, False]
    assert line.struck == {"drop": 2}


def test_a_disturbance_counts_and_strikes_only_its_direction():
    line = noise("corrupt", direction="from_device", times=0)
    assert delivered(line.passes(True, FRAME, 0.0)) == FRAME
    assert delivered(line.passes(False, FRAME, 0.0)) != FRAME


def test_a_probability_strikes_about_as_often_as_it_says():
    line = noise("corrupt", probability=0.1, times=0)
    for _ in range(2000):
        line.passes(True, FRAME, 0.0)
    assert 140 < line.struck["corrupt"] < 260


def test_corruption_keeps_the_length_and_flips_a_few_bits():
    got = delivered(noise("corrupt").passes(True, FRAME, 0.0))
    assert len(got) == len(FRAME)
    assert 1 <= sum((a ^ b).bit_count() for a, b in zip(got, FRAME, strict=True)) <= 3


def test_dropping_loses_bytes_in_a_row_or_all():
    line = noise("drop", times=0)
    for _ in range(50):
        got = delivered(line.passes(True, FRAME, 0.0))
        assert len(got) < len(FRAME)
        front = next((n for n, (a, b) in enumerate(zip(got, FRAME, strict=False)) if a != b), len(got))
        assert FRAME.endswith(got[front:])


def test_a_duplicate_comes_right_after_the_chunk():
    assert noise("duplicate").passes(True, FRAME, 0.0).pieces == [(0.0, FRAME), (0.0, FRAME)]


def test_a_reordered_chunk_comes_after_the_next_of_its_direction():
    line = noise("reorder")
    assert line.passes(True, b"one", 0.0).pieces == []
    assert line.passes(False, b"other way", 0.0).pieces == [(0.0, b"other way")]
    assert line.passes(True, b"two", 0.0).pieces == [(0.0, b"two"), (0.0, b"one")]


def test_what_was_held_back_dies_with_its_connection():
    line = noise("reorder")
    line.passes(True, b"one", 0.0)
    line.reopened()
    assert line.passes(True, b"two", 0.0).pieces == [(0.0, b"two")]


def test_a_split_chunk_comes_whole_but_in_pieces():
    passage = noise("split", seconds=0.5).passes(True, FRAME, 0.0)
    assert len(passage.pieces) > 1
    assert delivered(passage) == FRAME
    assert [pause for pause, _ in passage.pieces] == [0.0] + [0.5] * (len(passage.pieces) - 1)


def test_a_single_byte_cannot_be_split():
    assert noise("split").passes(True, b"x", 0.0).pieces == [(0.0, b"x")]


def test_garbage_comes_before_the_chunk():
    got = delivered(noise("garbage").passes(True, FRAME, 0.0))
    assert got.endswith(FRAME)
    assert len(got) > len(FRAME)


def test_a_delay_lasts_as_long_as_it_says():
    assert noise("delay", seconds=0.3).passes(True, FRAME, 0.0).pieces == [(0.3, FRAME)]
    assert noise("delay").passes(True, FRAME, 0.0).pieces == [(NOISES["delay"].seconds, FRAME)]


def test_a_dead_direction_of_a_line_loses_bytes_until_it_is_over():
    line = noise("half_open", seconds=5)
    assert line.passes(True, FRAME, 100.0).pieces == []
    assert line.passes(True, FRAME, 104.9).pieces == []
    assert delivered(line.passes(False, FRAME, 104.9)) == FRAME
    assert delivered(line.passes(True, FRAME, 105.0)) == FRAME


def test_a_dead_direction_of_a_stream_brings_the_bytes_afterwards():
    stream = Noise([Disturbance("half_open", seconds=5)], 1, stream=True)
    assert stream.passes(True, FRAME, 100.0).pieces == [(5.0, FRAME)]
    assert stream.passes(True, FRAME, 106.0).pieces == [(0.0, FRAME)]


@pytest.mark.parametrize("stream", [False, True])
def test_without_seconds_a_direction_is_dead_for_ever(stream):
    wire = Noise([Disturbance("half_open")], 1, stream=stream)
    assert wire.passes(True, FRAME, 0.0).pieces == []
    assert wire.passes(True, FRAME, 1e9).pieces == []


def test_at_the_wrong_baud_everything_is_noise_in_both_directions_until_it_is_over():
    line = noise("wrong_baud", seconds=2)
    for outgoing, now in ((True, 0.0), (False, 1.0), (True, 1.9)):
        got = delivered(line.passes(outgoing, FRAME, now))
        assert got != FRAME
        assert len(got) == len(FRAME)
    assert delivered(line.passes(False, FRAME, 2.0)) == FRAME


@pytest.mark.parametrize(("seconds", "down"), [(0.25, 0.25), (None, inf)])
@pytest.mark.parametrize("what", ["disconnect", "broker_restart"])
def test_a_line_that_drops_takes_the_chunk_with_it(what, seconds, down):
    passage = noise(what, seconds=seconds).passes(True, FRAME, 0.0)
    assert (passage.pieces, passage.down) == ([], down)


@given(
    st.integers(),
    st.lists(st.tuples(st.booleans(), st.binary(min_size=1, max_size=60)), max_size=40),
    st.lists(st.sampled_from(sorted(NOISES)), min_size=1, max_size=4),
)
def test_the_same_seed_and_the_same_traffic_give_the_same_noise(seed, traffic, whats):
    def passages():
        line = Noise([Disturbance(what, probability=0.3, times=0) for what in whats], seed)
        return [line.passes(outgoing, data, float(n)) for n, (outgoing, data) in enumerate(traffic)], line.struck

    assert passages() == passages()


def test_another_seed_gives_other_noise():
    def spoilt(seed):
        line = Noise([Disturbance("corrupt", probability=0.5, times=0)], seed)
        return [delivered(line.passes(True, FRAME, 0.0)) for _ in range(20)]

    assert spoilt(1) != spoilt(2)


def test_noise_that_alters_nothing_delivers_every_byte_in_order():
    """What TCP lets through: delays and pieces, but the stream stays the stream."""
    gentle = [what for what in NOISES if not NOISES[what].alters and what not in ("disconnect", "broker_restart")]
    wire = Noise([Disturbance(what, probability=0.4, times=0, seconds=0.01) for what in gentle], 3, stream=True)
    rng = random.Random(1)
    chunks = [rng.randbytes(rng.randint(1, 30)) for _ in range(200)]
    assert b"".join(delivered(wire.passes(True, chunk, n * 0.1)) for n, chunk in enumerate(chunks)) == b"".join(chunks)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"what": "corrupted"}, "expected one of corrupt, drop"),
        ({"what": "drop", "direction": "up"}, "direction 'up': expected one of to_device, from_device, both"),
        ({"what": "drop", "at": 0}, "at 0: expected 1 or more"),
        ({"what": "drop", "probability": 0.0}, "probability 0.0: expected more than 0, at most 1"),
        ({"what": "drop", "times": -1}, "times -1"),
        ({"what": "drop", "seconds": -0.5}, "seconds -0.5"),
    ],
)
def test_a_disturbance_that_makes_no_sense_is_refused(wrong, expected):
    with pytest.raises(ValueError, match=expected):
        Disturbance(**wrong)


def test_every_sort_of_noise_belongs_to_media_that_there_are():
    for noise in NOISES.values():
        assert noise.media
        assert set(noise.media) <= {LINE, STREAM, BROKER}
