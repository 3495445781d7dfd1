"""The salted challenge: the proof against RFC 4231, and its message on every wire, written down by hand.

The image is `Hi There` and the nonce twenty times 0x0B: test case 1 of RFC 4231.
"""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.challenge import NONCE_SIZES, PROOF_SIZE, proof
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus import pdu as modbus_pdu
from feltrig.protocols.modbus.frame import encode_rtu, encode_tcp
from feltrig.protocols.modbus.register_map import COMMAND, COMMAND_SIZE, RESULT, ModbusMap
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.serial import frame as serial_frame
from feltrig.protocols.serial.codec import ANSWER, SerialMessages
from feltrig.protocols.vocabulary import Error

IMAGE = b"Hi There"
NONCE = b"\x0b" * 20
PROOF = bytes.fromhex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")

ASKED = Request("challenge", {"nonce": tuple(NONCE)})
ANSWERED = Reply(values={"proof": tuple(PROOF)})

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=str)


def test_the_proof_is_the_hmac_of_rfc_4231():
    assert proof(IMAGE, NONCE) == PROOF


@given(image=st.binary(max_size=300), nonce=st.binary(min_size=16, max_size=32))
def test_the_nonce_is_the_key_and_the_image_the_message(image, nonce):
    """RFC 2104, with two hashes and nothing else."""
    inner, outer = (bytes(octet ^ pad for octet in nonce.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    assert proof(image, nonce) == hashlib.sha256(outer + hashlib.sha256(inner + image).digest()).digest()


def test_a_proof_is_good_for_one_image_and_one_nonce():
    assert len({proof(IMAGE, NONCE), proof(IMAGE + b"\0", NONCE), proof(IMAGE, bytes(20))}) == 3


def test_the_frames_on_a_serial_line():
    messages = SerialMessages(RNG)
    code, data = messages.write_request(ASKED)
    asked = bytes.fromhex("00 1b 01 09 05 14" + 20 * "0b" + "6e 55 00")
    assert serial_frame.encode(1, 9, code, data) == asked
    answered = bytes.fromhex(
        "00 04 01 09 85 15 20 b0344c61d8db38535ca8afceaf0bf12b881dc2 0f c9833da726e9376c2e32cff7 ab 5a 00"
    )
    assert serial_frame.encode(1, 9, code | ANSWER, messages.write_reply("challenge", ANSWERED)) == answered
    assert messages.read_request(code, data) == ASKED
    (frame,) = serial_frame.Deframer().receive(answered)
    assert messages.read_reply("challenge", frame.data) == ANSWERED


def test_the_frames_on_modbus():
    """Function 16 writes the command, function 3 reads its result."""
    device, token = ModbusMap(RNG), 0x8000_0001
    block = device.write_command(ASKED, token)
    assert block == bytes.fromhex("8000 0001 0005 0014" + 20 * "0b")
    write = modbus_pdu.write(COMMAND, block)
    assert encode_tcp(7, 1, write) == bytes.fromhex("0007 0000 0023 01 10 0100 000e 1c") + block
    assert encode_rtu(1, write) == bytes.fromhex("01 10 0100 000e 1c") + block + bytes.fromhex("43 2e")
    result = device.write_result(token, "challenge", ANSWERED)
    assert result == bytes.fromhex("8000 0001 0000 0011 0020") + PROOF
    assert encode_rtu(1, modbus_pdu.read(RESULT, 21)) == bytes.fromhex("01 03 0120 0015 84 33")
    answered = modbus_pdu.registers(modbus_pdu.READ_HOLDING, result)
    assert encode_rtu(1, answered) == bytes.fromhex("01 03 2a") + result + bytes.fromhex("ee 19")
    assert device.read_command(block) == Request("challenge", ASKED.values, token)
    assert device.read_result("challenge", result) == ANSWERED


def test_the_payloads_on_mqtt():
    asked = b'{"v":1,"cmd":"challenge","token":0,"args":{"nonce":[' + b",".join([b"11"] * 20) + b"]}}"
    assert mqtt_topics.encode_request(ASKED) == asked
    assert mqtt_topics.decode_request(RNG, asked).request == ASKED
    answered = (
        b'{"v":1,"error":"ok","values":{"proof":[176,52,76,97,216,219,56,83,92,168,175,206,175,11,241,43,'
        b"136,29,194,0,201,131,61,167,38,233,55,108,46,50,207,247]}}"
    )
    assert mqtt_topics.encode_reply(ANSWERED) == answered
    assert mqtt_topics.read_reply(RNG.commands["challenge"], mqtt_topics.decode_answer(answered)) == ANSWERED


@every_kind
def test_the_longest_nonce_and_its_proof_fit_every_wire(kind):
    longest = Request("challenge", {"nonce": (0,) * NONCE_SIZES[-1]})
    full = Reply(values={"proof": (0,) * PROOF_SIZE})
    serial, modbus = SerialMessages(kind), ModbusMap(kind)
    assert len(serial.write_request(longest)[1]) <= serial_frame.MAX_DATA
    assert len(modbus.write_command(longest, 1)) <= 2 * COMMAND_SIZE
    assert serial.read_reply("challenge", serial.write_reply("challenge", full)) == full
    assert modbus.read_result("challenge", modbus.write_result(1, "challenge", full)) == full
    refused = Reply(Error.UNKNOWN_COMMAND)
    assert modbus.read_result("challenge", modbus.write_result(1, "challenge", refused)) == refused
