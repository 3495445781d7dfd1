"""Serves a machine's register map on Modbus TCP or, at the end of a pseudo terminal, on Modbus RTU."""

import asyncio
import time
from collections.abc import Callable

from feltrig.emulators.faults import Misbehave
from feltrig.emulators.machine import Machine
from feltrig.emulators.modbus_server import ModbusServer
from feltrig.emulators.pty_port import PtyPort
from feltrig.protocols import modbus_pdu as pdu
from feltrig.protocols.modbus_frame import RtuDeframer, TcpDeframer, encode_rtu, encode_tcp, request_length

BROADCAST = 0
THIS_DEVICE = (0, 255)
"""Units by which a TCP server itself is meant, whatever its own (Modbus messaging on TCP/IP 1.0b, 4.4.2.2)."""


class ModbusTcpStation:
    """A Modbus TCP server for any number of masters. A unit that is not there is refused as by a gateway."""

    def __init__(
        self,
        machine: Machine,
        unit: int = 1,
        host: str = "127.0.0.1",
        port: int = 0,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
    ) -> None:
        self._server = ModbusServer(machine)
        self._units = {unit, *THIS_DEVICE}
        self._host = host
        self._port = port
        self._clock = clock
        self.misbehave = misbehave
        self.masters: set[_Master] = set()
        """The connections that are open."""
        self._listener: asyncio.Server | None = None

    async def start(self) -> str:
        """Listen; returns `host:port`. A port in use is an OSError."""
        if self._listener is None:
            loop = asyncio.get_running_loop()
            self._listener = await loop.create_server(lambda: _Master(self), self._host, self._port)
        host, port = self._listener.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        """Close the port and all connections. May be called twice."""
        if self._listener is None:
            return
        self._listener.close()
        masters = tuple(self.masters)
        for master in masters:
            master.transport.abort()
        await asyncio.gather(self._listener.wait_closed(), *(master.ended for master in masters))
        self._listener = None

    def answer(self, transaction: int, unit: int, request: bytes) -> bytes:
        """The frame that answers a request."""
        if unit in self._units:
            response = self._server.respond(request, self._clock())
        else:
            response = pdu.refusal(request[0], pdu.Refusal.NO_TARGET)
        return encode_tcp(transaction, unit, response)


class _Master(asyncio.Protocol):
    """One master's connection; its requests are answered in order."""

    transport: asyncio.Transport

    def __init__(self, station: ModbusTcpStation) -> None:
        self._station = station
        self._deframer = TcpDeframer()
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._station.masters.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._station.masters.discard(self)
        self.ended.set_result(None)

    def pause_writing(self) -> None:
        # a master that does not read must not fill our memory
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        station = self._station
        for transaction, unit, request in self._deframer.receive(data):
            answer: bytes | None = station.answer(transaction, unit, request)
            if answer is not None and station.misbehave is not None:
                try:
                    answer = station.misbehave(answer)
                except ConnectionAbortedError:
                    self.transport.abort()
                    return
            if answer is not None:
                self.transport.write(answer)


class ModbusRtuStation:
    """A Modbus RTU slave. It is silent when another unit is meant, and obeys a broadcast without an answer."""

    def __init__(
        self,
        machine: Machine,
        unit: int = 1,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
    ) -> None:
        self._server = ModbusServer(machine)
        self._unit = unit
        self._clock = clock
        self._deframer = RtuDeframer(request_length)
        self._port = PtyPort(self._received, misbehave)

    async def start(self) -> str:
        """Open a pseudo terminal; returns its path."""
        self._deframer = RtuDeframer(request_length)
        return self._port.open()

    async def stop(self) -> None:
        """Hang up. May be called twice."""
        self._port.close()

    def _received(self, data: bytes) -> None:
        for unit, request in self._deframer.receive(data):
            if unit in (self._unit, BROADCAST):
                response = self._server.respond(request, self._clock())
                if unit != BROADCAST:
                    self._port.send(encode_rtu(unit, response))
