"""What a broker keeps of one client: the messages on their way to it, in order and bounded. No I/O."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from feltrig.protocols.mqtt.packets import Property, Publish


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message with the moment when it expires, None when it does not."""

    publish: Publish
    expires: float | None = None


class Session:
    """The queue towards one client. It outlives a connection when the client asked for that; then `send` is None."""

    def __init__(self, client_id: str, clock: Callable[[], float], limit: int) -> None:
        self.client_id = client_id
        self.dropped = 0
        """Messages lost because the queue was full."""
        self.received: set[int] = set()
        """Identifiers of QoS 2 messages that arrived and are not yet released (4.3.3)."""
        self.paused = False
        """Set while the client reads more slowly than we write."""
        self._clock = clock
        self._limit = limit
        self._window = 0
        self._send: Callable[[Publish], None] | None = None
        self._last_mid = 0
        self._inflight: dict[int, QueuedMessage] = {}
        self._waiting: deque[QueuedMessage] = deque()

    @property
    def attached(self) -> bool:
        return self._send is not None

    def attach(self, send: Callable[[Publish], None], window: int) -> None:
        """The client is back: repeat what it did not acknowledge (4.4), then what waited."""
        self._send = send
        self._window = window
        self.paused = False
        for message in self._inflight.values():
            send(replace(message.publish, dup=True))
        self.pump()

    def detach(self) -> None:
        """The client has gone; messages of QoS 0 do not wait for it."""
        self._send = None
        self._waiting = deque(message for message in self._waiting if message.publish.qos)

    def deliver(self, message: QueuedMessage) -> None:
        """Send a message now if the client can take it, keep it if there is room, or drop it."""
        if not self._waiting and self._can_take(message.publish.qos):
            self._transmit(message)
        elif self._send is None and not message.publish.qos:
            return
        elif len(self._waiting) < self._limit:
            self._waiting.append(message)
        else:
            self.dropped += 1

    def acknowledge(self, mid: int) -> None:
        """The client has a message; a stray acknowledgement is ignored."""
        if self._inflight.pop(mid, None) is not None:
            self.pump()

    def pump(self) -> None:
        """Send what waited, as far as the client can take it."""
        while self._waiting and self._can_take(self._waiting[0].publish.qos):
            self._transmit(self._waiting.popleft())

    def _can_take(self, qos: int) -> bool:
        return self._send is not None and not self.paused and (not qos or len(self._inflight) < self._window)

    def _transmit(self, message: QueuedMessage) -> None:
        publish = message.publish
        properties = publish.properties
        if message.expires is not None:  # the rest of its life goes with it (3.3.2.3.3)
            left = math.ceil(message.expires - self._clock())
            if left <= 0:
                return
            properties = {**properties, Property.MESSAGE_EXPIRY: left}
        mid = self._free_mid() if publish.qos else 0
        sent = Publish(publish.topic, publish.payload, publish.qos, publish.retain, False, mid, properties)
        if mid:
            self._inflight[mid] = QueuedMessage(sent, message.expires)
        assert self._send is not None
        self._send(sent)

    def _free_mid(self) -> int:
        while True:
            self._last_mid = self._last_mid % 0xFFFF + 1
            if self._last_mid not in self._inflight:
                return self._last_mid
