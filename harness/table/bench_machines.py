"""Hands at the emulated machines themselves: their power, their stop button, a lid, dice, something in the way."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.emulators.bench import Bench
from feltrig.emulators.machine import Machine
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import Device
from feltrig.harness.devices.failures import CannotBeDone
from feltrig.protocols.vocabulary import FaultCode


@dataclass(frozen=True, slots=True)
class EmulatedMachine:
    """An emulated device within reach, and how its station has it."""

    device: Device[Any]
    served: Machine
    """Time passes in it through this: a user's function may fail then."""


@dataclass(frozen=True, slots=True)
class BenchMachines:
    """The part of an `Operator` that touches machines, for those that are emulated. They are by their kind."""

    bench: Bench
    machines: Mapping[str, EmulatedMachine]
    clock: Callable[[], float] = time.monotonic

    async def clear(self, device: str) -> None:
        """Take the cards out of a device, and remove what blocks it."""
        self.bench.clear(self.machines[device].device.board.name)
        if "release-lid" in MODELS[device].by_hand:
            self._act(device, "release-lid")

    async def block(self, device: str) -> None:
        """Hold a card in the way of a device, or its lid."""
        if "hold-lid" in MODELS[device].by_hand:
            self._act(device, "hold-lid")
        elif MODELS[device].moves_cards:
            self.bench.obstruct(f"{self.machines[device].device.board.name}.inside")
        else:
            raise CannotBeDone(device, "block")

    async def power_off(self, device: str) -> None:
        """Take the power from a device until `power_on`."""
        self._now(device).board.switch_off()

    async def power_on(self, device: str) -> None:
        """Give a device its power back."""
        self._now(device).board.switch_on()

    async def cut_power_at_work(self, device: str) -> None:
        """Cut the power half-way through what the device does next."""
        board = self._now(device).board
        board.interrupt(board.switch_off, MODELS[device].mid_work)

    async def stop_at_work(self, device: str) -> None:
        """Press the stop button half-way through what the device does next."""
        board = self._now(device).board
        board.interrupt(lambda: board.fail(FaultCode.STOPPED), MODELS[device].mid_work)

    def reaction(self, device: str) -> float:
        """Hands act at the moment that they are told, however short the work."""
        return 0.0

    async def has_stop_button(self, device: str) -> bool:
        """All of them have one."""
        return True

    async def pressed_in_time(self, device: str) -> bool:
        """They are never late."""
        return True

    async def empty_at_work(self, device: str) -> None:
        """Take the cards from the entry half-way through what the device does next."""
        machine, model = self._now(device), MODELS[device]
        if not model.moves_cards:
            raise CannotBeDone(device, "empty_at_work")
        entries = [place for place in machine.mechanism.places if place.split(".")[1] in ("in", "well")]

        def empty() -> None:
            for place in entries:
                self.bench.move_all(place, "table")

        machine.board.interrupt(empty, model.mid_work, goes_on=True)

    async def lift_lid(self, device: str) -> None:
        """Lift the lid of a device that rests."""
        self._act(device, "lift-lid")

    async def lift_lid_at_work(self, device: str) -> None:
        """Lift the lid half-way through what the device does next."""
        machine = self._now(device)
        lift = self._action(device, "lift-lid")

        def act() -> None:
            lift(machine.mechanism, machine.board.now)

        machine.board.interrupt(act, MODELS[device].mid_work)

    async def tilt_die(self, device: str) -> None:
        """Lean a die against the wall."""
        self._act(device, "tilt-die")

    async def remove_die(self, device: str) -> None:
        """Take a die out."""
        self._act(device, "remove-die")

    async def return_die(self, device: str) -> None:
        """Lay all dice into the device, flat."""
        self._act(device, "return-die")

    def _act(self, device: str, what: str) -> None:
        act = self._action(device, what)
        act(self._now(device).mechanism, self.clock())

    def _action(self, device: str, what: str) -> Callable[[Any, float], Mapping[str, object]]:
        action = MODELS[device].by_hand.get(what)
        if action is None:
            raise CannotBeDone(device, what.replace("-", "_"))
        return action.act

    def _now(self, device: str) -> Device[Any]:
        """The device, once it has done all that was due."""
        machine = self.machines[device]
        machine.served.advance(self.clock())
        return machine.device
