"""The frames of Modbus, the first registers of a device and what a broker retains, written by hand from docs/modbus.md
and docs/mqtt.md, with CRCs computed bit by bit. Each is tested in both directions."""

import pytest

from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import Identity, Status
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import (
    RtuDeframer,
    TcpDeframer,
    encode_rtu,
    encode_tcp,
    request_length,
    response_length,
)
from feltrig.protocols.modbus.register_map import IDENTITY, ModbusMap
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.vocabulary import FaultCode, State

UNIT = 0x11
TOKEN = 0x12345678
STATUS = Status(State.BUSY, FaultCode.NONE, 1, 9)
STATUS_JSON = '"state":1,"fault":0,"oldest":1,"latest":9'
EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
TEXTS = {"vendor": "Acme", "model": "R7", "serial": "042", "firmware": "2.1", "digest": EMPTY_SHA256}
WHO = {"kind": 4, **TEXTS}


def octets(written: str) -> bytes:
    return bytes.fromhex(written)


def test_the_first_registers_and_the_identity_are_those_written_by_hand():
    shoe, who = ModbusMap(SHOE), Identity("shoe", **TEXTS)
    head = "0001 0004 0001 0000 0000 0001 0000 0009 1234 5678"
    texts = ("41636d65", "5237", "303432", "322e31", EMPTY_SHA256.encode().hex())
    sizes = (32, 32, 32, 16, 64)
    block = b"".join(octets(text).ljust(size, b"\0") for text, size in zip(texts, sizes, strict=True))
    assert shoe.write_status(STATUS, TOKEN) == octets(head)
    assert shoe.read_status(octets(head)) == STATUS
    assert shoe.write_identity(who) == block
    assert shoe.read_identity(octets(head).ljust(2 * IDENTITY, b"\0") + block) == WHO


META = (
    '{"v":1,"kind":"shoe","vendor":"Acme","model":"R7","serial":"042","firmware":"2.1",'
    f'"digest":"{EMPTY_SHA256}",'
    '"commands":["identify","status","events","reset","challenge","dispense","unlock","lock"],'
    '"events":["started","faulted","cleared","dispensed"]}'
)


def test_what_a_broker_retains_is_the_payload_written_by_hand():
    who = Identity("shoe", **TEXTS)
    assert mqtt_topics.encode_meta(SHOE, who) == META.encode()
    assert mqtt_topics.decode_meta(META.encode()) == (SHOE, who)
    state = f'{{"v":1,{STATUS_JSON}}}'.encode()
    assert mqtt_topics.encode_state(STATUS) == state
    assert mqtt_topics.decode_state(state) == STATUS
    assert (mqtt_topics.ONLINE, mqtt_topics.OFFLINE) == (b'{"v":1,"online":true}', b'{"v":1,"online":false}')
    assert [mqtt_topics.decode_online(p) for p in (b'{"v":1,"online":true}', b'{"v":1,"online":false}')] == [
        True,
        False,
    ]


DISPENSE = octets("1234 5678 0010 0007")
QUESTIONS = [
    (pdu.read(0, 10), "03 0000 000a", "c7 5d"),
    (pdu.read(2, 6, pdu.READ_INPUT), "04 0002 0006", "d3 58"),
    (pdu.write(256, DISPENSE), "10 0100 0004 08 1234 5678 0010 0007", "bd da"),
    (pdu.read_write(288, 4, 256, DISPENSE), "17 0120 0004 0100 0004 08 1234 5678 0010 0007", "18 9e"),
    (pdu.identify(1), "2b 0e 01 00", "b1 b4"),
]
RESPONSES = [
    (
        pdu.registers(3, octets("0001 0004 0001 0000 0000 0001 0000 0009 1234 5678")),
        "03 14 0001 0004 0001 0000 0000 0001 0000 0009 1234 5678",
        "7a f3",
    ),
    (pdu.registers(4, octets("0001 0000 0000 0001 0000 0009")), "04 0c 0001 0000 0000 0001 0000 0009", "7c 81"),
    (pdu.written(256, 4), "10 0100 0004", "c2 a6"),
    (pdu.registers(23, octets("1234 5678 0000 0000")), "17 08 1234 5678 0000 0000", "d8 7d"),
    (
        pdu.identification(1, [(0, b"Acme"), (1, b"R7"), (2, b"2.1")]),
        "2b 0e 01 83 00 00 03 00 04 41636d65 01 02 5237 02 03 322e31",
        "39 a0",
    ),
    (pdu.refusal(1, pdu.Refusal.ILLEGAL_FUNCTION), "81 01", "80 55"),
    (pdu.refusal(3, pdu.Refusal.ILLEGAL_ADDRESS), "83 02", "c1 34"),
    (pdu.refusal(16, pdu.Refusal.ILLEGAL_VALUE), "90 03", "0d c4"),
]


@pytest.mark.parametrize(
    ("length", "made", "written", "crc"),
    [(request_length, *row) for row in QUESTIONS] + [(response_length, *row) for row in RESPONSES],
)
def test_a_frame_of_modbus_is_the_bytes_written_by_hand(length, made, written, crc):
    """Unit 0x11; on TCP, transaction 0x0203."""
    rtu = octets(f"11 {written} {crc}")
    assert encode_rtu(UNIT, made) == rtu
    assert RtuDeframer(length).receive(rtu) == [(UNIT, octets(written))]
    size = 1 + len(octets(written))
    tcp = octets(f"0203 0000 {size:04x} 11 {written}")
    assert encode_tcp(0x0203, UNIT, made) == tcp
    assert TcpDeframer().receive(tcp) == [(0x0203, UNIT, octets(written))]
