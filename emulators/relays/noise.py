"""Noise on a wire, below any protocol: what becomes of each chunk of bytes that passes. Pure: the time is an argument,
and the same seed and the same traffic give the same noise."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf

from feltrig.protocols.schema import Choice, Number, Whole, key

FOR_EVER = 0

LINE, STREAM, BROKER = "line", "stream", "broker"
"""What bytes travel on: a serial line, a TCP connection, or a connection to an MQTT broker, which is a stream too."""

DIRECTIONS: Mapping[str, tuple[bool, ...]] = {"to_device": (True,), "from_device": (False,), "both": (True, False)}
"""The directions by name, and for each whether bytes that are outgoing (from the driver to the device) belong to it."""


@dataclass(frozen=True, slots=True)
class NoiseType:
    """One sort of noise."""

    effect: str
    seconds: float = inf
    """How long, when nothing else is said."""
    alters: bool = False
    """Whether other bytes arrive than were sent, or not in their order. TCP itself lets none of these through: on a
    stream they are the work of a broken gateway, and nothing in Modbus TCP or MQTT would show it."""
    media: tuple[str, ...] = (LINE, STREAM)


NOISES: Mapping[str, NoiseType] = {
    "corrupt": NoiseType("a few bits of the chunk are flipped", alters=True),
    "drop": NoiseType("some bytes in a row are lost, or the whole chunk", alters=True),
    "duplicate": NoiseType("the chunk comes twice", alters=True),
    "reorder": NoiseType("the chunk comes after the next one of its direction", alters=True),
    "garbage": NoiseType("bytes that nobody sent come before the chunk", alters=True),
    "delay": NoiseType("the chunk comes later by `seconds`, and what follows waits for it", 0.05),
    "split": NoiseType("the chunk comes in pieces, with `seconds` between them", 0.002),
    "half_open": NoiseType("its direction is dead for `seconds`; its bytes are lost, or on TCP come afterwards"),
    "disconnect": NoiseType("the line drops, and can be opened again after `seconds`"),
    "broker_restart": NoiseType(
        "the broker drops all connections, and refuses new ones for `seconds`", media=(BROKER,)
    ),
    "wrong_baud": NoiseType(
        "for `seconds`, every byte in both directions turns into a different one", alters=True, media=(LINE,)
    ),
}
"""Every sort of noise, by name."""

MOST_FLIPS = 3
MOST_PIECES = 4
MOST_GARBAGE = 12


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Noise of one sort. From the `at`-th chunk of its direction on, each is struck with a probability, until so many
    `times` have been; 0 is for ever. Without `seconds` the sort's own hold."""

    what: str = key(Choice(NOISES), "sort of noise, see below")
    direction: str = key(Choice(DIRECTIONS), "which bytes it strikes", "both")
    at: int = key(Whole(1, 1_000_000), "the first chunk of bytes that it may strike, counted from 1", 1)
    probability: float = key(Number(0.000_001, 1), "how likely it is to strike a chunk", 1.0)
    times: int = key(Whole(FOR_EVER, 1_000_000), "how often it strikes; 0 for no limit", 1)
    seconds: float | None = key(Number(0, 86_400), "how long it lasts; without it, see below", None)

    def __post_init__(self) -> None:
        for good, name, value, expected in (
            (self.what in NOISES, "what", self.what, f"one of {', '.join(NOISES)}"),
            (self.direction in DIRECTIONS, "direction", self.direction, f"one of {', '.join(DIRECTIONS)}"),
            (self.at >= 1, "at", self.at, "1 or more"),
            (0 < self.probability <= 1, "probability", self.probability, "more than 0, at most 1"),
            (self.times >= 0, "times", self.times, "1 or more, or 0 for ever"),
            (self.seconds is None or self.seconds >= 0, "seconds", self.seconds, "0 or more"),
        ):
            if not good:
                raise ValueError(f"noise {self.what}: {name} {value!r}: expected {expected}")

    @property
    def lasts(self) -> float:
        """Seconds that it lasts."""
        return NOISES[self.what].seconds if self.seconds is None else self.seconds


Pieces = list[tuple[float, bytes]]
"""What is delivered, in order: seconds to wait after what comes before, and bytes."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What becomes of a chunk: the pieces to deliver, and the seconds for which the line is then down, if it drops."""

    pieces: Pieces
    down: float | None = None


class Noise:
    """The noise of one wire. On a `stream` (TCP) a dead direction holds the bytes back, as retransmission does; on a
    line they are lost."""

    def __init__(self, disturbances: Iterable[Disturbance], seed: int | str, *, stream: bool = False) -> None:
        self.struck: Counter[str] = Counter()
        """How often each sort has struck."""
        self._sources = [_Source(d, random.Random(f"{seed}/noise/{n}")) for n, d in enumerate(disturbances)]
        self._babble = random.Random(f"{seed}/noise/baud")
        self._stream = stream
        self._dead_until = {True: -inf, False: -inf}
        self._wrong_until = -inf
        self._held: dict[bool, bytes] = {}

    def passes(self, outgoing: bool, chunk: bytes, now: float) -> Passage:
        """What becomes of a chunk that comes from the driver (outgoing) or from the device."""
        pieces: Pieces = [(0.0, chunk)]
        for source in self._sources:
            if not source.strikes(outgoing):
                continue
            what, lasts = source.disturbance.what, source.disturbance.lasts
            self.struck[what] += 1
            match what:
                case "disconnect" | "broker_restart":
                    self.reopened()
                    return Passage([], lasts)
                case "half_open":
                    self._dead_until[outgoing] = now + lasts
                case "wrong_baud":
                    self._wrong_until = now + lasts
                case "reorder" if outgoing not in self._held:
                    self._held[outgoing] = b"".join(data for _, data in pieces)
                    pieces = []
                case "delay":
                    pieces = [(pause + lasts * (n == 0), data) for n, (pause, data) in enumerate(pieces)]
                case "split":
                    pieces = [piece for whole in pieces for piece in _split(source.random, whole, lasts)]
                case _:
                    pieces = [piece for whole in pieces for piece in _SPOIL.get(what, _keep)(source.random, whole)]
        if pieces and outgoing in self._held:
            pieces.append((0.0, self._held.pop(outgoing)))
        return Passage(self._weather(outgoing, pieces, now))

    def reopened(self) -> None:
        """Forget what was held back: it belonged to a connection that has ended."""
        self._held.clear()

    def _weather(self, outgoing: bool, pieces: Pieces, now: float) -> Pieces:
        """What a lasting state of the line makes of the pieces."""
        if now < self._wrong_until:
            pieces = [(pause, self._babble.randbytes(len(data))) for pause, data in pieces]
        left = self._dead_until[outgoing] - now
        if left > 0:
            if not self._stream or left == inf:
                return []
            pieces = [(pause + left * (n == 0), data) for n, (pause, data) in enumerate(pieces)]
        return pieces


class _Source:
    """Says when a disturbance strikes."""

    def __init__(self, disturbance: Disturbance, rng: random.Random) -> None:
        self.disturbance = disturbance
        self.random = rng
        self._directions = DIRECTIONS[disturbance.direction]
        self._seen = 0
        self._struck = 0

    def strikes(self, outgoing: bool) -> bool:
        """Count one more chunk; whether it is struck."""
        mine = self.disturbance
        if outgoing not in self._directions:
            return False
        self._seen += 1
        if self._seen < mine.at or (mine.times != FOR_EVER and self._struck >= mine.times):
            return False
        if self.random.random() >= mine.probability:
            return False
        self._struck += 1
        return True


def _corrupt(rng: random.Random, piece: tuple[float, bytes]) -> Pieces:
    pause, data = piece
    spoilt = bytearray(data)
    for bit in rng.sample(range(8 * len(data)), min(rng.randint(1, MOST_FLIPS), 8 * len(data))):
        spoilt[bit // 8] ^= 1 << bit % 8
    return [(pause, bytes(spoilt))]


def _drop(rng: random.Random, piece: tuple[float, bytes]) -> Pieces:
    pause, data = piece
    if rng.random() < 0.5:
        return []
    first = rng.randrange(len(data))
    end = rng.randint(first + 1, len(data))
    left = data[:first] + data[end:]
    return [(pause, left)] if left else []


def _duplicate(rng: random.Random, piece: tuple[float, bytes]) -> Pieces:
    return [piece, (0.0, piece[1])]


def _garbage(rng: random.Random, piece: tuple[float, bytes]) -> Pieces:
    pause, data = piece
    return [(pause, rng.randbytes(rng.randint(1, MOST_GARBAGE))), (0.0, data)]


def _keep(rng: random.Random, piece: tuple[float, bytes]) -> Pieces:
    return [piece]


_SPOIL: Mapping[str, Callable[[random.Random, tuple[float, bytes]], Pieces]] = {
    "corrupt": _corrupt,
    "drop": _drop,
    "duplicate": _duplicate,
    "garbage": _garbage,
}


def _split(rng: random.Random, piece: tuple[float, bytes], between: float) -> Pieces:
    pause, data = piece
    if len(data) < 2:
        return [piece]
    cuts = sorted(rng.sample(range(1, len(data)), min(rng.randint(1, MOST_PIECES - 1), len(data) - 1)))
    ends = [*cuts, len(data)]
    pieces = [data[start:end] for start, end in zip([0, *cuts], ends, strict=True)]
    return [(pause if n == 0 else between, part) for n, part in enumerate(pieces)]
