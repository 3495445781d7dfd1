"""Messages as lines of JSON."""

import json
from typing import Any

from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status, Values
from feltrig.protocols.vocabulary import Error, FaultCode, State


def line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def values(plain: dict[str, Any]) -> Values:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}


def write_request(number: int, request: Request) -> bytes:
    return line({"n": number, "command": request.command, "token": request.token or 0, "values": dict(request.values)})


def read_request(asked: dict[str, Any]) -> Request:
    return Request(asked["command"], values(asked["values"]), asked["token"])


def write_reply(number: int, reply: Reply) -> bytes:
    return line({"n": number, "error": reply.error.name, "values": dict(reply.values)})


def read_reply(answer: dict[str, Any]) -> Reply:
    return Reply(Error[answer["error"]], values(answer["values"]))


def write_events(number: int, batch: EventBatch) -> bytes:
    events = [[event.number, event.name, dict(event.values)] for event in batch.events]
    status = batch.status
    told = [int(status.state), int(status.fault), status.oldest, status.latest]
    return line({"n": number, "status": told, "events": events})


def read_events(answer: dict[str, Any]) -> EventBatch:
    state, fault, oldest, latest = answer["status"]
    events = tuple(Event(number, name, values(plain)) for number, name, plain in answer["events"])
    return EventBatch(Status(State(state), FaultCode(fault), oldest, latest), events)
