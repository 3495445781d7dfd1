"""Decoded traffic for people and programs: how a message is shown."""

from collections.abc import Mapping
from typing import Any

from feltrig.protocols.messages import Event, EventBatch, Reply, Status, Value, Values
from feltrig.protocols.sniffing import Answered, Asked, Broke, Chatter, Message, NoMessage, Reported, Said, Switched
from feltrig.protocols.vocabulary import FaultCode, State


def plain(message: Message) -> dict[str, Any]:
    """A message as a JSON object, its sort under `is`."""
    match message:
        case Asked(request):
            asked = {"is": "asked", "command": request.command, "values": _plain(request.values)}
            return asked | ({"token": request.token} if request.token else {})
        case Answered(question, Reply(error, values)):
            answer = {"error": error.name.lower(), "values": _plain(values)}
            return {"is": "answered", "command": question.request.command} | answer
        case Answered(question, EventBatch(status, events)):
            found = {"error": "ok", "status": _status(status), "events": [_event(event) for event in events]}
            return {"is": "answered", "command": question.request.command} | found
        case Said(status, event):
            return {"is": "said", "status": _status(status)} | ({"event": _event(event)} if event else {})
        case Reported(name, values):
            return {"is": "reported", "event": name, "values": _plain(values)}
        case Chatter(text=text):
            return {"is": "chatter", "text": text}
        case NoMessage(why=why, data=data):
            return {"is": "noise", "why": why, "bytes": data.hex()}
        case Broke(why):
            return {"is": "broke", "why": why}
        case Switched(on):
            return {"is": "switched", "on": on}
    raise TypeError(f"{message!r} is not a message")


def words(message: Message) -> str:
    """A message in one line for a person."""
    match message:
        case Asked(request):
            return f"{request.command}{_given(request.values)}"
        case Answered(question, Reply(error, values)):
            if error:
                return f"{question.request.command}: refused, {error.name.lower().replace('_', ' ')}"
            return f"{question.request.command}: ok{_given(values)}"
        case Answered(_, EventBatch(status, events)):
            return "; ".join(["events: " + _how(status), *(_what(event) for event in events)])
        case Said(status, event):
            return _what(event) if event else _how(status)
        case Reported(name, values):
            return f"{name or 'says'}{_given(values)}"
        case Chatter(text=text):
            return text
        case NoMessage(why=why, data=data):
            return f"{why}: {data.hex(' ')}"
        case Broke(why):
            return f"line lost: {why}"
        case Switched(on):
            return f"switched {'on' if on else 'off'} by hand"
    raise TypeError(f"{message!r} is not a message")


def _given(values: Values) -> str:
    return "".join(f" {name}={_shown(name, value)}" for name, value in values.items())


CODES: Mapping[str, type[State | FaultCode]] = {"state": State, "fault": FaultCode}
"""Fields whose numbers have names."""


def _shown(name: str, value: Value) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    codes = CODES.get(name.rpartition(".")[2])
    named = {int(code): code.name.lower() for code in codes} if codes else {}
    return named.get(value, str(value)) if isinstance(value, int) else value


def _how(status: Status) -> str:
    fault = f" {status.fault.name.lower()}" if status.fault else ""
    return f"{status.state.name.lower()}{fault}, events {status.oldest} to {status.latest}"


def _what(event: Event) -> str:
    return f"event {event.number} {event.name}{_given(event.values)}"


def _plain(values: Values) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _status(status: Status) -> dict[str, Any]:
    return {
        "state": status.state.name.lower(),
        "fault": status.fault.name.lower(),
        "oldest": status.oldest,
        "latest": status.latest,
    }


def _event(event: Event) -> dict[str, Any]:
    return {"number": event.number, "event": event.name, "values": _plain(event.values)}
