"""One connection to an MQTT broker, for the driver's end and the device's end alike.

Built on aiomqtt. A link is opened once: aiomqtt's client does not wait for the broker's welcome when it is entered a
second time, so each attempt to connect is a new link.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import aiomqtt
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.lines import tcp, tls
from feltrig.protocols.messages import Tap
from feltrig.protocols.mqtt.frame import LONGEST, bounds, prefixed, varint
from feltrig.protocols.mqtt.packets import Malformed, PacketType, Property

_log = logging.getLogger(__name__)
_aiomqtt_log = logging.getLogger(f"{__name__}.aiomqtt")
_aiomqtt_log.setLevel(logging.CRITICAL)  # whatever breaks a connection is told by LineLost, once

Version = Literal["3.1.1", "5"]

_PROTOCOLS = {"3.1.1": aiomqtt.ProtocolVersion.V311, "5": aiomqtt.ProtocolVersion.V5}

# Without it, QoS 1 waits for delayed acknowledgements of TCP: 88 ms instead of 1 ms per round trip.
_SOCKET_OPTIONS = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)


_BAD_CREDENTIALS = (134, 135)
"""Bad user name or password, and not authorized (MQTT 5, 3.2.2.2); paho gives 3.1.1's codes 4 and 5 as these."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where a broker is, and how to be let in. Its certificate must be made out to `server_name`, or else to the
    host."""

    host: str
    port: int
    version: Version = "5"
    username: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None
    server_name: str | None = None

    def __post_init__(self) -> None:
        if self.version not in _PROTOCOLS:
            raise ValueError(f"MQTT version {self.version!r}: expected {' or '.join(_PROTOCOLS)}")


class _Doorbell(asyncio.Queue[aiomqtt.Message]):
    """Hands each message on as it arrives; aiomqtt's own way costs a task per message."""

    def __init__(self, receive: Callable[[aiomqtt.Message], None]) -> None:
        super().__init__()
        self._receive = receive

    def put_nowait(self, item: aiomqtt.Message) -> None:
        self._receive(item)


class CallProperties:
    """The properties that carry a request and its answer in MQTT 5, for `MqttLink.send`. paho takes anything that can
    pack itself; its own class searches long tables for each property, at a tenth of the cost of a round trip."""

    def __init__(self, correlation: bytes | None, response_topic: str | None = None) -> None:
        body = b"" if correlation is None else bytes((Property.CORRELATION_DATA,)) + prefixed(correlation)
        if response_topic is not None:
            body = bytes((Property.RESPONSE_TOPIC,)) + prefixed(response_topic.encode()) + body
        self._packed = varint(len(body)) + body

    def pack(self) -> bytes:
        """As they follow the packet identifier in PUBLISH."""
        return self._packed


class _TlsSocket(ssl.SSLSocket):
    """Closes itself when the handshake fails; paho leaves it open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


class _Named:
    """A TLS context by which paho checks the certificate against another name than the host that it connects to."""

    def __init__(self, context: ssl.SSLContext, name: str) -> None:
        self._context = context
        self._name = name

    @property
    def check_hostname(self) -> bool:
        """Asked for by paho: without it, it compares the host itself."""
        return self._context.check_hostname

    def wrap_socket(self, line: socket.socket, server_hostname: str, **options: Any) -> ssl.SSLSocket:
        """Called by paho, with the host."""
        return self._context.wrap_socket(line, server_hostname=self._name, **options)


def _context(server: Server) -> ssl.SSLContext | None:
    if server.tls is None or server.server_name is None:
        return server.tls
    return cast("ssl.SSLContext", _Named(server.tls, server.server_name))


class MqttLink:
    """A connection that calls `receive` for each message and `lost` once, when it breaks by itself. Both are called
    by the event loop and must not raise."""

    def __init__(
        self,
        server: Server,
        deadline: float,
        receive: Callable[[aiomqtt.Message], None],
        lost: Callable[[], None],
        *,
        identifier: str | None = None,
        will: aiomqtt.Will | None = None,
        tap: Tap | None = None,
    ) -> None:
        self._lost = lost
        self._server = server
        self._open = False
        self._opening = tcp.opening_time(deadline)
        # aiomqtt calls what it takes for a class with the size of the queue only.
        queue = cast("type[asyncio.Queue[aiomqtt.Message]]", lambda maxsize: _Doorbell(receive))
        self._client = aiomqtt.Client(
            server.host,
            server.port,
            protocol=_PROTOCOLS[server.version],
            username=server.username,
            password=server.password,
            tls_context=_context(server),
            identifier=identifier,
            will=will,
            timeout=self._opening,
            logger=_aiomqtt_log,
            queue_type=queue,
            socket_options=_SOCKET_OPTIONS,
        )
        self._paho: PahoClient = self._client._client
        self._paho.connect_timeout = self._opening
        self._paho.disable_logger()
        self._tapped = None if tap is None else _Tapped(self._paho, tap, (server.password or "").encode())
        self._welcome = self._client._connected
        self._paho.on_disconnect = self._parted
        self._paho.on_socket_register_write = self._wants_to_write
        self._tls_failure: ssl.SSLError | None = None
        if server.tls is not None:
            server.tls.sslsocket_class = _TlsSocket
            self._watch_tls()

    async def open(self) -> None:
        """Connect and wait for the broker's welcome. Fails with LineLost."""
        self._loop = asyncio.get_running_loop()
        # A thread does the connecting and cannot be stopped, so on cancellation we wait for it and clean up.
        entering = asyncio.ensure_future(self._client.__aenter__())
        try:
            await asyncio.shield(entering)
        except aiomqtt.MqttError as error:
            self._drop()
            raise self._refusal(error) from error
        except asyncio.CancelledError:
            await asyncio.wait((entering,))
            if not entering.cancelled():
                entering.exception()
            self._drop()
            raise
        if self._paho.socket() is None:  # aiomqtt forgets an end that comes together with the welcome
            self._drop()
            raise LineLost(f"{self._server.host}:{self._server.port}: the broker closed the connection at once")
        self._open = True
        self._client._disconnected.add_done_callback(self._disconnected)

    async def subscribe(self, *topics: str) -> None:
        """Subscribe at QoS 1. Fails with LineLost."""
        await self._subscribe(topics, [(topic, 1) for topic in topics])

    async def eavesdrop(self, topic: str) -> None:
        """Subscribe at the highest QoS to what is published from now on. In MQTT 5 a message has the retain flag that
        its sender gave it. In 3.1.1 it has none, and what the broker kept comes first. Fails with LineLost."""
        if self._server.version == "5":
            options = SubscribeOptions(qos=2, retainAsPublished=True, retainHandling=2)
            await self._subscribe((topic,), [(topic, options)])
        else:
            await self._subscribe((topic,), [(topic, 2)])

    async def _subscribe(self, topics: Sequence[str], wanted: list[Any]) -> None:
        # aiomqtt does not notice that the connection is lost until its timeout.
        subscribing = asyncio.ensure_future(self._client.subscribe(wanted))
        try:
            await asyncio.wait((subscribing, self._client._disconnected), return_when=asyncio.FIRST_COMPLETED)
            if not subscribing.done():
                raise LineLost("subscribe: the connection to the broker was lost")
            codes = subscribing.result()
        except aiomqtt.MqttError as error:
            raise LineLost(f"subscribe: {error}") from error
        finally:
            subscribing.cancel()
        if len(codes) != len(topics):
            raise LineLost(f"subscribe: the broker answers {len(topics)} topics with {len(codes)} codes")
        for topic, code in zip(topics, codes, strict=True):
            if isinstance(code, ReasonCode) and code.is_failure:
                raise LineLost(f"subscribe: {topic}: refused by the broker")

    def send(
        self,
        topic: str,
        payload: bytes,
        retain: bool = False,
        properties: CallProperties | None = None,
        *,
        qos: int = 1,
    ) -> None:
        """Publish without waiting for the broker's acknowledgement. Fails with LineLost."""
        # aiomqtt's own publish waits, and does not notice that the connection is lost until its timeout.
        if not self._open or self._paho.publish(topic, payload, qos, retain, cast("Properties | None", properties)).rc:
            raise LineLost(f"{topic}: no connection to the broker")

    async def close(self) -> None:
        """Say farewell to the broker, so that it keeps the will to itself. Never fails, may be called twice."""
        if not self._open:
            return
        self._open = False
        try:
            await self._client.__aexit__(None, None, None)
        except aiomqtt.MqttError:
            pass
        finally:
            self._drop()

    def abort(self) -> None:
        """Cut the line without a farewell: the broker publishes the will, and `lost` is called as for any break."""
        line = self._paho.socket()
        if line is not None:
            # Closing it here would pull it from under aiomqtt's pending callbacks.
            cast("socket.socket", line).shutdown(socket.SHUT_RDWR)

    def _watch_tls(self) -> None:
        """Keep the error by which TLS ended the connection; paho only says that it is lost."""
        receive = self._paho._sock_recv

        def watched(size: int) -> bytes:
            try:
                return receive(size)
            except ssl.SSLError as error:
                self._tls_failure = error
                raise

        vars(self._paho)["_sock_recv"] = watched

    def _parted(self, *how: Any) -> None:
        """Called by paho, maybe in the thread that connects. aiomqtt does not heed an end before the broker's welcome,
        and would wait for it until the timeout."""
        if self._welcome.cancelled():  # nobody waits for it any more, and aiomqtt would trip over that
            return
        self._client._on_disconnect(*how)
        end = self._client._disconnected
        if end.done() and not end.cancelled():
            end.exception()  # aiomqtt may throw it away, and it would be reported as never looked at
        self._loop.call_soon_threadsafe(self._unwelcome)

    def _wants_to_write(self, _paho: PahoClient, _userdata: Any, line: Any) -> None:
        """Called by paho, maybe in the thread that connects. aiomqtt would watch the socket later, by its number: by
        then it may be closed, and the number another's."""
        if self._open:
            self._watch(line)
        else:
            self._loop.call_soon_threadsafe(self._watch, line)

    def _watch(self, line: Any) -> None:
        if line.fileno() >= 0:
            self._loop.add_writer(line.fileno(), self._write)

    def _write(self) -> None:
        try:
            self._paho.loop_write()
        except OSError as error:
            if not self._client._disconnected.done():
                self._client._disconnected.set_exception(error)

    def _unwelcome(self) -> None:
        if not self._welcome.done():
            self._welcome.set_exception(aiomqtt.MqttError("the broker closed the connection before its welcome"))

    def _refusal(self, error: aiomqtt.MqttError) -> LineLost:
        """Why there is no connection."""
        where = f"{self._server.host}:{self._server.port}"
        failure = self._tls_failure or error.__context__
        if isinstance(failure, ssl.SSLError):
            return tls.failure(where, failure)
        if isinstance(error, aiomqtt.MqttCodeError) and isinstance(error.rc, ReasonCode):
            said = f"{where}: the broker refuses: {str(error.rc).lower()}"
            if error.rc.value not in _BAD_CREDENTIALS:
                return LineLost(said)
            return NotAdmitted(said, "username" if self._server.username is None else "password")
        if self._welcome.cancelled():
            return LineLost(f"{where}: no welcome from the broker within {self._opening:g} s")
        if self._welcome.done() and self._server.tls is not None:
            return LineLost(f"{where}: {tls.CLOSED_EARLY}")
        return LineLost(f"{where}: {error}")

    def _drop(self) -> None:
        self._paho._sock_close()
        if self._tapped is not None:
            self._tapped.flush()

    def _disconnected(self, future: asyncio.Future[None]) -> None:
        error = future.exception()
        if isinstance(error, UnicodeDecodeError):  # paho raises it for what came, not for what we did with it
            where = f"{self._server.host}:{self._server.port}"
            _log.warning("%s: a topic that is not text; the connection was given up", where)
        elif error is not None and not isinstance(error, aiomqtt.MqttError | OSError):
            _log.error("a message could not be handled; the connection was given up", exc_info=error)
        if self._open:
            self._open = False
            self._drop()
            self._lost()


class _Tapped:
    """Shows a tap every byte of a connection, packet by packet as paho reads and writes them. Neither aiomqtt nor paho
    has a hook for that, so the two methods through which paho uses its socket are replaced on this one object. The
    password is shown as asterisks: what a tap sees may be kept and handed on."""

    def __init__(self, paho: PahoClient, tap: Tap, password: bytes) -> None:
        self._tap = tap
        self._password = password
        self._heard = bytearray()
        self._receive, self._send = paho._sock_recv, paho._sock_send
        for method, tapped in (("_sock_recv", self._tapped_receive), ("_sock_send", self._tapped_send)):
            setattr(paho, method, tapped)

    def flush(self) -> None:
        """Show what came of a packet that never became whole."""
        if self._heard:
            self._tap(False, bytes(self._heard))
            self._heard.clear()

    def _tapped_receive(self, size: int) -> bytes:
        data = self._receive(size)
        self._heard += data
        if _is_whole(self._heard):  # paho reads the head of a packet byte by byte
            self.flush()
        return data

    def _tapped_send(self, data: bytes | bytearray) -> int:
        sent = self._send(data)
        if sent:
            shown = bytes(data[:sent])
            if self._password and shown[0] >> 4 == PacketType.CONNECT:
                shown = shown.replace(self._password, b"*" * len(self._password))
            self._tap(True, shown)
        return sent


def _is_whole(packet: bytearray) -> bool:
    try:
        return bounds(packet, 0, LONGEST) is not None
    except Malformed:
        return False
