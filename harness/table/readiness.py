"""Brings the devices of a rig to rest before a run, or before a part of it is done again."""

from contextlib import suppress
from typing import TYPE_CHECKING

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.rig.model import Rig
from feltrig.harness.table.sessions import used_kinds
from feltrig.protocols.vocabulary import State

if TYPE_CHECKING:  # a rig is wired by what runs it
    from feltrig.harness.wires.connecting import WiredRig

PAST = 8
"""How many events are looked back at to learn whether something was left open."""


async def make_ready(rig: Rig, wired: "WiredRig", *, again: bool = False) -> None:
    """A real device may have been left in the middle of something, by an interrupted run or by somebody. If something
    is to be done `again`, that is certain: the machines are emptied, and what they reported is passed over."""
    for kind in used_kinds(rig.game):
        device, driver = rig.device(kind), wired.devices.get(kind)
        if device is None or driver is None or driver.found is None or (device.profile is not None and not again):
            continue
        state = driver.found.state
        if again or state is State.BUSY:
            state = (await driver.rest()).state
        if DEVICES[kind].handles_cards and (state is State.FAULT or (again and DEVICES[kind].planned)):
            await wired.operator.clear(kind)
        if state is State.FAULT:
            with suppress(Faulted):  # the state has said so
                await driver.pending()
            await driver.perform("reset", "cleared")
        if (restore := DEVICES[kind].restore) is not None:
            telling = (*restore.after, restore.done)
            events = await (driver.recalled(max(0, (await driver.status()).latest - PAST)) if again else driver.past())
            past = [event.name for event in events if event.name in telling]
            if past and past[-1] in restore.after:
                await driver.perform(restore.command, restore.done)
