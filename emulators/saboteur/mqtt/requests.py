"""Mutants that take an invalid request on MQTT for right, or refuse it wrongly."""

import json
from collections.abc import Callable

import aiomqtt

from feltrig.emulators.saboteur.hooks.publications import ANSWER, Document, hears, key
from feltrig.emulators.saboteur.mutant import Change, Mutant, fresh


def _errors(was: str, said: str) -> Change:
    return key("error", lambda name: said if name == was else name, ANSWER)


def _read(change: Callable[[Document], None], when: Callable[[Document], bool]) -> Change:
    """Reads another request."""

    def hear(message: aiomqtt.Message) -> aiomqtt.Message:
        try:
            document = json.loads(message.payload)
        except ValueError:
            return message
        if isinstance(document, dict) and when(document):
            change(document)
            message.payload = json.dumps(document).encode()
        return message

    return hears(hear)


def _with_token(document: Document) -> None:
    document["token"] = 0x7ABCDEF0


def _bad_token(document: Document) -> bool:
    token = document.get("token")
    return "token" in document and not (isinstance(token, int) and 0 <= token < 1 << 32)


def _deaf() -> Change:
    """Does not hear the request after one that it cannot read."""
    deaf = False

    def hear(message: aiomqtt.Message) -> aiomqtt.Message | None:
        nonlocal deaf
        was = deaf
        try:
            deaf = not isinstance(json.loads(message.payload), dict)
        except ValueError:
            deaf = True
        return None if was else message

    return hears(hear)


MUTANTS = (
    Mutant(
        "acts-on-version-2",
        ("MQT-43", "MQT-46"),
        "obeys a request of another version",
        _read(lambda d: d.update(v=1), lambda d: d.get("v") == 2),
    ),
    Mutant(
        "deaf-after-rubbish", ("MQT-44",), "does not answer the request after one that it cannot read", fresh(_deaf)
    ),
    Mutant(
        "rubbish-as-unknown",
        ("MQT-45",),
        "calls what is no object an unknown command",
        _errors("malformed", "unknown_command"),
    ),
    Mutant(
        "no-version-needed",
        ("MQT-46", "MQT-43"),
        "obeys a request without a version",
        _read(lambda d: d.update(v=1), lambda d: "v" not in d),
    ),
    Mutant(
        "codes-for-commands",
        ("MQT-47", "MQT-43"),
        "obeys the code of a command",
        _read(lambda d: d.update(cmd="reset"), lambda d: d.get("cmd") == 4),
    ),
    Mutant(
        "unknown-as-malformed-mqtt",
        ("MQT-48",),
        "calls an unknown command malformed",
        _errors("unknown_command", "malformed"),
    ),
    Mutant(
        "no-token-needed-mqtt",
        ("MQT-49", "MQT-43"),
        "obeys a reset without its token",
        _read(_with_token, lambda d: d.get("cmd") == "reset" and "token" not in d),
    ),
    Mutant(
        "any-token",
        ("MQT-49", "MQT-43"),
        "obeys a reset with a token that is no number",
        _read(_with_token, lambda d: d.get("cmd") == "reset" and _bad_token(d)),
    ),
    Mutant(
        "arguments-as-malformed", ("MQT-50",), "calls wrong arguments malformed", _errors("bad_argument", "malformed")
    ),
    Mutant(
        "arguments-ignored",
        ("MQT-50", "MQT-43"),
        "ignores arguments that do not belong to a command",
        _read(lambda d: d.pop("args"), lambda d: d.get("cmd") == "reset" and "args" in d),
    ),
)
