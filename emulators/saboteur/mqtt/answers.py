"""Mutants that answer requests on MQTT wrongly."""

import json
from collections.abc import Iterable
from dataclasses import replace

import aiomqtt

from feltrig.emulators.saboteur.hooks.publications import (
    ANSWER,
    Document,
    Joining,
    Said,
    hears,
    joins,
    key,
    late,
    on,
    payloads,
)
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh
from feltrig.protocols.mqtt.link import CallProperties


def _persistent(joining: Joining) -> None:
    joining.persistent = True


def _elsewhere(said: Said) -> Iterable[Said]:
    return (said, replace(said, to=f"{said.to}/copy"))


def _other_correlation(said: Said) -> Iterable[Said]:
    return (replace(said, properties=None if said.properties is None else CallProperties(b"another")),)


def _no_correlation(said: Said) -> Iterable[Said]:
    return (replace(said, properties=None),)


def _taken(message: aiomqtt.Message) -> aiomqtt.Message:
    """Obeys a retained request."""
    message.retain = False
    return message


def _answer_first() -> Change:
    """Answers before it publishes what happened: events are published a little later."""
    return late("event", seconds=0.05)


def _without_status(document: Document) -> Document:
    return {key: value for key, value in document.items() if key != "status"} if "events" in document else document


def _refusal_values(document: Document) -> None:
    if document.get("error", "ok") != "ok":
        document["values"] = {"why": 1}


def _tokens_of_questions() -> Change:
    """Takes a reset for done whose token came with a command that only asks."""
    known: set[int] = set()

    def hear(message: aiomqtt.Message) -> aiomqtt.Message:
        try:
            document = json.loads(message.payload)
            token = document["token"]
        except (ValueError, KeyError, TypeError):
            return message
        if document.get("cmd") in {"identify", "status", "display"}:
            known.add(token)
        elif token in known and document.get("cmd") == "reset":
            message.payload = json.dumps({**document, "cmd": "status"}).encode()
        return message

    return hears(hear)


MUTANTS = (
    Mutant("answers-elsewhere", ("MQT-31",), "answers to two topics", on(ANSWER, _elsewhere)),
    Mutant("other-correlation", ("MQT-32",), "answers with other correlation data", on(ANSWER, _other_correlation)),
    Mutant("no-correlation", ("MQT-32",), "answers without correlation data", on(ANSWER, _no_correlation)),
    Mutant("id-as-text", ("MQT-33",), "answers with the `id` as text", key("id", str, ANSWER)),
    Mutant(
        "error-as-number",
        ("MQT-34",),
        "gives errors as numbers",
        key("error", lambda name: 0 if name == "ok" else 3, ANSWER),
    ),
    Mutant("error-in-capitals", ("MQT-34",), "gives errors in capitals", key("error", str.upper, ANSWER)),
    Mutant("refusal-with-values", ("MQT-35", "MQT-21"), "has values in a refusal", payloads(_refusal_values, ANSWER)),
    Mutant(
        "values-at-top",
        ("MQT-35",),
        "has the fields of a reply beside `error`",
        payloads(
            lambda d: {**{k: v for k, v in d.items() if k != "values"}, **d.get("values", {})} if "values" in d else d,
            ANSWER,
        ),
    ),
    Mutant(
        "batch-without-status", ("MQT-36",), "answers `events` without the status", payloads(_without_status, ANSWER)
    ),
    Mutant("answers-retained", ("MQT-37",), "retains its answers", on(ANSWER, lambda s: (replace(s, retain=True),))),
    Mutant("answers-twice-mqtt", ("MQT-38",), "answers every request twice", on(ANSWER, lambda said: (said, said))),
    Mutant("obeys-retained", ("MQT-39",), "obeys a retained request", hears(_taken)),
    Mutant("obeys-stale", ("MQT-40", "MQT-26"), "obeys what was sent while it was away", joins(_persistent)),
    Mutant(
        "tokens-of-questions",
        ("MQT-41",),
        "remembers the token of a command that only asks",
        fresh(_tokens_of_questions),
    ),
    Mutant("events-after-answers", ("MQT-42",), "publishes events after the answer", fresh(_answer_first)),
)
