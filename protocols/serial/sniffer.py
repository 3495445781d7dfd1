"""Both directions of the open serial protocol, as messages."""

from collections import deque

from feltrig.protocols.framed import CutFrames
from feltrig.protocols.messages import Request
from feltrig.protocols.serial.codec import ANSWER, serial_messages
from feltrig.protocols.serial.frame import BROADCAST, Deframer, Frame, encode
from feltrig.protocols.sniffing import Answered, Asked, Cutter, Message, NoMessage
from feltrig.protocols.vocabulary import Kind

REMEMBERED = 16
"""Questions that an answer may still belong to."""


class SerialSniffer:
    """Listens to one device on a serial line. Without an address, it is that to which the first question goes."""

    def __init__(self, kind: Kind, address: int | None = None) -> None:
        self.address = address
        self._messages = serial_messages(kind)
        self._cutters = {outgoing: Cutter(Deframer(), _body) for outgoing in (True, False)}
        self._open: deque[tuple[int, int, Asked]] = deque(maxlen=REMEMBERED)

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        messages: list[Message] = []
        for piece in self._cutters[outgoing].receive(data):
            if isinstance(piece, bytes):
                messages += _noise(outgoing, piece)
            elif self._mine(outgoing, piece.address):
                messages.append(self._asked(piece) if outgoing else self._answered(piece))
        return messages

    def end(self) -> list[Message]:
        return [noise for outgoing, cutter in self._cutters.items() for noise in _noise(outgoing, cutter.rest())]

    def _mine(self, outgoing: bool, address: int) -> bool:
        if self.address is None and outgoing:
            self.address = address
        return address == self.address or (outgoing and address == BROADCAST)

    def _asked(self, frame: Frame) -> Message:
        request = self._messages.read_request(frame.code, frame.data)
        if not isinstance(request, Request):
            return NoMessage(True, f"code {frame.code:#04x}: {request.name.lower().replace('_', ' ')}", encode(*frame))
        asked = Asked(request)
        self._open.append((frame.seq, frame.code, asked))
        return asked

    def _answered(self, frame: Frame) -> Message:
        asked = self._asker(frame)
        if asked is None:
            return NoMessage(False, f"an answer to seq {frame.seq} without a question", encode(*frame))
        command = asked.request.command
        try:
            if command == "events":
                return Answered(asked, self._messages.read_events(frame.data))
            return Answered(asked, self._messages.read_reply(command, frame.data))
        except ValueError as error:
            return NoMessage(False, f"{command}: {error}", encode(*frame))

    def _asker(self, frame: Frame) -> Asked | None:
        for seq, code, asked in reversed(self._open):
            if (seq, code | ANSWER) == (frame.seq, frame.code):
                return asked
        return None


def framed() -> CutFrames:
    """The frames of a line, each with its zeros."""
    return CutFrames(lambda outgoing: Deframer(), _body, lambda frame: encode(*frame), padding=b"\0")


def _body(frame: Frame) -> bytes:
    """A frame without the zeros around it, which two frames may share."""
    return encode(*frame)[1:-1]


def _noise(outgoing: bool, data: bytes) -> list[Message]:
    return [NoMessage(outgoing, "bytes that make no frame", data)] if data.strip(b"\0") else []
