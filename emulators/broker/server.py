"""A small MQTT broker, so that a rig needs nothing installed: 3.1.1 and 5, retained messages, wills, passwords, TLS.

It takes QoS 0, 1 and 2 and delivers at QoS 0 and 1. It offers no shared subscriptions, no subscription identifiers
and no topic aliases, and says so to clients of MQTT 5. Of one SUBSCRIBE it grants the first hundred filters. Sessions
live as long as the broker runs.
"""

import asyncio
import hmac
import math
import socket
import ssl
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from feltrig.emulators.broker.session import QueuedMessage, Session
from feltrig.emulators.broker.subscriptions import Retained, Subscriptions, is_filter
from feltrig.emulators.stations.listener import Listener
from feltrig.protocols.lines.stream_line import Receiver
from feltrig.protocols.mqtt.packet_codec import Decoder, encode
from feltrig.protocols.mqtt.packets import (
    V5,
    Ack,
    Connack,
    Connect,
    Disconnect,
    FilterAck,
    FromClient,
    Malformed,
    PacketType,
    Ping,
    Properties,
    Property,
    PropertyValue,
    Publish,
    Reason,
    Subscribe,
    Subscription,
    ToClient,
    Unsubscribe,
)

MAX_PACKET = 1 << 20
MAX_QUEUED = 1000
"""Messages that wait for one slow or absent client; more are dropped."""
MAX_INFLIGHT = 100
MAX_FILTERS = 100
"""Topic filters of one SUBSCRIBE; those beyond are refused (3.9.3), since each may ask for all retained messages."""
CONNECT_WITHIN = 5.0
NEVER = 0xFFFF_FFFF
"""A session expiry interval that means: keep it (3.1.2.11.2)."""

LIMITS: Properties = {
    Property.MAXIMUM_PACKET_SIZE: MAX_PACKET,
    Property.SUBSCRIPTION_IDENTIFIER_AVAILABLE: 0,
    Property.SHARED_SUBSCRIPTION_AVAILABLE: 0,
}
"""What CONNACK tells a client of MQTT 5."""

_LEGACY_REFUSALS = {Reason.UNSUPPORTED_VERSION: 1, Reason.CLIENT_ID_NOT_VALID: 2, Reason.NOT_AUTHORIZED: 5}
"""The return codes of 3.1.1 for our reasons (3.1.1: 3.2.2.3)."""


class Broker:
    """Serves on one port between start and stop. `users` maps names to passwords; None lets everybody in."""

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        users: Mapping[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self.on_subscribe: Callable[[str], None] = lambda pattern: None
        """Told of each topic filter that a client has subscribed to."""
        self.on_packet: Callable[[str, FromClient], None] | None = None
        """Told of each packet, and of the client that sent it; CONNECT included."""
        self._users = users
        self._tls = tls
        self._listener: Listener | None = None
        self._clear()

    def _clear(self) -> None:
        self._connections: set[_Connection] = set()
        self._holders: dict[Session, _Connection] = {}
        self._sessions: dict[str, Session] = {}
        self._endings: dict[str, list[asyncio.TimerHandle]] = {}
        self._subscriptions: Subscriptions[Session] = Subscriptions()
        self._retained = Retained()
        self._authors: dict[str, str] = {}
        self._held: list[_Connection] | None = None

    async def start(self) -> int:
        """Listen; returns the port."""
        self._loop = asyncio.get_running_loop()
        self._listener = Listener(lambda: _Connection(self), self.host, self.port, self._tls)
        _, self.port = await self._listener.open()
        return self.port

    async def stop(self) -> None:
        """Close every connection and forget everything. May be called twice."""
        if self._listener is None:
            return
        listener, self._listener = self._listener, None
        await listener.close()
        connections = list(self._connections)
        for connection in connections:
            connection.will = None
            connection.end(Reason.SERVER_SHUTTING_DOWN)
        for connection in connections:
            await connection.closed
        for client_id in list(self._endings):
            self._cancel_endings(client_id)
        self._clear()

    @property
    def dropped(self) -> int:
        """Messages lost because a client's queue was full, over the sessions now known."""
        return sum(session.dropped for session in self._sessions.values())

    def author(self, topic: str) -> str | None:
        """The client that last published a message to be retained on a topic."""
        return self._authors.get(topic)

    def introduction(self, client_id: str) -> Connect | None:
        """The CONNECT of a client that is here; None if it is not."""
        session = self._sessions.get(client_id)
        connection = None if session is None else self._holders.get(session)
        return None if connection is None else connection.introduction

    def kick(self, client_id: str) -> None:
        """Cut the connection of a client without a word, as a broken cable does. Its will is published."""
        session = self._sessions.get(client_id)
        if session is not None and session in self._holders:
            self._holders[session].cut()

    def hold(self) -> None:
        """Keep everybody who connects from now on waiting for the broker's welcome, until `let_in`."""
        self._held = [] if self._held is None else self._held

    def let_in(self) -> None:
        """Welcome those who wait, and those who come."""
        held, self._held = self._held, None
        for connection in held or ():
            connection.let_in()

    def holds(self, connection: "_Connection") -> bool:
        """Whether a client must wait; it is remembered."""
        if self._held is None:
            return False
        self._held.append(connection)
        return True

    def forget(self, topic: str) -> None:
        """Keep no message for a topic any more, and tell nobody."""
        self._retained.keep(Publish(topic, b""), None)

    def opened(self, connection: "_Connection") -> None:
        """A socket was accepted."""
        self._connections.add(connection)

    def gone(self, connection: "_Connection") -> None:
        """A socket is closed."""
        self._connections.discard(connection)

    def admits(self, connect: Connect) -> bool:
        """Whether the user name and the password are right."""
        if self._users is None:
            return True
        expected = self._users.get(connect.username or "")
        return expected is not None and hmac.compare_digest(expected.encode(), connect.password or b"")

    def enter(self, connection: "_Connection", client_id: str, clean: bool) -> tuple[Session, bool]:
        """The session of a client, and whether it existed. Another connection of this client ends (3.1.4)."""
        session = self._sessions.get(client_id)
        if session is not None and session in self._holders:
            self._holders[session].end(Reason.SESSION_TAKEN_OVER)
        session = self._sessions.get(client_id)
        if session is not None and clean:
            self._end_session(session)
            session = None
        self._cancel_endings(client_id)
        present = session is not None
        if session is None:
            session = self._sessions[client_id] = Session(client_id, self._loop.time, MAX_QUEUED)
        self._holders[session] = connection
        return session, present

    def leave(self, session: Session, expiry: int, will: Publish | None) -> None:
        """A client has gone. Its session and its will last as long as it asked for (3.1.3.2.2)."""
        session.detach()
        del self._holders[session]
        delay = 0
        if will is not None:
            delay = min(_number(will, Property.WILL_DELAY, 0), expiry)
            will = replace(will, properties={k: v for k, v in will.properties.items() if k != Property.WILL_DELAY})
        endings: list[asyncio.TimerHandle] = []
        if will is not None and delay:
            endings.append(self._loop.call_later(delay, self.route, will, None))
        elif will is not None:
            self.route(will, None)
        if not expiry:
            self._end_session(session)
        elif expiry != NEVER:
            endings.append(self._loop.call_later(expiry, self._end_session, session))
        if endings:
            self._endings[session.client_id] = endings

    def _cancel_endings(self, client_id: str) -> None:
        for timer in self._endings.pop(client_id, ()):
            timer.cancel()

    def _end_session(self, session: Session) -> None:
        self._subscriptions.forget(session)
        self._sessions.pop(session.client_id, None)

    def route(self, publish: Publish, sender: Session | None) -> None:
        """Keep a message if it is to be retained, and hand it to everybody who wants it."""
        lifetime = publish.properties.get(Property.MESSAGE_EXPIRY)
        expires = self._loop.time() + lifetime if isinstance(lifetime, int) else None
        if publish.retain:
            self._retained.keep(publish, expires)
            if sender is not None:
                self._authors[publish.topic] = sender.client_id
        for session, wanted in self._subscriptions.wanting(publish.topic):
            if wanted.no_local and session is sender:
                continue
            qos = min(publish.qos, wanted.qos)
            retain = publish.retain and wanted.retain_as_published
            copy = Publish(publish.topic, publish.payload, qos, retain, False, 0, publish.properties)
            session.deliver(QueuedMessage(copy, expires))

    def subscribe(
        self, session: Session, subscribe: Subscribe, version: int
    ) -> tuple[tuple[int, ...], Iterator[QueuedMessage]]:
        """The codes for SUBACK, and the retained messages to send after it, each copied when it is its turn."""
        codes: list[int] = []
        greeted: list[Subscription] = []
        for at, wanted in enumerate(subscribe.subscriptions):
            refusal = _filter_refusal(wanted.pattern) if at < MAX_FILTERS else Reason.QUOTA_EXCEEDED
            if refusal is not None:
                codes.append(refusal if version == V5 else 0x80)
                continue
            granted = replace(wanted, qos=min(wanted.qos, 1))
            new = self._subscriptions.add(session, granted)
            codes.append(granted.qos)
            self.on_subscribe(wanted.pattern)
            if wanted.retain_handling == 0 or (wanted.retain_handling == 1 and new):
                greeted.append(granted)
        return tuple(codes), self._kept(greeted)

    def _kept(self, subscriptions: list[Subscription]) -> Iterator[QueuedMessage]:
        for wanted in subscriptions:
            for publish, expires in self._retained.under(wanted.pattern, self._loop.time()):
                yield QueuedMessage(replace(publish, qos=min(publish.qos, wanted.qos), mid=0, dup=False), expires)

    def unsubscribe(self, session: Session, unsubscribe: Unsubscribe) -> tuple[int, ...]:
        """The codes for UNSUBACK."""
        return tuple(
            Reason.SUCCESS if self._subscriptions.remove(session, pattern) else Reason.NO_SUBSCRIPTION_EXISTED
            for pattern in unsubscribe.patterns
        )


class _Connection(Receiver):
    """One client's socket."""

    def __init__(self, broker: Broker) -> None:
        super().__init__()
        self.will: Publish | None = None
        self.introduction: Connect | None = None
        self._broker = broker
        self._loop = asyncio.get_running_loop()
        self.closed = self._loop.create_future()
        self._decoder = Decoder(MAX_PACKET)
        self._session: Session | None = None
        self._expiry = 0
        self._max_packet = math.inf
        self._keep_alive = CONNECT_WITHIN
        self._heard = self._loop.time()
        self._ended = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        # Without it, an acknowledgement behind a small packet waits for the peer's delayed one: 40 ms each time.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._timer = self._loop.call_later(self._keep_alive, self._check_silence)
        self._broker.opened(self)

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        try:
            for packet in self._decoder.feed(data):
                self._handle(packet)
                if self._ended:
                    return
        except Malformed as error:
            if self._session is None and error.reason is Reason.UNSUPPORTED_VERSION:
                self._refuse(error.reason)
            else:
                self.end(error.reason)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        self._broker.gone(self)
        self.closed.set_result(None)

    def pause_writing(self) -> None:
        if self._session is not None:
            self._session.paused = True
        # Our acknowledgements are not queued, so a client that does not read them is not heard either.
        if not self._ended:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        if self._ended:
            return
        self._transport.resume_reading()
        if self._session is not None:
            self._session.paused = False
            self._session.pump()

    def end(self, reason: Reason) -> None:
        """Close the connection for a reason, which only MQTT 5 can tell."""
        if self._session is not None and self._decoder.version == V5:
            self._write(Disconnect(reason))
        self._leave()
        self._transport.abort()

    def cut(self) -> None:
        """Close the connection without a word."""
        self._leave()
        self._transport.abort()

    def let_in(self) -> None:
        """Welcome a client that was kept waiting, unless it has gone."""
        if not self._ended and self.introduction is not None:
            self._welcome(self.introduction)

    def _leave(self) -> None:
        self._ended = True
        self._timer.cancel()
        session, self._session = self._session, None
        if session is not None:
            self._broker.leave(session, self._expiry, self.will)

    def _check_silence(self) -> None:
        silent = self._loop.time() - self._heard
        if silent < self._keep_alive:
            self._timer = self._loop.call_later(self._keep_alive - silent, self._check_silence)
        else:
            self.end(Reason.KEEP_ALIVE_TIMEOUT)

    def _write(self, packet: ToClient) -> None:
        self._transport.write(encode(packet, self._decoder.version))

    def _send(self, publish: Publish) -> None:
        data = encode(publish, self._decoder.version)
        if len(data) <= self._max_packet:
            self._transport.write(data)
        elif publish.mid and self._session is not None:  # treat it as delivered (3.1.2.11.4)
            self._loop.call_soon(self._session.acknowledge, publish.mid)

    def _handle(self, packet: FromClient) -> None:
        session = self._session
        if isinstance(packet, Connect):
            if session is not None:
                raise Malformed("a second CONNECT", Reason.PROTOCOL_ERROR)
            self._connect(packet)
            return
        if session is None:
            raise Malformed("a packet before CONNECT", Reason.PROTOCOL_ERROR)
        if self._broker.on_packet is not None:
            self._broker.on_packet(session.client_id, packet)
        match packet:
            case Publish():
                self._publish(packet, session)
            case Ack(PacketType.PUBACK, mid):
                session.acknowledge(mid)
            case Ack(PacketType.PUBREL, mid):
                session.received.discard(mid)
                self._write(Ack(PacketType.PUBCOMP, mid))
            case Ack():
                raise Malformed("an acknowledgement of QoS 2, which we never send", Reason.PROTOCOL_ERROR)
            case Subscribe(mid):
                codes, kept = self._broker.subscribe(session, packet, self._decoder.version)
                self._write(FilterAck(PacketType.SUBACK, mid, codes))
                for message in kept:
                    session.deliver(message)
            case Unsubscribe(mid):
                self._write(FilterAck(PacketType.UNSUBACK, mid, self._broker.unsubscribe(session, packet)))
            case Ping():
                self._write(Ping(PacketType.PINGRESP))
            case Disconnect(reason, properties):
                if reason != Reason.DISCONNECT_WITH_WILL:
                    self.will = None
                expiry = properties.get(Property.SESSION_EXPIRY)
                if isinstance(expiry, int) and self._expiry:  # 0 cannot become more at the end (3.14.2.2.2)
                    self._expiry = expiry
                self._leave()
                self._transport.close()

    def _publish(self, publish: Publish, session: Session) -> None:
        if publish.qos < 2:
            self._broker.route(publish, session)
            if publish.qos:
                self._write(Ack(PacketType.PUBACK, publish.mid))
            return
        if publish.mid not in session.received:
            session.received.add(publish.mid)
            self._broker.route(publish, session)
        self._write(Ack(PacketType.PUBREC, publish.mid))

    def _connect(self, connect: Connect) -> None:
        modern = connect.version == V5
        if Property.AUTHENTICATION_METHOD in connect.properties:
            self._refuse(Reason.BAD_AUTHENTICATION_METHOD)
            return
        if not self._broker.admits(connect):
            self._refuse(Reason.NOT_AUTHORIZED)
            return
        if not connect.client_id and not connect.clean and not modern:  # 3.1.1: 3.1.3.1
            self._refuse(Reason.CLIENT_ID_NOT_VALID)
            return
        self.introduction = connect
        if not self._broker.holds(self):
            self._welcome(connect)

    def _welcome(self, connect: Connect) -> None:
        modern = connect.version == V5
        client_id = connect.client_id or f"auto-{uuid.uuid4().hex}"
        if self._broker.on_packet is not None:
            self._broker.on_packet(client_id, connect)
        self._expiry = _number(connect, Property.SESSION_EXPIRY, 0) if modern else 0 if connect.clean else NEVER
        self._max_packet = _number(connect, Property.MAXIMUM_PACKET_SIZE, MAX_PACKET * 2)
        window = min(_number(connect, Property.RECEIVE_MAXIMUM, MAX_INFLIGHT), MAX_INFLIGHT)
        self.will = connect.will
        self._keep_alive = 1.5 * connect.keep_alive
        self._timer.cancel()
        if connect.keep_alive:
            self._timer = self._loop.call_later(self._keep_alive, self._check_silence)
        self._session, present = self._broker.enter(self, client_id, connect.clean)
        welcome: dict[int, PropertyValue] = {**LIMITS}
        if not connect.client_id:
            welcome[Property.ASSIGNED_CLIENT_ID] = client_id
        self._write(Connack(Reason.SUCCESS, present, welcome))
        self._session.attach(self._send, window)

    def _refuse(self, reason: Reason) -> None:
        code = reason if self._decoder.version == V5 else _LEGACY_REFUSALS[reason]
        self._write(Connack(code))
        self._leave()
        self._transport.close()


def _number(packet: Connect | Publish, key: Property, otherwise: int) -> int:
    value = packet.properties.get(key)
    return value if isinstance(value, int) else otherwise


def _filter_refusal(pattern: str) -> Reason | None:
    if pattern.startswith("$share/"):
        return Reason.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED
    return None if is_filter(pattern) else Reason.TOPIC_FILTER_INVALID
