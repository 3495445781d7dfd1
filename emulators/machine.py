"""What a station needs of a model, and what a caller needs of a station."""

from typing import Protocol

from feltrig.protocols.messages import EventBatch, Identity, Reply, Request, Status
from feltrig.protocols.vocabulary import Kind


class Machine(Protocol):
    """A model of a device. Pure: the time is an argument, in seconds, and never runs backwards."""

    kind: Kind
    identity: Identity

    def handle(self, request: Request, now: float) -> Reply:
        """Act on a command (any but `events`); a repeated token of an acting command gets the same answer again."""

    def events(self, after: int, now: float, limit: int) -> EventBatch:
        """The status and at most `limit` events after a number."""

    def advance(self, now: float) -> None:
        """Let the time pass: whatever was due by now has happened."""

    def due(self) -> float | None:
        """When something happens by itself, or None."""

    def status(self, now: float) -> Status:
        """What the device is doing."""


class Station(Protocol):
    """Serves one machine (or several, on a shared line) on a real wire until stopped."""

    async def start(self) -> str:
        """Begin to serve; returns where, as a driver would name it: a port's path, `host:port`, or a topic."""

    async def stop(self) -> None:
        """Stop serving and release the wire; nothing is left running."""
