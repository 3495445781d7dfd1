"""A profile's machine at the end of a serial line."""

import asyncio
import time
from collections.abc import Callable

from feltrig.emulators.machine import Machine
from feltrig.emulators.models.faults import Misbehave
from feltrig.emulators.profiles.station import MessageStation, local_time
from feltrig.emulators.profiles.teller import Wall
from feltrig.emulators.stations.line_port import LinePort, MakePort, send_answer
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.protocols.profiles.dialogue import Parcel
from feltrig.protocols.profiles.framing import Deframer
from feltrig.protocols.profiles.profile import Profile, SerialSettings
from feltrig.protocols.profiles.serial_line import SILENCE


class SerialMouth:
    """Messages in the frames of a profile."""

    def __init__(self, settings: SerialSettings, port: MakePort, misbehave: Misbehave | None) -> None:
        self._settings = settings
        self._misbehave = misbehave
        self._deframer = Deframer(settings.hears)
        self._port: LinePort = port(self._received)
        self._silence: asyncio.TimerHandle | None = None
        self._hear: Callable[[Parcel], None]
        self._garbled: Callable[[], None]

    async def open(self, hear: Callable[[Parcel], None], garbled: Callable[[], None], ready: Callable[[], None]) -> str:
        self._hear, self._garbled = hear, garbled
        self._deframer = Deframer(self._settings.hears)
        return self._port.open()

    async def close(self) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        self._port.close()

    def say(self, parcel: Parcel) -> bool:
        """Send a message in its frame. What nobody reads is lost once the terminal is full, as on a cable: a device
        that speaks by itself must not fill our memory."""
        if isinstance(self._port, PtyPort) and self._port.unsent:
            return True
        send_answer(self._port, self._settings.says.frame(parcel.payload), self._misbehave)
        return True

    def _received(self, data: bytes) -> None:
        if self._silence is not None:
            self._silence.cancel()
            self._silence = None
        self._deliver(lambda: self._deframer.receive(data))
        if self._deframer.waiting:
            self._silence = asyncio.get_running_loop().call_later(SILENCE, self._deliver, self._deframer.silence)

    def _deliver(self, cut: Callable[[], list[bytes]]) -> None:
        rejected = self._deframer.rejected_bytes
        payloads = cut()
        for payload in payloads:
            self._hear(Parcel("", payload))
        if self._deframer.rejected_bytes > rejected and not payloads:
            self._garbled()


def serial_station(
    profile: Profile,
    machine: Machine,
    clock: Callable[[], float] = time.monotonic,
    misbehave: Misbehave | None = None,
    port: MakePort = PtyPort,
    wall: Wall = local_time,
) -> MessageStation:
    assert profile.serial is not None
    return MessageStation(profile, machine, SerialMouth(profile.serial, port, misbehave), clock, wall)
