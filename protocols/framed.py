"""The frames of a wire as they passed: both directions cut into frames, and what lies between them kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from feltrig.protocols.sniffing import Cutter, Deframes


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that are one frame, or that belong to none."""

    outgoing: bool
    data: bytes
    is_frame: bool


class Framed(Protocol):
    """Listens to both directions of one device's wire. Never raises, whatever it hears."""

    def hear(self, outgoing: bool, data: bytes) -> Sequence[Piece]:
        """The pieces that these bytes complete."""

    def end(self) -> Sequence[Piece]:
        """What was left of a frame that never became whole; nothing is heard after it."""


class CutFrames:
    """Cuts both directions with the deframers of a protocol.

    `encode` gives the bytes of a frame that its neighbours do not share, `shown` those that are shown for it. With
    `in_turn` an answer that is not whole when the next question goes out never will be. `padding` are bytes that say
    nothing between frames.
    """

    def __init__(
        self,
        deframer: Callable[[bool], Deframes[Any]],
        encode: Callable[[Any], bytes],
        shown: Callable[[Any], bytes] | None = None,
        *,
        in_turn: bool = False,
        padding: bytes = b"",
    ) -> None:
        self._deframer, self._encode = deframer, encode
        self._shown = shown or encode
        self._in_turn = in_turn
        self._padding = padding
        self._cutters = {outgoing: self._cutter(outgoing) for outgoing in (True, False)}

    def hear(self, outgoing: bool, data: bytes) -> list[Piece]:
        pieces = self._given_up(False) if outgoing and self._in_turn else []
        for piece in self._cutters[outgoing].receive(data):
            if isinstance(piece, bytes):
                pieces += self._noise(outgoing, piece)
            else:
                pieces.append(Piece(outgoing, self._shown(piece), True))
        return pieces

    def end(self) -> list[Piece]:
        return [*self._given_up(True), *self._given_up(False)]

    def _cutter(self, outgoing: bool) -> Cutter[Any]:
        return Cutter(self._deframer(outgoing), self._encode)

    def _given_up(self, outgoing: bool) -> list[Piece]:
        rest = self._cutters[outgoing].rest()
        if rest:
            self._cutters[outgoing] = self._cutter(outgoing)
        return self._noise(outgoing, rest)

    def _noise(self, outgoing: bool, data: bytes) -> list[Piece]:
        padding = all(byte in self._padding for byte in data)
        return [] if padding else [Piece(outgoing, data, False)]


class Unframed:
    """A wire that no deframer here can cut: bytes as they passed."""

    def hear(self, outgoing: bool, data: bytes) -> list[Piece]:
        return [Piece(outgoing, data, False)] if data else []

    def end(self) -> list[Piece]:
        return []
