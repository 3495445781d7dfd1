"""A random number display on an MQTT broker, written from docs/mqtt.md alone, with plain paho.

    python -I mqtt_device.py HOST PORT BASE VERSION [USER PASSWORD]

VERSION is 3.1.1 or 5. It serves until it is terminated.
"""

import hashlib
import hmac
import json
import random
import signal
import sys

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

IMAGE = b"the firmware of the foreign display"
IDENTITY = {
    "kind": 1,
    "vendor": "Foreign Works",
    "model": "Display 7",
    "serial": "FW-0042",
    "firmware": "3.1",
    "digest": hashlib.sha256(IMAGE).hexdigest(),
}
COMMANDS = ["identify", "status", "events", "reset", "challenge", "select", "display", "blank"]
EVENTS = ["started", "faulted", "cleared", "selected"]


class Display:
    """Selects numbers from 1 to 7, keeps its events, and answers a repeated token as before."""

    def __init__(self) -> None:
        self.random = random.Random(7)
        self.shown = 0
        self.events = [{"n": 1, "event": "started"}]
        self.answered: dict[int, dict] = {}

    def status(self) -> dict:
        return {"state": 2 if self.shown else 0, "fault": 0, "oldest": 1, "latest": len(self.events)}

    def answer(self, request: dict) -> dict:
        """The answer, without version and id."""
        name, arguments, token = request.get("cmd"), request.get("args", {}), request.get("token")
        match name:
            case "identify":
                return {"error": "ok", "values": IDENTITY}
            case "status":
                return {"error": "ok", "values": self.status()}
            case "display":
                return {"error": "ok", "values": {"number": self.shown}}
            case "events":
                return {"error": "ok", "status": self.status(), "events": self.events[arguments["after"] :][:20]}
            case "challenge":
                nonce = bytes(arguments["nonce"])
                if not 16 <= len(nonce) <= 32:
                    return {"error": "bad_argument"}
                return {"error": "ok", "values": {"proof": list(hmac.digest(nonce, IMAGE, "sha256"))}}
            case "reset" | "select" | "blank":
                if token not in self.answered:
                    self.act(name)
                    self.answered[token] = {"error": "ok"}
                return self.answered[token]
        return {"error": "unknown_command"}

    def act(self, name: str) -> None:
        if name == "select":
            self.shown = self.random.randint(1, 7)
            self.events.append({"n": len(self.events) + 1, "event": "selected", "values": {"number": self.shown}})
        elif name == "blank":
            self.shown = 0


def main() -> None:
    host, port, base, version, *login = sys.argv[1:]
    display, pushed = Display(), 0
    protocol = mqtt.MQTTv5 if version == "5" else mqtt.MQTTv311
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=protocol)
    if login:
        client.username_pw_set(*login)

    def publish(topic: str, document: dict, retain: bool = False, properties: Properties | None = None) -> None:
        client.publish(topic, json.dumps({"v": 1, **document}), qos=1, retain=retain, properties=properties)

    def publish_news() -> None:
        nonlocal pushed
        for event in display.events[pushed:]:
            publish(f"{base}/event", {**event, **display.status()})
        pushed = len(display.events)
        publish(f"{base}/state", display.status(), retain=True)

    def on_connect(*_: object) -> None:
        client.subscribe(f"{base}/cmd", qos=1)

    def on_subscribe(*_: object) -> None:
        publish(f"{base}/meta", {**IDENTITY, "kind": "rng", "commands": COMMANDS, "events": EVENTS}, retain=True)
        publish_news()
        publish(f"{base}/online", {"online": True}, retain=True)
        print("ready", flush=True)

    def on_message(_client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        if message.retain:
            return
        request = json.loads(message.payload)
        answer = display.answer(request)
        publish_news()
        to = getattr(message.properties, "ResponseTopic", None) or request.get("reply_to")
        if to is None:
            return
        properties = None
        if hasattr(message.properties, "CorrelationData"):
            properties = Properties(PacketTypes.PUBLISH)
            properties.CorrelationData = message.properties.CorrelationData
        if "id" in request:
            answer = {**answer, "id": request["id"]}
        publish(to, answer, properties=properties)

    client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
    client.will_set(f"{base}/online", json.dumps({"v": 1, "online": False}), qos=1, retain=True)
    signal.signal(signal.SIGTERM, lambda *_: client.disconnect())
    client.connect(host, int(port))
    client.loop_forever()
    assert not [name for name in sys.modules if name.startswith("feltrig")]


main()
