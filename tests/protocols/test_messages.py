"""Messages as values."""

from feltrig.protocols.messages import Reply, Status
from feltrig.protocols.vocabulary import FaultCode, State


def test_a_status_is_the_answer_to_a_question_for_it() -> None:
    numbers = {"state": 3, "fault": 1, "oldest": 1, "latest": 7}
    assert Status(State.FAULT, FaultCode.JAM, 1, 7).reply() == Reply(values=numbers)
