"""What is heard on the wire of a device that talks by a profile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.mqtt.packets import Publish
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.profile_traffic import ProfileSniffer
from feltrig.protocols.sniffing import Answered, Asked, NoMessage, Reported
from feltrig.protocols.vocabulary import Error, FaultCode

LOG = "lookalike-history-log-shuffler"
LINES = "lookalike-status-lines-rng"
CARDS = "lookalike-card-reports-shoe"
SHAKER = "lookalike-listens-says-shaker"


def sniffer(name: str, topic: str = "") -> ProfileSniffer:
    return ProfileSniffer(profilefile.builtin(name), topic)


def test_a_question_its_answer_and_what_follows_are_told_apart_in_one_read():
    hearing = sniffer(LINES)
    (asked,) = hearing.hear(True, b"*s 1\r\n")
    assert asked == Asked(Request("select"))
    answered, report = hearing.hear(False, b"*s OK\r\n*X;5;001;06;0;000;0\r\n")
    assert answered == Answered(asked, Reply())
    assert isinstance(report, Reported)
    assert (report.event, report.values["selected.number"]) == (None, 6)


def test_a_refusal_has_its_error():
    hearing = sniffer(LINES)
    (asked,) = hearing.hear(True, b"*s 1\r\n")
    assert hearing.hear(False, b"*s E3\r\n") == [Answered(asked, Reply(Error.WRONG_STATE))]


def test_a_report_has_its_event_and_its_values():
    (said,) = sniffer(CARDS).hear(False, b"\x052E8\x034C")
    assert isinstance(said, Reported)
    assert (said.event, said.values["fault"]) == ("faulted", FaultCode.JAM)


def test_arguments_that_a_message_implies_are_shown():
    (asked,) = sniffer(LOG).hear(True, b"SHUFFLE\r\n")
    assert asked == Asked(Request("shuffle", {"deck": 1}))


def test_on_mqtt_the_topic_tells_who_speaks():
    hearing = sniffer(SHAKER, "a/shaker")
    asked = hearing.on_topic(Publish("a/shaker/listens", b"/cycle/?pattern=0&shakes=3"))
    assert asked == Asked(Request("shake", {"times": 3}))
    assert hearing.on_topic(Publish("a/shaker/says", b"S2")) == Answered(asked, Reply())
    assert isinstance(hearing.on_topic(Publish("a/shaker/else", b"S2")), NoMessage)


def test_what_the_profile_does_not_know_is_noise_with_its_bytes():
    hearing = sniffer(LINES)
    assert hearing.hear(False, b"HELLO\r\n") == [NoMessage(False, f"no message of the profile {LINES}", b"HELLO")]
    assert hearing.hear(True, b"*s") == []
    assert hearing.end() == [NoMessage(True, "2 bytes that make no frame", b"")]


def test_bytes_between_frames_are_shown():
    *_, noise = sniffer(CARDS).hear(False, b"zz\x06")
    assert noise == NoMessage(False, "2 bytes that make no frame, in", b"zz\x06")


@pytest.mark.parametrize("name", [LOG, LINES, CARDS, SHAKER])
@given(chunks=st.lists(st.tuples(st.booleans(), st.binary(max_size=60))))
def test_no_bytes_make_it_fail(name, chunks):
    hearing = sniffer(name, "a/b")
    for outgoing, data in chunks:
        hearing.hear(outgoing, data)
    hearing.end()
