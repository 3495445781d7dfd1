"""What the driver's end makes of messages: repeats, losses, restarts, what is assumed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.messages import Request
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.dialogue import Dialogue, Parcel
from feltrig.protocols.profiles.listener import ReportReader
from feltrig.protocols.vocabulary import FaultCode, State


def listener(name: str) -> ReportReader:
    profile = profilefile.builtin(name)
    assert isinstance(profile.talk, Dialogue)
    return ReportReader(profile.kind, profile.talk)


def heard(listening: ReportReader, *payloads: bytes, topic: str = ""):
    for payload in payloads:
        assert listening.hear(Parcel(topic, payload))
    return [(event.number, event.name, dict(event.values)) for event in listening.log.after(0).events]


@pytest.fixture
def shoe():
    return listener("lookalike-card-reports-shoe")


def test_a_report_that_comes_three_times_counts_once(shoe):
    events = heard(shoe, b"1D014", b"1D014", b"1D014", b"2D024", b"2D024")
    assert events == [(1, "dispensed", {"stack": 1, "size": 4}), (2, "dispensed", {"stack": 2, "size": 4})]


def test_a_late_repeat_of_an_earlier_report_is_known(shoe):
    assert len(heard(shoe, b"1D014", b"2D024", b"1D014", b"2D024")) == 2


def test_sequence_numbers_start_over(shoe):
    assert [number for number, _, _ in heard(shoe, b"8D014", b"9D024", b"0D034", b"1D044")] == [1, 2, 3, 4]


def test_a_report_that_never_came_leaves_its_number_out(shoe):
    assert [number for number, _, _ in heard(shoe, b"1D014", b"3D034")] == [1, 3]
    assert shoe.lost == 1


def test_a_device_that_starts_again_says_so_behind_what_was_seen_before(shoe):
    assert len(heard(shoe, b"1D014", b"2D024")) == 2
    heard(shoe, b"1S", b"1S", b"1S", b"2D014", b"3D024")
    events = [(event.number, event.name) for event in shoe.log.after(2).events]
    assert events == [(3, "started"), (4, "dispensed"), (5, "dispensed")]
    assert shoe.lost == 0


def test_a_start_with_the_number_of_the_report_before_it_is_no_repeat_of_it(shoe):
    assert [name for _, name, _ in heard(shoe, b"1D014", b"1S", b"1S", b"0D014", b"1S")] == ["dispensed", "started"]
    assert [name for _, name, _ in heard(shoe, b"2D014", b"1S")][2:] == ["dispensed", "started"]


def test_the_state_follows_what_is_said(shoe):
    heard(shoe, b"1E8")
    assert (shoe.log.state, shoe.log.fault) == (State.FAULT, FaultCode.JAM)
    heard(shoe, b"2P")
    assert (shoe.log.state, shoe.log.fault) == (State.IDLE, FaultCode.NONE)
    heard(shoe, b"3L")
    assert shoe.log.state is State.LOCKED


def test_a_message_that_means_nothing_to_the_rig_is_understood(shoe):
    assert heard(shoe, b"1C") == []


@pytest.mark.parametrize("payload", [b"", b"1Z", b"1E0", b"xD014", b"1D0144"])
def test_a_message_that_is_not_in_the_profile_is_not_understood(shoe, payload):
    assert not shoe.hear(Parcel("", payload))


def test_what_the_wire_lacks_is_assumed_from_the_last_command():
    shaker = listener("lookalike-listens-says-shaker")
    shaker.tell(Request("shake", {"times": 4}))
    assert heard(shaker, b"S0", topic="says") == [(1, "shaken", {"times": 4})]


def test_a_message_on_another_topic_is_another_message():
    assert not listener("lookalike-listens-says-shaker").hear(Parcel("response", b"S0"))


def test_which_line_it_is_says_what_is_not_in_it():
    log = listener("lookalike-history-log-shuffler")
    events = heard(log, b"14:05:09 11/16/26 000042 Missing Card 053", b"14:05:12 11/16/26 000043 Deck Complete 054")
    assert events == [
        (1, "counted", {"deck": 1, "count": 53, "correct": False}),
        (2, "counted", {"deck": 1, "count": 54, "correct": True}),
    ]


TALKS = [profile for profile in map(profilefile.builtin, profilefile.names()) if isinstance(profile.talk, Dialogue)]


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_no_messages_make_it_fail(payloads):
    for profile in TALKS:
        listening = ReportReader(profile.kind, profile.talk)
        for payload in payloads:
            listening.hear(Parcel("", payload))
