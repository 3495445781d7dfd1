"""The queue towards one client."""

from feltrig.emulators.broker.session import QueuedMessage, Session
from feltrig.protocols.mqtt.packets import Property, Publish


class Wire:
    """Collects what a session sends."""

    def __init__(self) -> None:
        self.sent: list[Publish] = []

    @property
    def payloads(self) -> list[bytes]:
        return [publish.payload for publish in self.sent]


def message(payload: bytes, qos: int = 1, expires: float | None = None) -> QueuedMessage:
    return QueuedMessage(Publish("t", payload, qos), expires)


def test_messages_beyond_the_window_wait_for_an_acknowledgement() -> None:
    wire, session = Wire(), Session("c", lambda: 0.0, limit=10)
    session.attach(wire.sent.append, window=2)
    for payload in (b"1", b"2", b"3"):
        session.deliver(message(payload))
    assert wire.payloads == [b"1", b"2"]
    session.acknowledge(99)
    assert wire.payloads == [b"1", b"2"]
    session.acknowledge(wire.sent[0].mid)
    assert wire.payloads == [b"1", b"2", b"3"]


def test_a_paused_client_keeps_the_order_and_loses_only_what_exceeds_its_queue() -> None:
    wire, session = Wire(), Session("c", lambda: 0.0, limit=2)
    session.attach(wire.sent.append, window=9)
    session.paused = True
    for payload in (b"1", b"2", b"3"):
        session.deliver(message(payload, qos=0))
    assert wire.sent == []
    session.paused = False
    session.pump()
    assert wire.payloads == [b"1", b"2"]
    assert session.dropped == 1


def test_an_absent_client_finds_its_qos_1_messages_and_repeats_marked_as_such() -> None:
    wire, session = Wire(), Session("c", lambda: 0.0, limit=9)
    session.attach(wire.sent.append, window=9)
    session.deliver(message(b"1"))
    session.detach()
    session.deliver(message(b"2"))
    session.deliver(message(b"lost", qos=0))
    again = Wire()
    session.attach(again.sent.append, window=9)
    assert [(p.payload, p.dup) for p in again.sent] == [(b"1", True), (b"2", False)]
    assert again.sent[0].mid == wire.sent[0].mid


def test_a_message_carries_the_rest_of_its_life_and_is_not_sent_after_it() -> None:
    now = [100.0]
    wire, session = Wire(), Session("c", lambda: now[0], limit=9)
    session.deliver(message(b"short", expires=101.0))
    session.deliver(message(b"long", expires=110.0))
    now[0] = 102.5
    session.attach(wire.sent.append, window=9)
    assert wire.payloads == [b"long"]
    assert wire.sent[0].properties[Property.MESSAGE_EXPIRY] == 8


def test_identifiers_in_use_are_not_given_twice() -> None:
    wire, session = Wire(), Session("c", lambda: 0.0, limit=9)
    session.attach(wire.sent.append, window=70000)
    session.deliver(message(b"held"))
    for _ in range(65535):
        session.deliver(message(b"x"))
        session.acknowledge(wire.sent[-1].mid)
    assert wire.sent[0].mid not in {publish.mid for publish in wire.sent[1:]}
