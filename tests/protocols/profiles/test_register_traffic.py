"""What is heard on a Modbus line whose registers are those of a profile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus.frame import encode_rtu
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.register_traffic import sniffer_for
from feltrig.protocols.sniffing import Answered, Asked, Chatter, Message, NoMessage, Reported, Sniffer
from feltrig.protocols.vocabulary import Error, State

RING = """
feltrig_profile = 1
name = "ring"
title = "a ring"
about = "a test"
kind = "rng"
wire = "modbus"
[identity]
vendor = "v"
model = "m"
[tables.states]
0 = "idle"
2 = "ready"
[tables.events]
1 = "selected"
[modbus.fields]
"status.state" = { input = 0, table = "states" }
[modbus.ring]
latest = { input = 1 }
start = { input = 20 }
slots = 2
size = 3
number = { at = 0 }
event = { at = 1, table = "events" }
values = { "selected.number" = { at = 2 } }
[commands.select]
write = [{ coil = 0, value = true }]
"""


@pytest.fixture
def sniffer() -> Sniffer:
    return sniffer_for(profilefile.builtin("plc-shaker"), "modbus-rtu")


def heard(sniffer: Sniffer, *pdus: str) -> list[Message]:
    """A question, its response, and so on in turn, of unit 1."""
    chunks = [encode_rtu(1, bytes.fromhex(pdu)) for pdu in pdus]
    return [message for nth, chunk in enumerate(chunks) for message in sniffer.hear(nth % 2 == 0, chunk)]


def test_a_command_is_heard_with_its_last_write_and_its_arguments_with_those_before(sniffer):
    argument, _, asked, written = heard(sniffer, "06 0000 0003", "06 0000 0003", "05 0000 ff00", "05 0000 ff00")
    assert argument == Chatter(True, "writes holding 0: 3")
    assert asked == Asked(Request("shake", {"times": 3}))
    assert written == Chatter(False, "written")
    look, answered = heard(sniffer, "04 0009 0001", "04 02 0000")
    assert look == Chatter(True, "reads input 9")
    assert answered == Answered(asked, Reply())


def test_a_refusal_has_its_error(sniffer):
    asked, *_, answered = heard(sniffer, "05 0002 ff00", "05 0002 ff00", "04 0009 0001", "04 02 0003")
    assert answered == Answered(asked, Reply(Error.WRONG_STATE))


def test_a_write_of_many_cells_may_hold_a_command(sniffer):
    assert heard(sniffer, "0f 0002 0002 01 01") == [Asked(Request("cover"))]


def test_a_coil_that_is_taken_back_is_no_command(sniffer):
    assert heard(sniffer, "05 0002 0000") == [Chatter(True, "writes coil 2: 0")]


def test_a_look_reports_the_fields_that_lie_in_it_and_lists_as_long_as_they_are(sniffer):
    _, said = heard(sniffer, "04 0000 0009", "04 12 0002 0000 0001 0003 0001 0002 0004 0006 0000")
    assert isinstance(said, Reported)
    assert said.event is None
    assert said.values["status.state"] == State.READY
    assert (said.values["shaken.times"], said.values["rolled.dice"]) == (3, (4, 6))
    _, bits = heard(sniffer, "02 0000 0005", "02 01 0f")
    assert isinstance(bits, Reported)
    assert bits.values == {"lid": 1, "uncovered.commanded": 1, "rolled.flat": (1, 1)}


def test_cells_that_belong_to_no_field_are_shown_as_they_are(sniffer):
    assert heard(sniffer, "03 0032 0002", "03 04 0001 0002")[1] == Chatter(False, "holding 50 to 51: 1 2")


def test_a_refusal_of_modbus_and_a_response_of_the_wrong_size_are_noise(sniffer):
    _, refused = heard(sniffer, "04 0000 0001", "84 02")
    assert refused == NoMessage(False, "exception 02", encode_rtu(1, bytes.fromhex("8402")))
    _, odd = heard(sniffer, "04 0000 0001", "04 04 0000 0000")
    assert isinstance(odd, NoMessage)


def test_a_slot_of_a_ring_reports_its_event():
    ring = sniffer_for(profilefile.loads(RING.encode(), "ring.toml"), "modbus-rtu")
    _, said, _, event = heard(ring, "04 0000 0002", "04 04 0002 0004", "04 0017 0003", "04 06 0004 0001 0005")
    assert said == Reported(None, {"status.state": State.READY, "latest": 4})
    assert event == Reported("selected", {"number": 5})


def test_on_tcp_only_the_unit_that_is_meant_is_heard():
    sniffer = sniffer_for(profilefile.builtin("plc-shaker"), "modbus-tcp", unit=7)
    (asked,) = sniffer.hear(True, bytes.fromhex("0001 0000 0006 07 05 0003 ff00"))
    assert asked == Asked(Request("reset"))
    assert sniffer.hear(True, bytes.fromhex("0001 0000 0006 08 05 0003 ff00")) == []


@given(st.lists(st.tuples(st.booleans(), st.binary(min_size=1, max_size=20)), max_size=8))
def test_no_pdu_makes_it_fail(pdus):
    sniffer = sniffer_for(profilefile.builtin("plc-shaker"), "modbus-rtu")
    for outgoing, pdu in pdus:
        sniffer.hear(outgoing, encode_rtu(1, pdu))
    sniffer.end()
