"""Serves a machine on the open serial profile, at the end of a pseudo terminal."""

import time
from collections.abc import Callable

from feltrig.emulators.faults import Misbehave
from feltrig.emulators.machine import Machine
from feltrig.emulators.pty_port import PtyPort
from feltrig.protocols.messages import Request
from feltrig.protocols.serial_frame import Deframer, encode
from feltrig.protocols.serial_messages import ANSWER, MOST_EVENTS, SerialMessages
from feltrig.protocols.vocabulary import Error


class SerialStation:
    """Answers what is addressed to its machine; anything else on the line it lets pass in silence."""

    def __init__(
        self,
        machine: Machine,
        address: int = 1,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
    ) -> None:
        self._machine = machine
        self._address = address
        self._clock = clock
        self._messages = SerialMessages(machine.kind)
        self._status_code = machine.kind.commands["status"].code
        self._events_code = machine.kind.commands["events"].code
        self._deframer = Deframer()
        self._port = PtyPort(self._received, misbehave)

    async def start(self) -> str:
        """Open a pseudo terminal; returns its path."""
        self._deframer = Deframer()
        return self._port.open()

    async def stop(self) -> None:
        """Hang up. May be called twice."""
        self._port.close()

    def _received(self, data: bytes) -> None:
        for address, seq, code, asked in self._deframer.receive(data):
            if address == self._address and not code & ANSWER:
                self._port.send(encode(address, seq, code | ANSWER, self._answer(code, asked)))

    def _answer(self, code: int, data: bytes) -> bytes:
        now = self._clock()
        if code == self._status_code and not data:
            return self._messages.write_status(self._machine.status(now))
        request = self._messages.read_request(code, data)
        if not isinstance(request, Request):
            return bytes((request,))
        if code != self._events_code:
            return self._messages.write_reply(request.command, self._machine.handle(request, now))
        after = request.values["after"]
        if not isinstance(after, int):
            return bytes((Error.MALFORMED,))
        return self._messages.write_events(self._machine.events(after, now, MOST_EVENTS))
