"""Messages as a person and as a program see them."""

import json

import pytest

from feltrig.harness.wires import traffic
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.sniffing import Answered, Asked, Broke, Chatter, Message, NoMessage, Said, Switched
from feltrig.protocols.vocabulary import Error, FaultCode, State

JAMMED = Status(State.FAULT, FaultCode.JAM, 1, 7)
FAULTED = Event(7, "faulted", {"fault": 1})
DISPENSE = Asked(Request("dispense", {"size": 4}, 9))
STATUS = {"state": "fault", "fault": "jam", "oldest": 1, "latest": 7}

SHOWN: tuple[tuple[Message, str, dict[str, object]], ...] = (
    (DISPENSE, "dispense size=4", {"is": "asked", "command": "dispense", "values": {"size": 4}, "token": 9}),
    (Asked(Request("status")), "status", {"is": "asked", "command": "status", "values": {}}),
    (
        Answered(DISPENSE, Reply()),
        "dispense: ok",
        {"is": "answered", "command": "dispense", "error": "ok", "values": {}},
    ),
    (
        Answered(DISPENSE, Reply(Error.WRONG_STATE)),
        "dispense: refused, wrong state",
        {"is": "answered", "command": "dispense", "error": "wrong_state", "values": {}},
    ),
    (
        Answered(Asked(Request("faces")), Reply(values={"cards": (3, 180)})),
        "faces: ok cards=3,180",
        {"is": "answered", "command": "faces", "error": "ok", "values": {"cards": [3, 180]}},
    ),
    (
        Answered(Asked(Request("status")), Reply(values={"state": 3, "fault": 1, "oldest": 1, "latest": 7})),
        "status: ok state=fault fault=jam oldest=1 latest=7",
        {
            "is": "answered",
            "command": "status",
            "error": "ok",
            "values": {"state": 3, "fault": 1, "oldest": 1, "latest": 7},
        },
    ),
    (
        Answered(Asked(Request("events")), EventBatch(JAMMED, (FAULTED,))),
        "events: fault jam, events 1 to 7; event 7 faulted fault=jam",
        {
            "is": "answered",
            "command": "events",
            "error": "ok",
            "status": STATUS,
            "events": [{"number": 7, "event": "faulted", "values": {"fault": 1}}],
        },
    ),
    (Said(JAMMED), "fault jam, events 1 to 7", {"is": "said", "status": STATUS}),
    (
        Said(JAMMED, FAULTED),
        "event 7 faulted fault=jam",
        {"is": "said", "status": STATUS, "event": {"number": 7, "event": "faulted", "values": {"fault": 1}}},
    ),
    (Chatter(False, "CONNACK"), "CONNACK", {"is": "chatter", "text": "CONNACK"}),
    (NoMessage(False, "no frame", b"\xde\xad"), "no frame: de ad", {"is": "noise", "why": "no frame", "bytes": "dead"}),
    (Broke("hung up"), "line lost: hung up", {"is": "broke", "why": "hung up"}),
    (Switched(False), "switched off by hand", {"is": "switched", "on": False}),
    (Switched(True), "switched on by hand", {"is": "switched", "on": True}),
)


@pytest.mark.parametrize(
    ("message", "words", "plain"), SHOWN, ids=lambda shown: shown if isinstance(shown, str) else ""
)
def test_a_message_is_shown_in_words_and_as_json(message: Message, words: str, plain: dict[str, object]) -> None:
    assert traffic.words(message) == words
    assert json.loads(json.dumps(traffic.plain(message))) == plain


def test_a_number_that_names_no_state_is_shown_as_it_is() -> None:
    message = Answered(Asked(Request("status")), Reply(values={"state": 77}))
    assert traffic.words(message) == "status: ok state=77"
