"""Messages that are no command to a device: good ones meet them as documented on every wire, and bad ones are found."""

import random
from types import SimpleNamespace

import pytest
import rigs
from rigs import nobody, rig_text

from feltrig.emulators.models.faults import Fault
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.devices.cases import MALFORMED
from feltrig.harness.journal.reader import read
from feltrig.harness.plan.checkpoints import RunContext
from feltrig.harness.plan.conformance import step as conformance_module
from feltrig.harness.plan.conformance.publications import HEARD
from feltrig.harness.plan.conformance.scenes import scenes_of
from feltrig.harness.plan.conformance.step import conformance
from feltrig.harness.table.driver import Driver
from feltrig.harness.wires import WIRES as RECORDS
from feltrig.harness.wires.connecting import wire
from feltrig.protocols import malformed
from feltrig.protocols.errors import WireError
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus import frame as modbus_frame
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.modbus.frame import TcpDeframer
from feltrig.protocols.mqtt import codec as mqtt_topics
from feltrig.protocols.serial import frame as serial_frame
from feltrig.protocols.serial.channel import SerialChannel
from feltrig.protocols.serial.codec import SerialMessages
from feltrig.protocols.serial.frame import Frame
from feltrig.protocols.serial.malformed import malformed as serial_malformed
from feltrig.protocols.vocabulary import FaultCode

JUDGED = ("rng", "shaker", "shuffler", "shoe")

WIRES = {
    "serial": 'wire = "serial"',
    "modbus-rtu": 'wire = "modbus-rtu"',
    "modbus-tcp": 'wire = "modbus-tcp"',
    "modbus-tls": 'wire = "modbus-tls"',
    "mqtt 3.1.1": 'wire = "mqtt"\nmqtt = "3.1.1"',
    "mqtt 5": 'wire = "mqtt"\nmqtt = "5"',
}


@pytest.fixture(autouse=True)
def _brief_silence(monkeypatch):
    monkeypatch.setattr(malformed, "QUIET", 0.02)


def make_rig(on, **more):
    """A rig with all devices on one wire."""
    return rigs.make_rig(rig_text({kind: f"{WIRES[on]}\n{lines}" for kind, lines in more.items()}, wire=WIRES[on]))


async def run(context, device, state=MALFORMED):
    """The segment of the malformed messages, or another."""
    step = conformance(device.kind, device)
    (segment,) = [segment for segment in iter(step.next_segment, None) if segment.name == f"conformance: {state}"]
    await segment.run(context)


def noted(journal, kind):
    journal.flush()
    return [record.data for record in read(journal.path).records if record.kind == kind]


@pytest.mark.parametrize("on", WIRES)
async def test_all_good_devices_pass_on_every_wire(on, journal):
    rig = make_rig(on)
    async with wire(rig, journal, 1, nobody) as wired:
        for kind in JUDGED:
            await run(RunContext(rig, wired, journal, 1, random.Random(1)), rig.devices[kind])
    records = noted(journal, "probe")
    assert [r for r in records if r["fault"]] == []
    for kind in JUDGED:
        names = [message.name for message in RECORDS[rig.devices[kind].wire.name].malformed.load()(KINDS[kind], ())]
        tried = [r["command"] for r in records if (r["device"], r["state"]) == (kind, MALFORMED)]
        assert [name for name in tried if not name.endswith(": its token")] == names
        assert len(set(names)) == len(names)
    assert noted(journal, "trouble") == []


@pytest.mark.parametrize("on", WIRES)
async def test_what_is_sent_and_answered_is_in_the_journal(on, journal):
    rig = make_rig(on)
    async with wire(rig, journal, 1, nobody) as wired:
        await run(RunContext(rig, wired, journal, 1, random.Random(1)), rig.devices["rng"])
    journal.flush()
    text = journal.path.read_text()
    wrong = {"serial": "55" * 32, "mqtt 5": b'["reset"]'.hex(), "mqtt 3.1.1": b'["reset"]'.hex()}.get(on, "ff" * 250)
    assert wrong in text


LOOKS = {
    "publications": (("mqtt 3.1.1", "mqtt 5"), ("meta", "online", "state", "event", *HEARD.values())),
    "identification": (
        ("modbus-rtu", "modbus-tcp", "modbus-tls"),
        ("vendor", "model", "firmware", "model, object 0x05", "serial, object 0x80", "digest, object 0x81"),
    ),
}
"""What is looked at beside the messages: on which wires, and what of it."""


@pytest.mark.parametrize(
    ("on", "what", "things"), [(on, what, things) for what, (wires, things) in LOOKS.items() for on in wires]
)
async def test_all_good_devices_bear_being_looked_at(on, what, things, journal):
    rig = make_rig(on)
    async with wire(rig, journal, 1, nobody) as wired:
        for kind in JUDGED:
            await run(RunContext(rig, wired, journal, 1, random.Random(1)), rig.devices[kind], what)
    found = [(r["device"], r["state"], r["command"], r["fault"]) for r in noted(journal, "probe")]
    assert found == [(kind, what, thing, None) for kind in JUDGED for thing in things]


def test_the_legs_are_the_same_each_time_and_fewer_where_the_wire_is_disturbed():
    def segments(rig):
        step = conformance("rng", rig.devices["rng"])
        return [(segment.name, segment.digest) for segment in iter(step.next_segment, None)]

    quiet = segments(make_rig("serial"))
    assert quiet == segments(make_rig("serial"))
    noisy = segments(make_rig("serial", rng='noise = [{ what = "corrupt", at = 900000 }]'))
    scenes = scenes_of("rng", RECORDS["serial"])
    before = [f"conformance: {scene.name}" for scene in scenes if scene.first]
    after = [f"conformance: {scene.name}" for scene in scenes if not scene.first]
    assert noisy == [segment for segment in quiet if segment[0] in dict(noisy)]
    assert [name for name, _ in quiet] == [*before, *dict(noisy), f"conformance: {MALFORMED}", *after]


async def test_a_device_that_keeps_silent_once_is_asked_again(journal):
    rig = make_rig("serial", rng="deadline = 0.3")
    async with wire(rig, journal, 1, nobody) as wired:
        wired.emulated.machines["rng"].board.inject(Fault("silent", at=2))
        await run(RunContext(rig, wired, journal, 1, random.Random(1)), rig.devices["rng"])
    assert [r["fault"] for r in noted(journal, "probe") if r["fault"]] == []


@pytest.fixture
def found(journal):
    """Makes a generator on a station that misbehaves, has it probed, and returns the faults by message."""

    async def probed(on, misbehave=None, spoil=lambda station: None):
        make, connect = BY_HAND[on]
        station = make(rng(Setup("rng", 1)), misbehave=misbehave)
        spoil(station)
        channel = connect(await station.start(), journal.tap("rng"))
        await channel.open()
        driver = Driver("rng", RNG, channel, journal, 5.0)
        await driver.open()
        device = SimpleNamespace(
            name="rng", kind="rng", patience=5.0, noise=(), wire=SimpleNamespace(name=on), stack_sizes=()
        )
        context = SimpleNamespace(wired=SimpleNamespace(devices={"rng": driver}), journal=journal)
        try:
            await run(context, device)
        except WireError:
            pass
        finally:
            await channel.close()
            await station.stop()
        return {r["command"]: r["fault"] for r in noted(journal, "probe") if r["fault"]}

    return probed


def _tcp(where, tap):
    host, _, port = where.rpartition(":")
    return ModbusTcpChannel(RNG, host, int(port), deadline=DEADLINE, tap=tap)


DEADLINE = 0.6
BY_HAND = {
    "serial": (SerialStation, lambda where, tap: SerialChannel(RNG, where, deadline=DEADLINE, tap=tap)),
    "modbus-rtu": (ModbusRtuStation, lambda where, tap: ModbusRtuChannel(RNG, where, deadline=DEADLINE, tap=tap)),
    "modbus-tcp": (ModbusTcpStation, _tcp),
}


def refuses_the_first(answer):
    """Whether this is the answer to the first message of the table: code 0, or function 1."""
    return answer[4] == 0x80 or b"\x01\x81\x01" in answer


def take_any_frame(monkeypatch):
    """Let no end of a serial line look at checksums."""

    def decode(body):
        plain = serial_frame.unstuff(body) or b""
        return Frame(*plain[:3], plain[3:-2]) if len(plain) >= 5 else None

    monkeypatch.setattr(serial_frame, "_decode", decode)
    monkeypatch.setattr(modbus_frame, "_intact", lambda frame: True)


@pytest.mark.parametrize("on", ["serial", "modbus-rtu"])
async def test_a_device_that_acts_on_a_frame_with_a_wrong_checksum_is_found(on, found, monkeypatch):
    take_any_frame(monkeypatch)
    seen = await found(on)
    assert {"wrong low byte of the checksum", "wrong high byte of the checksum"} <= seen.keys()
    fault = seen["bytes of the checksum swapped"]
    assert fault.startswith("answered ")
    assert fault.endswith(", expected silence; acted on: cleared")


@pytest.mark.parametrize("on", BY_HAND)
async def test_a_device_that_answers_garbage_to_what_it_does_not_know_is_found(on, found):
    (name, fault), *_ = (await found(on, lambda answer: b"?!" if refuses_the_first(answer) else answer)).items()
    assert name == next(RECORDS[on].malformed.load()(RNG, ())).name
    assert fault.startswith("answered ?!, expected ")
    assert "acted on" not in fault


async def test_a_device_that_says_nothing_where_it_must_refuse_is_found(found):
    (name, fault), *_ = (await found("serial", lambda answer: None if refuses_the_first(answer) else answer)).items()
    assert name == "code 0x00"
    assert fault.startswith("no answer, expected 00 ")


async def test_a_device_that_serves_no_more_after_a_message_is_found_and_the_run_ends(found, journal):
    dead = []

    def dies(answer):
        dead.extend([True] if refuses_the_first(answer) else [])
        return None if dead else answer

    ((name, fault),) = (await found("serial", dies)).items()
    assert name == "code 0x00"
    assert fault.startswith("no answer, expected ")
    assert "; status is not answered afterwards: " in fault
    assert len(noted(journal, "probe")) == 1


async def test_a_device_may_hang_up_on_another_protocol(found, monkeypatch):
    receive = TcpDeframer.receive
    stations, hung_up = [], []

    def hang_up(deframer, data):
        if data[2:4] != b"\0\1":
            return receive(deframer, data)
        hung_up.append(data)
        for master in tuple(stations[0].masters):
            master.line.close()
        return []

    monkeypatch.setattr(TcpDeframer, "receive", hang_up)
    assert await found("modbus-tcp", spoil=stations.append) == {}
    assert hung_up


async def test_a_device_may_listen_no_more_on_a_connection_with_another_protocol_but_must_on_the_next(
    found, monkeypatch
):
    receive = TcpDeframer.receive
    deaf = set()

    def stuck(deframer, data):
        if data[2:4] == b"\0\1" and data[7:8] == b"\x10":
            deaf.add(deframer)
        return [] if deframer in deaf else receive(deframer, data)

    monkeypatch.setattr(TcpDeframer, "__hash__", object.__hash__, raising=False)
    monkeypatch.setattr(TcpDeframer, "receive", stuck)
    assert await found("modbus-tcp") == {}
    assert deaf


class Everybody(dict):
    """Who is on the line: whatever the address, the first."""

    def get(self, address):
        return next(iter(self.values()))


def mean_everybody(station):
    station._drops = Everybody(station._drops)


@pytest.mark.parametrize(
    ("on", "names"),
    [
        ("serial", ("a question for another address, 1", "a reset for another address, 7", "status to all")),
        ("modbus-rtu", ("a read for another unit, 1", "a reset for another unit, 7", "a read for all units")),
        ("modbus-tcp", ("a read for another unit, 1", "a reset for another unit, 12")),
    ],
)
async def test_a_device_that_takes_what_is_meant_for_others_is_found(on, names, found):
    seen = await found(on, spoil=mean_everybody)
    assert set(names) <= seen.keys()
    assert all(" another " in name or " all" in name for name in seen)
    for name, fault in seen.items():
        if name.endswith(": its token"):
            continue
        assert fault.startswith("answered ")
        assert ("acted on: cleared" in fault) == ("reset" in name)


async def test_a_device_that_acts_before_it_refuses_is_found(found, monkeypatch):
    write = ModbusServer._write

    def act_first(server, start, data, now):
        if start == 257:
            server._machine.handle(Request("reset"), now)
        write(server, start, data, now)

    monkeypatch.setattr(ModbusServer, "_write", act_first)
    assert await found("modbus-tcp") == dict.fromkeys(("a command at 257", "one register at 257"), "acted on: cleared")


async def test_a_device_that_stops_at_a_message_is_found(found):
    def spoil(station):
        drop = station._drops[1]
        drop._messages = messages = SerialMessages(drop._machine.kind)
        read_request, board = messages.read_request, drop._machine.board

        def stumble(code, data):
            if code == 0x7F:
                board.fail(FaultCode.STOPPED)
            return read_request(code, data)

        messages.read_request = stumble

    assert (await found("serial", spoil=spoil))["code 0x7f"] == "acted on: fault stopped"


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_an_mqtt_device_that_takes_any_token_is_found(version, journal, monkeypatch):
    def lax(kind, payload):
        return decode(kind, payload.replace(b'"token": "1"', b'"token": 1'))

    decode = mqtt_topics.decode_request
    monkeypatch.setattr(mqtt_topics, "decode_request", lax)
    rig = make_rig(f"mqtt {version}")
    async with wire(rig, journal, 1, nobody) as wired:
        await run(RunContext(rig, wired, journal, 1, random.Random(1)), rig.devices["rng"])
    (found,) = [r for r in noted(journal, "probe") if r["fault"]]
    assert found["command"] == "a token that is text"
    assert found["fault"].startswith('answered {"v":1,"error":"ok"')
    assert found["fault"].endswith("; acted on: cleared")


async def test_an_mqtt_device_that_answers_with_values_is_found(journal, monkeypatch):
    encode = mqtt_topics.encode_reply

    def talkative(reply, key=None):
        return encode(Reply(reply.error, {"why": 1}) if reply.error else reply, key)

    monkeypatch.setattr("feltrig.emulators.stations.mqtt_station.mqtt_topics.encode_reply", talkative)
    rig = make_rig("mqtt 5", rng="deadline = 0.3")
    async with wire(rig, journal, 1, nobody) as wired:
        await run(RunContext(rig, wired, journal, 1, random.Random(1)), rig.devices["rng"])
    found = {r["command"]: r["fault"] for r in noted(journal, "probe")}
    assert "expected no fields" in found["an unknown command"]


class Late:
    """A driver whose device answers the first try while it is asked again."""

    def __init__(self):
        self.heard = [b"", b"first"]

    async def provoke(self, message):
        return [b"second", b"first"][len(self.heard) - 1], self.heard.pop(0)


async def test_the_answer_to_an_earlier_try_will_do():
    assert await conformance_module._provoke(Late(), None) == (b"second", None)


async def test_a_channel_without_a_document_is_not_provoked(felt):
    with pytest.raises(TypeError, match="rng: no document"):
        await felt().devices["rng"].provoke(next(serial_malformed(RNG)))
