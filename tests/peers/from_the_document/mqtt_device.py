"""A random number display on an MQTT broker, written from docs/mqtt.md and docs/serial.md alone, with plain paho.

    python -I mqtt_device.py HOST PORT BASE VERSION [--user NAME PASSWORD] [--work SECONDS] [--lag SECONDS]
                             [--nvram FILE]

VERSION is 3.1.1 or 5. `--work` is how long a selection takes; without it, it is done before the answer. `--lag` is how
long the display takes to publish that its state has changed. `--nvram` is where it keeps events and tokens without
power. It serves until it is terminated, which is leaving on purpose; killing it takes its power away.
"""

import argparse
import hashlib
import hmac
import json
import random
import signal
import sys
import threading
import time
from pathlib import Path

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
ACTS = ("reset", "select", "blank")
ARGUMENTS = {"events": {"after"}, "challenge": {"nonce"}}
IDLE, BUSY, READY = 0, 1, 2
KEPT_EVENTS, KEPT_TOKENS = 80, 16


def is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


class Display:
    """Selects numbers from 1 to 7, keeps its last events, and answers a repeated token as before."""

    def __init__(self, work: float, nvram: Path | None) -> None:
        self.random = random.SystemRandom()
        self.work = work
        self.nvram = nvram
        self.state, self.shown = IDLE, 0
        self.ends: float | None = None
        self.events: list[dict] = []
        self.latest = self.published = 0
        self.answered: dict[int, dict] = {}
        if nvram is not None and nvram.exists():
            kept = json.loads(nvram.read_text())
            self.events, self.latest, self.published = kept["events"], kept["latest"], kept["published"]
            self.answered = {int(token): answer for token, answer in kept["answered"].items()}
        self.happen("started")

    def save(self) -> None:
        if self.nvram is not None:
            kept = {"events": self.events, "latest": self.latest, "published": self.published}
            new = self.nvram.with_suffix(".new")
            new.write_text(json.dumps({**kept, "answered": self.answered}))
            new.replace(self.nvram)  # whole, even if the power goes meanwhile

    def happen(self, name: str, **values: int) -> None:
        self.latest += 1
        event: dict = {"n": self.latest, "event": name}
        self.events = [*self.events, {**event, "values": values} if values else event][-KEPT_EVENTS:]

    def status(self) -> dict:
        return {"state": self.state, "fault": 0, "oldest": self.events[0]["n"], "latest": self.latest}

    def tick(self) -> None:
        """Let what is due happen."""
        if self.ends is not None and time.monotonic() >= self.ends:
            self.ends = None
            self.shown = self.random.randint(1, 7)
            self.state = READY
            self.happen("selected", number=self.shown)

    def answer(self, payload: bytes) -> tuple[dict, dict]:
        """The request as far as it can be read, and the answer to it."""
        try:
            request = json.loads(payload)
        except (ValueError, RecursionError):
            return {}, {"error": "malformed"}
        if not isinstance(request, dict):
            return {}, {"error": "malformed"}
        return request, self.obey(request)

    def obey(self, request: dict) -> dict:
        name, token = request.get("cmd"), request.get("token")
        version = request.get("v")
        if version != 1 or isinstance(version, bool) or not isinstance(name, str):
            return {"error": "malformed"}
        if name not in COMMANDS:
            return {"error": "unknown_command"}
        if (name in ACTS or token is not None) and not is_number(token, 0xFFFFFFFF):
            return {"error": "malformed"}
        if name in ACTS and token in self.answered:
            return self.answered[token]
        answer = self.run(name, request.get("args", {}))
        if name in ACTS and token:
            self.answered[token] = answer
            while len(self.answered) > KEPT_TOKENS:
                del self.answered[next(iter(self.answered))]
        return answer

    def run(self, name: str, arguments: object) -> dict:
        if not isinstance(arguments, dict) or set(arguments) != ARGUMENTS.get(name, set()):
            return {"error": "bad_argument"}
        match name:
            case "identify":
                return {"error": "ok", "values": IDENTITY}
            case "status":
                return {"error": "ok", "values": self.status()}
            case "display":
                return {"error": "ok", "values": {"number": self.shown}}
            case "events":
                after = arguments["after"]
                if not is_number(after, 0xFFFFFFFF):
                    return {"error": "bad_argument"}
                found = [event for event in self.events if event["n"] > after]
                return {"error": "ok", "status": self.status(), "events": found[:20]}
            case "challenge":
                nonce = arguments["nonce"]
                if not isinstance(nonce, list) or not all(is_number(each, 255) for each in nonce):
                    return {"error": "bad_argument"}
                if not 16 <= len(nonce) <= 32:
                    return {"error": "bad_argument"}
                return {"error": "ok", "values": {"proof": list(hmac.digest(bytes(nonce), IMAGE, "sha256"))}}
        return self.act(name)

    def act(self, name: str) -> dict:
        if name == "reset":
            self.ends, self.state = None, IDLE
            self.happen("cleared")
        elif self.state == BUSY:
            return {"error": "wrong_state"}
        elif name == "blank":
            self.shown, self.state = 0, IDLE
        else:
            self.shown, self.state = 0, BUSY
            self.ends = time.monotonic() + self.work
            if not self.work:
                self.tick()
        return {"error": "ok"}


class Device:
    """The display on a broker."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.base, self.lag = options.base, options.lag
        self.display = Display(options.work, options.nvram)
        self.lock = threading.RLock()
        self.connected = self.leaving = False
        self.state_said: dict | None = None
        self.state_due: float | None = None
        protocol = mqtt.MQTTv5 if options.version == "5" else mqtt.MQTTv311
        identifier = "display-" + options.base.replace("/", "-")
        # In version 5, a connection without a session expiry interval leaves no session behind.
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, identifier, protocol=protocol)
        self.client.reconnect_delay_set(1, 4)
        if options.user:
            self.client.username_pw_set(*options.user)
        self.client.will_set(f"{self.base}/online", json.dumps({"v": 1, "online": False}), qos=1, retain=True)
        self.client.on_connect = lambda *_: self.client.subscribe(f"{self.base}/cmd", qos=1)
        self.client.on_subscribe = self.on_subscribe
        self.client.on_disconnect = self.on_disconnect
        self.client.on_message = self.on_message
        self.client.connect(options.host, options.port, keepalive=20)

    def publish(self, topic: str, document: dict, retain: bool = False, properties: Properties | None = None) -> None:
        self.client.publish(topic, json.dumps({"v": 1, **document}), qos=1, retain=retain, properties=properties)

    def publish_events(self) -> None:
        display = self.display
        for event in display.events:
            if event["n"] > display.published:
                self.publish(f"{self.base}/event", {**event, **display.status()})
        display.published = display.latest
        display.save()

    def publish_state(self) -> None:
        self.state_said, self.state_due = self.display.status(), None
        self.publish(f"{self.base}/state", self.state_said, retain=True)

    def news(self) -> None:
        """Publish what has happened, the state perhaps a little later."""
        if not self.connected:
            return
        self.publish_events()
        if self.display.status() == self.state_said:
            self.state_due = None
        elif not self.lag:
            self.publish_state()
        elif self.state_due is None:
            self.state_due = time.monotonic() + self.lag
        elif time.monotonic() >= self.state_due:
            self.publish_state()

    def on_subscribe(self, *_: object) -> None:
        with self.lock:
            self.publish(
                f"{self.base}/meta", {**IDENTITY, "kind": "rng", "commands": COMMANDS, "events": EVENTS}, retain=True
            )
            self.connected = True
            self.display.tick()
            self.publish_events()
            self.publish_state()
            self.publish(f"{self.base}/online", {"online": True}, retain=True)
        print("ready", flush=True)

    def on_disconnect(self, *_: object) -> None:
        with self.lock:
            self.connected = False

    def on_message(self, _client: object, _data: object, message: mqtt.MQTTMessage) -> None:
        if message.retain:
            return
        with self.lock:
            self.display.tick()
            request, answer = self.display.answer(message.payload)
            self.news()
            self.display.save()
            to = getattr(message.properties, "ResponseTopic", None) or request.get("reply_to")
            if not isinstance(to, str):
                return
            properties = None
            if hasattr(message.properties, "CorrelationData"):
                properties = Properties(PacketTypes.PUBLISH)
                properties.CorrelationData = message.properties.CorrelationData
            if "id" in request:
                answer = {**answer, "id": request["id"]}
            self.publish(to, answer, properties=properties)

    def run(self) -> None:
        """Serve until somebody wants it to leave."""
        self.client.loop_start()
        while not self.leaving:
            time.sleep(0.005)
            with self.lock:
                self.display.tick()
                self.news()
        self.publish(f"{self.base}/online", {"online": False}, retain=True)
        time.sleep(0.1)
        self.client.disconnect()
        self.client.loop_stop()

    def leave(self, *_: object) -> None:
        self.leaving = True


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("host", "port", "base", "version"):
        parser.add_argument(name, type=int if name == "port" else str)
    parser.add_argument("--user", nargs=2)
    parser.add_argument("--work", type=float, default=0.0)
    parser.add_argument("--lag", type=float, default=0.0)
    parser.add_argument("--nvram", type=Path)
    device = Device(parser.parse_args())
    signal.signal(signal.SIGTERM, device.leave)
    device.run()
    assert not [name for name in sys.modules if name.startswith("feltrig")]


main()
