"""A serial port that carries a profile's messages in its frames."""

import asyncio
from collections.abc import Callable

from feltrig.protocols.errors import LineLost
from feltrig.protocols.lines.line import Line, open_line
from feltrig.protocols.messages import NO_FRAME, WRONG_CHECK, Tap, Unread
from feltrig.protocols.profiles.dialogue import Parcel
from feltrig.protocols.profiles.framing import Deframer
from feltrig.protocols.profiles.message_channel import MessageChannel
from feltrig.protocols.profiles.profile import Profile, SerialSettings

SILENCE = 0.25
"""Seconds without a byte after which an incomplete frame never will be whole; some 25 characters at 1200 baud."""


class SerialLine:
    """The driver's end of the line."""

    def __init__(self, settings: SerialSettings, port: str, baud: int | None, deadline: float, tap: Tap | None) -> None:
        self.name = port
        self._deadline = deadline
        self._settings = settings
        self._baud = baud or settings.baud
        self._tap = tap
        self._line: Line | None = None
        self._deframer = Deframer(settings.says)
        self._silence: asyncio.TimerHandle | None = None
        self._hear: Callable[[Parcel], None]
        self._noise: Callable[[Unread], None]

    async def open(
        self, hear: Callable[[Parcel], None], noise: Callable[[Unread], None], lost: Callable[[str], None]
    ) -> None:
        if self._line is not None:
            return
        self._hear, self._noise = hear, noise

        def hung_up(reason: str) -> None:
            self._drop()
            lost(reason)

        settings = self._settings
        self._deframer = Deframer(settings.says)
        self._line = await open_line(
            self.name,
            self._baud,
            self._received,
            hung_up,
            bytesize=settings.bits,
            parity=settings.parity,
            stopbits=settings.stop,
            deadline=self._deadline,
        )

    async def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._drop()

    def send(self, parcel: Parcel) -> None:
        self.send_raw(Parcel("", self._settings.hears.frame(parcel.payload)))

    def send_raw(self, parcel: Parcel) -> None:
        if self._line is None:
            raise LineLost(f"{self.name}: not open")
        if self._tap is not None:
            self._tap(True, parcel.payload)
        self._line.write(parcel.payload)

    def _received(self, data: bytes) -> None:
        if self._tap is not None:
            self._tap(False, data)
        if self._silence is not None:
            self._silence.cancel()
        self._deliver(self._deframer.receive, data)
        self._silence = None
        if self._deframer.waiting:
            self._silence = asyncio.get_running_loop().call_later(SILENCE, self._give_up)

    def _give_up(self) -> None:
        self._silence = None
        self._deliver(lambda _: self._deframer.silence(), b"")

    def _deliver(self, cut: Callable[[bytes], list[bytes]], data: bytes) -> None:
        deframer = self._deframer
        rejected = deframer.rejected_bytes
        payloads = cut(data)
        broken, deframer.broken = deframer.broken, []
        for payload in broken:
            self._noise(Unread(WRONG_CHECK, payload))
        if deframer.rejected_bytes > rejected and not broken:
            self._noise(Unread(NO_FRAME, deframer.rejected))
        for payload in payloads:
            self._hear(Parcel("", payload))

    def _drop(self) -> None:
        self._line = None
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None


def serial_channel(
    profile: Profile, port: str, baud: int | None = None, deadline: float = 2.0, tap: Tap | None = None
) -> MessageChannel:
    """The driver's end of a profile on a serial port; without a baud rate, at that of the profile."""
    assert profile.serial is not None
    return MessageChannel(profile, SerialLine(profile.serial, port, baud, deadline, tap), deadline)
