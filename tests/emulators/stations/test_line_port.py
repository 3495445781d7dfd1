"""What misbehaviour makes of an answer on a serial line."""

import pytest

from feltrig.emulators.stations.line_port import send_answer


class Port:
    """Records what becomes of it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def open(self) -> str:
        return "port"

    def close(self) -> None:
        self.closed = True

    def send(self, data: bytes) -> None:
        self.sent.append(data)


def abort(_: bytes) -> bytes | None:
    raise ConnectionAbortedError


@pytest.mark.parametrize(
    ("misbehave", "sent", "closed"),
    [
        (None, [b"answer"], False),
        (lambda _: b"noise", [b"noise"], False),
        (lambda _: None, [], False),
        (abort, [], True),
    ],
)
def test_an_answer_is_sent_replaced_swallowed_or_ends_the_line(misbehave, sent, closed):
    port = Port()
    send_answer(port, b"answer", misbehave)
    assert (port.sent, port.closed) == (sent, closed)
