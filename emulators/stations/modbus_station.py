"""Serves the register maps of machines on Modbus TCP, TLS or RTU: one machine, or several with a unit each."""

import asyncio
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from feltrig.emulators.machine import Machine
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.stations.line_port import MakePort, send_answer
from feltrig.emulators.stations.listener import Listener
from feltrig.emulators.stations.modbus_server import ModbusServer
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.emulators.stations.tcp_listener import TcpListener
from feltrig.protocols.lines.fd_line import FdLine
from feltrig.protocols.lines.stream_line import StreamLine
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import (
    ALL_UNITS,
    MAX_UNIT,
    RtuDeframer,
    TcpDeframer,
    encode_rtu,
    encode_tcp,
    request_length,
)

THIS_DEVICE = (0, 255)
"""Units by which a TCP server itself is meant, whatever its own (Modbus messaging on TCP/IP 1.0b, 4.4.2.2). A gateway
to several units is none of them."""


@runtime_checkable
class Responder(Protocol):
    """A register map of its own, in place of the common one over a machine."""

    def respond(self, request: bytes, now: float) -> bytes:
        """The response to a request, which may be an exception response."""


class ModbusTcpStation:
    """A Modbus TCP server for any number of masters; with `tls`, as Modbus/TCP Security. A unit that is not there is
    refused as by a gateway."""

    __slots__ = ("_drops", "_plain", "_secure", "clock", "make_master", "masters")

    def __init__(
        self,
        machine: Machine | Responder,
        unit: int = 1,
        host: str = "127.0.0.1",
        port: int = 0,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
        *,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._plain = TcpListener(self._connected, host, port)
        self._secure = None if tls is None else Listener(self._secured, host, port, tls)
        self.clock = clock
        self._drops: dict[int, _Drop] = {}
        self.masters: set[Master] = set()
        """The connections that are open."""
        self.make_master: Callable[[ModbusTcpStation], Master] = Master
        """Makes the end of a new connection."""
        self.add(machine, unit, misbehave)

    def add(self, machine: Machine | Responder, unit: int, misbehave: Misbehave | None = None) -> None:
        """Put one more machine behind the same address. A unit that is taken is a ValueError."""
        _connect(self._drops, machine, unit, misbehave)

    async def start(self) -> str:
        """Listen; returns `host:port`. A port in use is an OSError."""
        if self._secure is None:
            return self._plain.open()
        host, port = await self._secure.open()
        return f"{host}:{port}"

    async def stop(self) -> None:
        self._plain.close()
        if self._secure is not None:
            await self._secure.close()
        lines = [master.line for master in self.masters]
        for line in lines:
            line.close()
        self.masters.clear()
        await asyncio.gather(*(line.ended for line in lines if isinstance(line, StreamLine)))

    def _connected(self, client: socket.socket) -> None:
        master = self.make_master(self)
        master.line = FdLine(client.fileno(), master.received, master.left, client.close)
        self.masters.add(master)

    def _secured(self) -> StreamLine:
        master = self.make_master(self)
        master.line = line = StreamLine(master.received, master.left)
        self.masters.add(master)
        return line

    def drop(self, unit: int) -> "_Drop | None":
        """Who is meant by a unit; None for nobody here."""
        drop = self._drops.get(unit)
        if drop is None and unit in THIS_DEVICE and len(self._drops) == 1:
            (drop,) = self._drops.values()
        return drop


class Master:
    """One master's connection; its requests are answered in order."""

    # less memory to go through where many masters ask in turn (`benchmarks/scale.py`)
    __slots__ = ("_deframer", "_drop", "_station", "_unit", "line")

    line: FdLine | StreamLine

    def __init__(self, station: ModbusTcpStation) -> None:
        self._station = station
        self._deframer = TcpDeframer()
        self._drop: _Drop | None = None
        """Who was meant last, most often the only one, and by which unit."""
        self._unit = -1

    def received(self, data: bytes) -> None:
        """Answer what these bytes complete. Misbehaviour may end the connection instead."""
        for transaction, unit, request in self._deframer.receive(data):
            drop = self._drop
            if drop is None or unit != self._unit:
                self._drop = drop = self._station.drop(unit)
                self._unit = unit
            if drop is None:
                self.write(encode_tcp(transaction, unit, pdu.refusal(request[0], pdu.Refusal.NO_TARGET)))
                continue
            answer = encode_tcp(transaction, unit, drop.server.respond(request, self._station.clock()))
            if drop.misbehave is None:
                self.write(answer)
                continue
            try:
                instead = drop.misbehave(answer)
            except ConnectionAbortedError:
                self.line.close()
                self.left("")
                return
            if instead is not None:
                self.write(instead)

    def write(self, data: bytes) -> None:
        """Send to this master."""
        self.line.write(data)

    def left(self, _reason: str) -> None:
        self._station.masters.discard(self)


class ModbusRtuStation:
    """Modbus RTU slaves on one line, silent when another unit is meant; they obey a broadcast without an answer."""

    def __init__(
        self,
        machine: Machine | Responder,
        unit: int = 1,
        clock: Callable[[], float] = time.monotonic,
        misbehave: Misbehave | None = None,
        port: MakePort = PtyPort,
    ) -> None:
        self._clock = clock
        self._drops: dict[int, _Drop] = {}
        self._deframer = RtuDeframer(request_length)
        self._port = port(self._received)
        self.add(machine, unit, misbehave)

    def add(self, machine: Machine | Responder, unit: int, misbehave: Misbehave | None = None) -> None:
        """Connect one more machine to the line. A unit that is taken is a ValueError."""
        _connect(self._drops, machine, unit, misbehave)

    async def start(self) -> str:
        self._deframer = RtuDeframer(request_length)
        return self._port.open()

    async def stop(self) -> None:
        self._port.close()

    def _received(self, data: bytes) -> None:
        for unit, request in self._deframer.receive(data):
            drop = self._drops.get(unit)
            if drop is not None:
                answer = encode_rtu(unit, drop.server.respond(request, self._clock()))
                send_answer(self._port, answer, drop.misbehave)
            elif unit == ALL_UNITS:
                for each in self._drops.values():
                    each.server.respond(request, self._clock())


@dataclass(frozen=True, slots=True)
class _Drop:
    """One machine on the line or behind the address."""

    server: Responder
    misbehave: Misbehave | None


def _connect(drops: dict[int, _Drop], machine: Machine | Responder, unit: int, misbehave: Misbehave | None) -> None:
    if unit in drops or not 1 <= unit <= MAX_UNIT:
        raise ValueError(f"unit {unit} is taken, or not from 1 to {MAX_UNIT}")
    drops[unit] = _Drop(machine if isinstance(machine, Responder) else ModbusServer(machine), misbehave)
