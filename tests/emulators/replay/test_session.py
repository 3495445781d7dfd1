"""Messages of a recording, as the turns of a session."""

from feltrig.emulators.replay.session import POWER_ON, RecordedSession, session
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.sniffing import Answered, Asked, Broke, Message, NoMessage, Said, Switched
from feltrig.protocols.vocabulary import FaultCode, State

IDLE, BUSY = (Status(state, FaultCode.NONE, 1, 2) for state in (State.IDLE, State.BUSY))
LOCK = Request("lock", {}, 7)


def asked(request: Request, reply: Reply | EventBatch | None = None) -> list[Message]:
    question = Asked(request)
    return [question] if reply is None else [question, Answered(question, reply)]


def told(*messages: Message) -> RecordedSession:
    return session(SHOE, ((float(at), message) for at, message in enumerate(messages)))


def test_a_turn_has_what_came_of_its_request() -> None:
    started = Event(2, "started")
    turns = told(*asked(LOCK, Reply()), Said(BUSY, started), *asked(Request("status")), Broke("hung up")).turns
    assert [(turn.request.command, turn.acts, turn.looks, turn.at) for turn in turns] == [
        ("lock", True, False, 0.0),
        ("status", False, True, 3.0),
    ]
    assert turns[0].heard == [(BUSY, (started,))]
    assert turns[0].answer == Reply()
    assert (turns[1].answer, turns[1].broke) == (None, True)


def test_a_command_with_the_same_token_is_a_repetition() -> None:
    turns = told(*asked(LOCK), NoMessage(False, "no frame", b"!"), *asked(LOCK, Reply())).turns
    assert [turn.again for turn in turns] == [False, True]
    assert turns[0].noise == b"!"


def test_the_opening_is_the_first_status_before_any_command() -> None:
    look = asked(Request("events", {"after": 0}), EventBatch(BUSY, ()))
    assert told(*look, *asked(LOCK, Reply())).opening == BUSY
    assert told(*asked(LOCK, Reply()), *look).opening.latest == 0


def test_power_that_comes_back_is_a_turn_and_what_was_asked_in_the_dark_is_none() -> None:
    hail = Request("status")
    dark = (*asked(LOCK), *asked(LOCK), *asked(hail), Switched(False), *asked(hail), Switched(True))
    turns = told(*asked(hail, IDLE.reply()), *dark, Said(IDLE, Event(2, "started")), *asked(hail, IDLE.reply())).turns
    assert [turn.request for turn in turns] == [hail, LOCK, POWER_ON, hail]
    assert [turn.starts for turn in turns] == [False, False, True, False]
    assert turns[1].answer is None  # it may have begun to obey
    assert turns[2].heard == [(IDLE, (Event(2, "started"),))]


def test_what_a_device_said_before_its_power_was_cut_is_kept() -> None:
    turns = told(*asked(LOCK, Reply()), *asked(Request("status")), Said(BUSY), Switched(False), Switched(True)).turns
    assert [turn.request for turn in turns] == [LOCK, POWER_ON]
    assert turns[0].heard == [(BUSY, ())]
