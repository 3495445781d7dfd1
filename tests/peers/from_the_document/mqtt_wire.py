"""A machine on an MQTT broker, written from docs/mqtt.md alone, with plain paho."""

import asyncio
import json
import socket
from contextlib import suppress

import paho.mqtt.client as mqtt
from machine import ARGUMENT, EMPTY, MALFORMED, OK, STATE, STATUS, UNKNOWN, Machine, Types
from machines import KINDS
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

ERRORS = {
    OK: "ok",
    UNKNOWN: "unknown_command",
    ARGUMENT: "bad_argument",
    STATE: "wrong_state",
    EMPTY: "empty",
    MALFORMED: "malformed",
}
MOST = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}
LOOK, AGAIN = 0.005, 0.5
"""Seconds between two looks at what has happened, and between two attempts to connect."""


def is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def named(types: Types, values: list[object]) -> dict[str, object]:
    """Values as JSON has them."""
    out: dict[str, object] = {}
    for (name, kind), value in zip(types, values, strict=True):
        out[name] = {"list": list, "bool": bool}.get(kind, lambda plain: plain)(value)
    return out


def arguments_of(types: Types, given: object) -> list[object] | None:
    """The arguments of a request; None if they are not exactly these."""
    if not isinstance(given, dict) or set(given) != {name for name, _ in types}:
        return None
    values: list[object] = []
    for name, kind in types:
        value = given[name]
        if kind == "list":
            if not isinstance(value, list) or not all(is_number(each, 255) for each in value):
                return None
            values.append(bytes(value))
        elif is_number(value, MOST[kind]):
            values.append(value)
        else:
            return None
    return values


class MqttClient:
    """A machine on a broker, which it finds again by itself."""

    def __init__(self, machine: Machine, number: int, settings: dict[str, object]) -> None:
        self.machine, self.settings = machine, settings["broker"]
        self.kind = next(name for name, kind in KINDS.items() if kind.kind == machine.kind)
        self.base = f"foreign/table/{self.kind}"
        self.lag = float(settings.get("lag", 0.0))  # seconds until a new state is published
        self.client: mqtt.Client | None = None
        self.ready = False
        self.published, self.said, self.due = 0, None, None

    async def open(self) -> dict[str, object]:
        self.running = asyncio.ensure_future(self.run())
        return {"wire": "mqtt", "mqtt": self.settings["version"], "topic": self.base}

    async def power_off(self) -> None:
        self.machine.power_off()
        self.ready = False
        client, self.client = self.client, None
        if client is not None and (end := client.socket()) is not None:
            client.on_socket_close = client.on_disconnect = None
            self.forget(end)
            end.shutdown(socket.SHUT_RDWR)  # nobody says goodbye
            end.close()

    async def power_on(self) -> None:
        if not self.machine.nvram:
            self.published = 0
        self.machine.power_on()

    def connect(self) -> None:
        version = mqtt.MQTTv5 if self.settings["version"] == "5" else mqtt.MQTTv311
        identifier = f"foreign-{self.kind}"
        # In version 5, a connection without a session expiry interval leaves no session behind.
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, identifier, protocol=version)
        client.will_set(f"{self.base}/online", json.dumps({"v": 1, "online": False}), qos=1, retain=True)
        loop = asyncio.get_running_loop()
        client.on_socket_open = lambda client, _, end: loop.add_reader(end, client.loop_read)
        client.on_socket_close = lambda _client, _, end: self.forget(end)
        client.on_socket_register_write = lambda client, _, end: loop.add_writer(end, client.loop_write)
        client.on_socket_unregister_write = lambda _client, _, end: loop.remove_writer(end)
        client.on_connect = lambda client, *_: client.subscribe(f"{self.base}/cmd", qos=1)
        client.on_subscribe = self.on_subscribe
        client.on_disconnect = self.on_disconnect
        client.on_message = self.on_message
        self.client = client
        client.connect(self.settings["host"], self.settings["port"], keepalive=20)

    def forget(self, end: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(end)
        loop.remove_writer(end)

    async def run(self) -> None:
        while True:
            if self.machine.on and self.client is None:
                try:
                    self.connect()
                except OSError:
                    self.client = None
                    await asyncio.sleep(AGAIN)
            await asyncio.sleep(LOOK)
            if self.client is not None:
                self.client.loop_misc()
                self.news()

    def publish(self, topic: str, document: dict[str, object], retain: bool = False, properties: object = None) -> None:
        if self.client is not None:
            self.client.publish(topic, json.dumps({"v": 1, **document}), qos=1, retain=retain, properties=properties)

    def status(self) -> dict[str, object]:
        return named(STATUS, self.machine.status())

    def event(self, number: int, name: str, values: list[object]) -> dict[str, object]:
        fields = named(self.machine.kinds_of_event[name][1], values)
        return {"n": number, "event": name, **({"values": fields} if fields else {})}

    def publish_events(self) -> None:
        for number, name, values in self.machine.events:
            if number > self.published:
                self.publish(f"{self.base}/event", {**self.event(number, name, values), **self.status()})
        self.published = self.machine.number

    def publish_state(self) -> None:
        self.said, self.due = self.status(), None
        self.publish(f"{self.base}/state", self.said, retain=True)

    def news(self) -> None:
        """Publish what has happened, the state perhaps a little later."""
        if not self.ready:
            return
        now = asyncio.get_running_loop().time()
        self.publish_events()
        if self.status() == self.said:
            self.due = None
        elif self.due is None and self.lag:
            self.due = now + self.lag
        elif self.due is None or now >= self.due:
            self.publish_state()

    def on_subscribe(self, *_: object) -> None:
        _kind, *texts = self.machine.identify()
        identity = dict(zip(("vendor", "model", "serial", "firmware", "digest"), texts, strict=True))
        known = {"commands": list(self.machine.commands), "events": list(self.machine.kinds_of_event)}
        self.publish(f"{self.base}/meta", {"kind": self.kind, **identity, **known}, retain=True)
        self.ready = True
        self.publish_events()
        self.publish_state()
        self.publish(f"{self.base}/online", {"online": True}, retain=True)

    def on_disconnect(self, *_: object) -> None:
        self.ready, self.client = False, None

    def on_message(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        if message.retain or not self.machine.on:
            return
        request, answer = self.answer(message.payload)
        self.news()
        to = getattr(message.properties, "ResponseTopic", None) or request.get("reply_to")
        if not isinstance(to, str):
            return
        properties = None
        if hasattr(message.properties, "CorrelationData"):
            properties = Properties(PacketTypes.PUBLISH)
            properties.CorrelationData = message.properties.CorrelationData
        if "id" in request:
            answer = {**answer, "id": request["id"]}
        self.machine.say(lambda: self.publish(to, answer, properties=properties))

    def answer(self, payload: bytes) -> tuple[dict[str, object], dict[str, object]]:
        """The request as far as it can be read, and the answer to it."""
        request = None
        with suppress(ValueError, RecursionError):
            request = json.loads(payload)
        if not isinstance(request, dict):
            return {}, {"error": "malformed"}
        error, more = self.obey(request)
        return request, {"error": ERRORS[error], **more}

    def obey(self, request: dict[str, object]) -> tuple[int, dict[str, object]]:
        name, token, version = request.get("cmd"), request.get("token"), request.get("v")
        if version != 1 or isinstance(version, bool) or not isinstance(name, str):
            return MALFORMED, {}
        command = self.machine.commands.get(name)
        if command is None:
            return UNKNOWN, {}
        if (command.acts or token is not None) and not is_number(token, 0xFFFFFFFF):
            return MALFORMED, {}
        arguments = arguments_of(command.args, request.get("args", {}))
        if arguments is None and not command.acts:
            return ARGUMENT, {}
        if name == "events":
            found = [self.event(*each) for each in self.machine.events if each[0] > arguments[0]]
            return OK, {"status": self.status(), "events": found[:20]}
        error, values = self.machine.run(name, token, arguments)
        return error, {"values": named(command.reply, values)} if error == OK and command.reply else {}
