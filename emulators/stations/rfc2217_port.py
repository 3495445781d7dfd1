"""A serial port as RFC 2217: telnet, in which the client also says how the line is set up. A pseudo terminal cannot
tell that to whoever serves it; here the emulator sees baud rate, parity, DTR, RTS and break."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from serial import rfc2217

from feltrig.emulators.stations.tcp_listener import LOOPBACK
from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort
from feltrig.protocols.lines.fd_line import FdLine

LONGEST_OPTION = 64
"""Bytes of one telnet sub-option; RFC 2217 needs five, and its signature is a short text."""

IAC, IAC_DOUBLED = b"\xff", b"\xff\xff"


@dataclass(slots=True)
class LineSetup:
    """How the client has set up the line, and the modem lines that it sees. The names are pyserial's."""

    baudrate: int = 9600
    bytesize: int = 8
    parity: str = "N"
    stopbits: float = 1
    xonxoff: bool = False
    rtscts: bool = False
    dtr: bool = False
    rts: bool = False
    break_condition: bool = False
    cts: bool = True
    dsr: bool = True
    ri: bool = False
    cd: bool = True

    def reset_input_buffer(self) -> None:
        """Nothing is held back, so there is nothing to throw away."""

    def reset_output_buffer(self) -> None:
        """Nothing is held back here either."""


class _Telnet(rfc2217.PortManager):
    """pyserial's server side, which leaves some requests without the answer that RFC 2217 demands: clients wait."""

    def _telnet_process_subnegotiation(self, suboption: bytes) -> None:
        super()._telnet_process_subnegotiation(suboption)  # type: ignore[misc]  # in the code, not in its stubs
        if suboption[:1] != rfc2217.COM_PORT_OPTION:
            return
        match suboption[1:2], suboption[2:3]:
            case rfc2217.SET_LINESTATE_MASK, mask:
                self.rfc2217_send_subnegotiation(rfc2217.SERVER_SET_LINESTATE_MASK, mask)
            case rfc2217.SET_MODEMSTATE_MASK, mask:
                self.rfc2217_send_subnegotiation(rfc2217.SERVER_SET_MODEMSTATE_MASK, mask)
            case rfc2217.SET_CONTROL, rfc2217.SET_CONTROL_REQ_BREAK_STATE:
                self._tell(self.serial.break_condition, rfc2217.SET_CONTROL_BREAK_ON, rfc2217.SET_CONTROL_BREAK_OFF)
            case rfc2217.SET_CONTROL, rfc2217.SET_CONTROL_REQ_DTR:
                self._tell(self.serial.dtr, rfc2217.SET_CONTROL_DTR_ON, rfc2217.SET_CONTROL_DTR_OFF)
            case rfc2217.SET_CONTROL, rfc2217.SET_CONTROL_REQ_RTS:
                self._tell(self.serial.rts, rfc2217.SET_CONTROL_RTS_ON, rfc2217.SET_CONTROL_RTS_OFF)

    def _tell(self, state: bool, on: bytes, off: bytes) -> None:
        self.rfc2217_send_subnegotiation(rfc2217.SERVER_SET_CONTROL, on if state else off)


class Rfc2217Port:
    """A serial port on TCP whose bytes go through telnet."""

    def __init__(self, on_data: Callable[[bytes], None], host: str = LOOPBACK, port: int = 0) -> None:
        self.setup = LineSetup()
        """How the client has set up the line; it stays so when the client leaves, as on a real port."""
        self._on_data = on_data
        self._port = TcpSerialPort(self._received, host, port, self._greet)
        self._telnet: _Telnet

    def open(self) -> str:
        """Begin to listen; returns `rfc2217://host:port`. A port in use is an OSError."""
        return self._port.open().replace("socket:", "rfc2217:", 1)

    def close(self) -> None:
        self._port.close()

    def send(self, data: bytes) -> None:
        self._port.send(data.replace(IAC, IAC_DOUBLED))

    def _greet(self, line: FdLine) -> None:
        # it asks only for what a LineSetup and a FdLine have, though its stubs say Serial
        self._telnet = _Telnet(cast("Any", self.setup), cast("Any", line))

    def _received(self, data: bytes) -> None:
        try:
            plain = b"".join(self._telnet.filter(data))
        except (TypeError, ValueError, KeyError, struct.error):
            # pyserial's way to say that an option broke off or has no such value: no RFC 2217 client sends that
            self._port.disconnect()
            return
        if len(self._telnet.suboption or b"") > LONGEST_OPTION:
            self._port.disconnect()
        elif plain:
            self._on_data(plain)
