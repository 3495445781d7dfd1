"""Changes inside a model: its board, its moving parts and what they count. What they override they can still call."""

from collections.abc import Callable
from typing import Any

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.faults import FOR_EVER, Fault
from feltrig.emulators.saboteur.mutant import Change, Victim

Override = Callable[..., Any]
"""In place of a method: gets the honest method first, then the arguments of the call."""


def part(method: str, does: Override) -> Change:
    """Another method of the mechanism, which the mechanism itself calls."""

    def change(victim: Victim) -> None:
        mechanism = victim.device.mechanism
        honest = getattr(mechanism, method)
        setattr(mechanism, method, lambda *given, **named: does(honest, *given, **named))

    return change


def board(method: str, does: Override) -> Change:
    """Another method of the board: `emit`, `clear`, `fail`, `become`, `begin`, `after`, `status`, `_boot` …"""

    def change(victim: Victim) -> None:
        control = victim.device.board
        honest = getattr(type(control), method)

        def instead(self: Board, *given: Any, **named: Any) -> Any:
            return does(lambda *a, **n: honest(self, *a, **n), *given, **named)

        # a board has no room for attributes of its own, so it gets a class of its own
        control.__class__ = type("Tampered", (type(control),), {"__slots__": (), method: instead})

    return change


def command(name: str, does: Override) -> Change:
    """Another action on a command: gets the honest action and the values; returns a Reply."""

    def change(victim: Victim) -> None:
        steps = victim.device._steps
        honest = steps[name]
        steps[name] = type(honest)(honest.args, honest.acts, honest.allowed, lambda values: does(honest.run, values))

    return change


def inside(tamper: Callable[[Victim], None]) -> Change:
    """Anything else in the model."""
    return tamper


SLOW = 0.05


def has(fault: str, at: int = 1) -> Change:
    """Has a fault of its model for ever."""
    return lambda victim: victim.device.board.inject(Fault(fault, at=at, times=FOR_EVER))


def same_after_each_start(victim: Victim) -> None:
    """Draws the same after every start, the first one too."""
    board = victim.device.board

    def reseed(_: bool) -> None:
        board.random = board.stream("the same at every start")

    reseed(True)
    board.at_boot.append(reseed)


def mechanics(function: Callable[..., Any]) -> Change:
    """Other results."""
    return lambda victim: setattr(victim.device.mechanism, "_mechanics", function)
