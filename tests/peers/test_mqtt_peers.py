"""Programs that we did not write, against our broker and our station."""

import asyncio
import json
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import gmqtt
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from feltrig.emulators.broker import Broker
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Event, EventBatch, Identity, Reply, Request, Status
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.vocabulary import FaultCode, State

BASE = "casino/t1/rng"
Peer = Callable[..., None]
Run = Callable[..., Any]


class Display:
    """A machine that always shows 5, and has started."""

    kind = RNG
    identity = Identity("rng", "Acme", "R7", "0001", "1.2", "ab" * 32)

    def handle(self, request: Request, now: float) -> Reply:
        return Reply(values={"number": 5} if request.command == "display" else {})

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        return EventBatch(self.status(now), (Event(1, "started"),)[after : after + limit])

    def advance(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def status(self, now: float) -> Status:
        return Status(State.READY, FaultCode.NONE, 1, 1)


@pytest.fixture
async def station(broker: Broker) -> AsyncIterator[MqttStation]:
    station = MqttStation(Display(), BASE, Server(broker.host, broker.port))
    await station.start()
    yield station
    await station.stop()


async def run(command: str, broker: Broker, *options: str) -> str:
    """What a mosquitto client prints until it ends."""
    process = await asyncio.create_subprocess_exec(
        command, "-h", "127.0.0.1", "-p", str(broker.port), *options, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    async with asyncio.timeout(10):
        output, _ = await process.communicate()
    assert process.returncode == 0, output
    return output.decode()


@pytest.mark.parametrize("version", ["311", "5"])
async def test_mosquitto_sub_finds_what_the_device_says_of_itself(
    peer: Peer, broker: Broker, station: MqttStation, version: str
) -> None:
    peer("mosquitto_sub")
    output = await run("mosquitto_sub", broker, "-V", version, "-q", "1", "-t", f"{BASE}/#", "-C", "3", "-F", "%t %p")
    found = {line.split(" ", 1)[0]: json.loads(line.split(" ", 1)[1]) for line in output.splitlines()}
    assert found[f"{BASE}/meta"]["vendor"] == "Acme"
    assert found[f"{BASE}/state"] == {"v": 1, "state": 2, "fault": 0, "oldest": 1, "latest": 1}
    assert found[f"{BASE}/online"] == {"v": 1, "online": True}


@pytest.mark.parametrize(
    ("request_json", "reply"),
    [
        ('{"v":1,"cmd":"display"}', {"v": 1, "error": "ok", "values": {"number": 5}}),
        ('{"v":1,"cmd":"select","token":1}', {"v": 1, "error": "ok"}),
        ("nonsense", {"v": 1, "error": "malformed"}),
        (
            '{"v":1,"cmd":"events","args":{"after":0}}',
            {
                "v": 1,
                "error": "ok",
                "status": {"state": 2, "fault": 0, "oldest": 1, "latest": 1},
                "events": [{"n": 1, "event": "started"}],
            },
        ),
    ],
)
async def test_mosquitto_rr_asks_and_is_answered(
    peer: Peer, broker: Broker, station: MqttStation, request_json: str, reply: dict[str, Any]
) -> None:
    peer("mosquitto_rr")
    output = await run(
        "mosquitto_rr", broker, "-q", "1", "-t", f"{BASE}/cmd", "-e", f"{BASE}/reply/rr", "-m", request_json
    )
    assert json.loads(output) == reply


@pytest.mark.parametrize("version", ["311", "5"])
@pytest.mark.parametrize("qos", ["0", "1", "2"])
async def test_mosquitto_pub_and_sub_meet_on_our_broker(peer: Peer, broker: Broker, version: str, qos: str) -> None:
    peer("mosquitto_pub", "mosquitto_sub")
    await run("mosquitto_pub", broker, "-V", version, "-q", qos, "-r", "-t", "a/b", "-m", "hello")
    output = await run("mosquitto_sub", broker, "-V", version, "-q", qos, "-t", "a/+", "-C", "1", "-F", "%q %r %p")
    assert output.strip() == f"{min(int(qos), 1)} 1 hello"


@pytest.mark.parametrize("version", [4, 5])
async def test_gmqtt_asks_and_is_answered(broker: Broker, station: MqttStation, version: int) -> None:
    answers: asyncio.Queue[tuple[bytes, dict[str, Any]]] = asyncio.Queue()
    subscribed = asyncio.Event()
    client = gmqtt.Client("peer")

    def on_message(client: gmqtt.Client, topic: str, payload: bytes, qos: int, properties: dict[str, Any]) -> int:
        answers.put_nowait((payload, properties))
        return 0

    client.on_message = on_message
    client.on_subscribe = lambda *_: subscribed.set()
    await client.connect(broker.host, broker.port, version=version)
    client.subscribe(f"{BASE}/reply/gmqtt", qos=1)
    async with asyncio.timeout(5):
        await subscribed.wait()
        if version == 5:
            client.publish(
                f"{BASE}/cmd",
                '{"v":1,"cmd":"display"}',
                qos=1,
                response_topic=f"{BASE}/reply/gmqtt",
                correlation_data=b"\x00\x2a",
            )
        else:
            request = {"v": 1, "cmd": "display", "id": 42, "reply_to": f"{BASE}/reply/gmqtt"}
            client.publish(f"{BASE}/cmd", json.dumps(request), qos=1)
        payload, properties = await answers.get()
        await client.disconnect()
    answer = json.loads(payload)
    assert answer["values"] == {"number": 5}
    assert answer["id"] == 42 if version == 4 else properties["correlation_data"] == [b"\x00\x2a"]


@pytest.mark.parametrize("version", [paho.MQTTv311, paho.MQTTv5])
async def test_plain_paho_in_its_own_thread_hears_every_message_once(broker: Broker, version: int) -> None:
    heard: list[bytes] = []
    loop = asyncio.get_running_loop()
    complete, subscribed = asyncio.Event(), asyncio.Event()
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=version)

    def on_message(client: paho.Client, userdata: object, message: paho.MQTTMessage) -> None:
        heard.append(message.payload)
        if len(heard) == 60:
            loop.call_soon_threadsafe(complete.set)

    client.on_message = on_message
    client.on_subscribe = lambda *_: loop.call_soon_threadsafe(subscribed.set)
    client.on_connect = lambda client, *_: client.subscribe("n", 1)
    await loop.run_in_executor(None, client.connect, broker.host, broker.port)
    client.loop_start()
    async with asyncio.timeout(10):
        await subscribed.wait()
        for n in range(60):
            client.publish("n", str(n), qos=n % 3)
        await complete.wait()
    client.disconnect()
    await loop.run_in_executor(None, client.loop_stop)
    assert sorted(int(payload) for payload in heard) == list(range(60))


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_device_and_its_driver_meet_on_any_broker(broker_port: int, version: Any) -> None:
    station = MqttStation(Display(), BASE, Server("127.0.0.1", broker_port, version=version))
    channel = MqttChannel(RNG, BASE, Server("127.0.0.1", broker_port, version=version), deadline=5.0)
    await channel.open()
    await station.start()
    async with asyncio.timeout(5):
        await channel.idle(5)
    assert await channel.events(0) == EventBatch(Status(State.READY, FaultCode.NONE, 1, 1), (Event(1, "started"),))
    for token in range(50):
        assert (await channel.request(Request("display", token=token))).values == {"number": 5}
    assert (await channel.events(1)).events == ()
    station._presence.vanish()  # as when its power fails: the broker publishes the will
    with pytest.raises(LineLost):
        await channel.request(Request("display"))
    await station.stop()
    await channel.close()


@pytest.fixture
def certificate(peer: Peer, tmp_path: Path) -> Path:
    """A folder with a self-signed certificate for 127.0.0.1."""
    peer("openssl")
    subject = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem"))
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
    command = ("openssl", "req", "-x509", *key, "-nodes", *files, "-days", "2", *subject)
    subprocess.run(command, check=True, capture_output=True)
    return tmp_path


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_everything_works_under_tls(peer: Peer, certificate: Path, version: Any) -> None:
    peer("mosquitto_sub")
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    trusted = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    broker = Broker(users={"rig": "secret"}, tls=served)
    await broker.start()
    login: dict[str, Any] = {"version": version, "username": "rig", "password": "secret", "tls": trusted}
    station = MqttStation(Display(), BASE, Server(broker.host, broker.port, **login))
    channel = MqttChannel(RNG, BASE, Server(broker.host, broker.port, **login))
    await station.start()
    await channel.open()
    for token in range(20):
        assert (await channel.request(Request("display", token=token))).values == {"number": 5}
    secure = ("--cafile", str(certificate / "cert.pem"), "-u", "rig", "-P", "secret")
    assert json.loads(await run("mosquitto_sub", broker, *secure, "-t", f"{BASE}/online", "-C", "1"))["online"]
    await channel.close()
    await station.stop()
    await broker.stop()
