"""What was recorded on each wire, and the story that it tells."""

from collections.abc import Sequence

from feltrig.protocols.messages import Event, EventBatch, Reply, Status
from feltrig.protocols.sniffing import (
    Answered,
    Asked,
    Message,
    NoMessage,
    Sniffer,
)
from feltrig.protocols.vocabulary import FaultCode, State

Recorded = Sequence[tuple[bool, str]]
SERIAL: Recorded = (
    (True, "00 06 01 01 02 df e8 00"),
    (False, "00 04 01 01 82 01 01 01 01 01 02 01 01 01 04 01 53 81 00"),
    (True, "00 0a 01 02 10 01 02 03 04 b6 cb 00"),
    (False, "00 04 01 02 90 03 ff 84 00"),
    (True, "00 04 01 03 03 01 01 04 01 bc 79 00"),
    (False, "00 04 01 03 83 02 02 01 01 01 02 01 01 01 02 02 01 01 06 02 10 07 51 b3 00"),
    (True, "00 06 01 04 11 78 35 00"),
    (False, "00 04 01 04 91 04 07 42 4e 00"),
)
RTU: Recorded = (
    (True, "01 03 0000 000b 040d"),
    (False, "01 03 16 0001 0001 0000 0000 00000001 00000001 00000000 0000 9972"),
    (True, "01 17 0120 0004 0100 0003 06 01020304 0010 6580"),
    (False, "01 17 08 01020304 0000 0000 c668"),
    (True, "01 03 0000 000a c5cd"),
    (False, "01 03 14 0001 0001 0002 0000 00000001 00000002 01020304 9855"),
    (True, "01 03 0210 0010 447b"),
    (False, "01 03 20 00000002 0010 0007" + "0000" * 12 + "46b8"),
    (True, "01 17 0120 0005 0100 0003 06 80000000 0011 7fd7"),
    (False, "01 17 0a 80000000 0000 0001 0007 036c"),
)
TCP: Recorded = (
    (True, "0001 0000 0006 01 03 0000 000a"),
    (False, "0001 0000 0017 01 03 14 0001 0001 0000 0000 00000001 00000001 00000000"),
    (True, "0002 0000 0011 01 17 0120 0004 0100 0003 06 01020304 0010"),
    (False, "0002 0000 000b 01 17 08 01020304 0000 0000"),
    (True, "0003 0000 0006 01 03 0000 000a"),
    (False, "0003 0000 0017 01 03 14 0001 0001 0002 0000 00000001 00000002 01020304"),
    (True, "0004 0000 0006 01 03 0210 0010"),
    (False, "0004 0000 0023 01 03 20 00000002 0010 0007" + "0000" * 12),
    (True, "0005 0000 0011 01 17 0120 0005 0100 0003 06 80000000 0011"),
    (False, "0005 0000 000d 01 17 0a 80000000 0000 0001 0007"),
)
BEFORE = Status(State.IDLE, FaultCode.NONE, 1, 1)
AFTER = Status(State.READY, FaultCode.NONE, 1, 2)
SELECTED = Event(2, "selected", {"number": 7})


def heard(sniffer: Sniffer, recorded: Recorded) -> list[Message]:
    return [message for outgoing, data in recorded for message in sniffer.hear(outgoing, bytes.fromhex(data))]


def told(messages: list[Message]) -> list[object]:
    """The story without the tokens, which differ from wire to wire, and without what a wire does for itself."""
    story: list[object] = []
    for message in messages:
        match message:
            case Asked(request):
                story.append((request.command, dict(request.values)))
            case Answered(asked, Reply(error, values)):
                story.append((asked.request.command, error.name, dict(values)))
            case Answered(_, EventBatch() as batch):
                story.append(batch)
            case NoMessage():
                story.append(message)
    return story


def status(now: Status) -> list[object]:
    values = {"state": now.state, "fault": now.fault, "oldest": now.oldest, "latest": now.latest}
    return [("status", {}), ("status", "OK", values)]
