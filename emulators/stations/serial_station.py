"""Serves machines on the open serial protocol: one at the end of a line, or several that share it."""

import time
from collections.abc import Callable

from feltrig.emulators.machine import Machine
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.stations.line_port import MakePort, send_answer
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.protocols.messages import Request, Status
from feltrig.protocols.serial.codec import ANSWER, MOST_EVENTS, serial_messages
from feltrig.protocols.serial.frame import BROADCAST, Deframer, encode
from feltrig.protocols.vocabulary import Error


class SerialStation:
    """Answers what is addressed to its machines, obeys a broadcast without an answer, and lets anything else on the
    line pass in silence."""

    __slots__ = ("_clock", "_deframer", "_drops", "_port")

    def __init__(
        self,
        machine: Machine,
        address: int = 1,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
        port: MakePort = PtyPort,
    ) -> None:
        self._clock = clock
        self._drops: dict[int, _Drop] = {}
        self._deframer = Deframer()
        self._port = port(self._received)
        self.add(machine, address, misbehave)

    def add(self, machine: Machine, address: int, misbehave: Misbehave | None = None) -> None:
        """Connect one more machine to the line. An address that is taken is a ValueError."""
        if address in self._drops or not 0 <= address < BROADCAST:
            raise ValueError(f"address {address} is taken, or not from 0 to {BROADCAST - 1}")
        self._drops[address] = _Drop(machine, misbehave)

    async def start(self) -> str:
        self._deframer = Deframer()
        return self._port.open()

    async def stop(self) -> None:
        self._port.close()

    def _received(self, data: bytes) -> None:
        for address, seq, code, asked in self._deframer.receive(data):
            if code & ANSWER:
                continue
            drop = self._drops.get(address)
            if drop is not None:
                answer = encode(address, seq, code | ANSWER, drop.answer(code, asked, self._clock()))
                send_answer(self._port, answer, drop.misbehave)
            elif address == BROADCAST:
                for each in self._drops.values():
                    each.answer(code, asked, self._clock())


class _Drop:
    """One machine on the line."""

    __slots__ = ("_events_code", "_machine", "_messages", "_status_code", "_told", "_told_as", "misbehave")

    def __init__(self, machine: Machine, misbehave: Misbehave | None) -> None:
        self.misbehave = misbehave
        self._machine = machine
        self._messages = serial_messages(machine.kind)
        self._status_code = machine.kind.commands["status"].code
        self._events_code = machine.kind.commands["events"].code
        self._told: Status | None = None
        self._told_as = b""

    def answer(self, code: int, data: bytes, now: float) -> bytes:
        if code == self._status_code and not data:
            status = self._machine.status(now)
            if status is not self._told:  # a machine has one and the same while nothing changes
                self._told, self._told_as = status, self._messages.write_status(status)
            return self._told_as
        request = self._messages.read_request(code, data)
        if not isinstance(request, Request):
            return bytes((request,))
        if code != self._events_code:
            return self._messages.write_reply(request.command, self._machine.handle(request, now))
        after = request.values["after"]
        if not isinstance(after, int):
            return bytes((Error.MALFORMED,))
        return self._messages.write_events(self._machine.events(after, now, MOST_EVENTS))
