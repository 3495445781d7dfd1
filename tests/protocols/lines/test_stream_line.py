"""All connections of a thread receive into one room: each gets its own bytes all the same."""

import threading

from feltrig.protocols.lines.stream_line import ROOM, Receiver


class Heard(Receiver):
    """Keeps what it is given."""

    def __init__(self):
        super().__init__()
        self.pieces = []

    def data_received(self, data):
        self.pieces.append(data)


def _arrives(receiver, data):
    receiver.get_buffer(-1)[: len(data)] = data
    receiver.buffer_updated(len(data))


def test_what_one_connection_got_is_not_touched_by_what_the_next_one_gets():
    one, other = Heard(), Heard()
    _arrives(one, b"first of one")
    _arrives(other, b"OTHER, WHICH IS LONGER")
    _arrives(one, b"second")
    assert one.pieces == [b"first of one", b"second"]
    assert other.pieces == [b"OTHER, WHICH IS LONGER"]


def test_a_piece_may_fill_the_room():
    receiver = Heard()
    _arrives(receiver, bytes(ROOM))
    assert receiver.pieces == [bytes(ROOM)]


def test_connections_of_another_thread_have_another_room():
    rooms = [Heard().get_buffer(-1)]
    thread = threading.Thread(target=lambda: rooms.append(Heard().get_buffer(-1)))
    thread.start()
    thread.join(5)
    here, there = rooms
    here[:4], there[:4] = b"here", b"over"
    assert bytes(here[:4]) == b"here"
