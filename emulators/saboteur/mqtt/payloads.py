"""Mutants with wrong payloads on MQTT."""

import json

import aiomqtt

from feltrig.emulators.saboteur.hooks.publications import (
    ANSWER,
    Document,
    hears,
    key,
    of_type,
    payloads,
    values_of,
    without_key,
)
from feltrig.emulators.saboteur.mutant import Mutant


def _padded(document: Document) -> None:
    document["padding"] = "x" * 20000


def _unknown_keys(message: aiomqtt.Message) -> aiomqtt.Message | None:
    """Passes over a request with a key that it does not know."""
    try:
        document = json.loads(message.payload)
    except ValueError:
        return message
    known = {"v", "cmd", "token", "args", "id", "reply_to"}
    return message if not isinstance(document, dict) or document.keys() <= known else None


def _too_long(message: aiomqtt.Message) -> aiomqtt.Message | None:
    """Passes over requests of more than 1024 bytes."""
    return None if len(message.payload) > 1024 else message


MUTANTS = (
    Mutant("payload-too-long", ("MQT-14",), "publishes `meta` of more than 16384 bytes", payloads(_padded, "meta")),
    Mutant(
        "payload-a-list", ("MQT-14",), "publishes `state` in a list", payloads(lambda document: [document], "state")
    ),
    Mutant("no-version", ("MQT-15",), "publishes without `v`", without_key("v", "state", "event")),
    Mutant("answers-without-version", ("MQT-15",), "answers without `v`", without_key("v", ANSWER)),
    Mutant("version-2", ("MQT-15",), "publishes `online` with version 2", key("v", lambda _: 2, "online")),
    Mutant("keys-not-ignored", ("MQT-16",), "does not answer a request with an unknown key", hears(_unknown_keys)),
    Mutant("numbers-as-text", ("MQT-17",), "publishes numbers as text", key("latest", str, "state")),
    Mutant("numbers-as-floats", ("MQT-17",), "publishes numbers with a fraction", key("latest", float, "state")),
    Mutant(
        "bools-as-numbers",
        ("MQT-18",),
        "publishes 1 for true in its events",
        values_of(of_type(bool, int), "event"),
        ("shuffler", "shaker"),
    ),
    Mutant("online-as-number", ("MQT-18",), "publishes `online` as 1", key("online", int, "online")),
    Mutant(
        "texts-as-numbers",
        ("MQT-19",),
        "publishes its firmware version as a number",
        key("firmware", lambda _: 1.0, "meta"),
    ),
    Mutant("lists-as-text", ("MQT-20",), "publishes dice as text", values_of(of_type(list, str), "event"), ("shaker",)),
    Mutant(
        "lists-as-text-in-answers",
        ("MQT-20",),
        "gives a proof in hex",
        values_of(of_type(list, lambda v: bytes(v).hex()), ANSWER),
    ),
    Mutant(
        "values-empty",
        ("MQT-21",),
        "has empty `values` where there are none",
        payloads(lambda d: {"values": {}, **d} if "error" in d and "events" not in d else d, ANSWER),
    ),
    Mutant(
        "values-too-many",
        ("MQT-21",),
        "has a field too many in its events",
        values_of(lambda values: values.update(extra=1), "event"),
    ),
    Mutant("short-requests-only", ("MQT-53",), "does not hear a request of more than 1024 bytes", hears(_too_long)),
)
