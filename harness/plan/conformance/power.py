"""Takes the power from a device and gives it back, and makes sure of both."""

import asyncio
from time import monotonic

from feltrig.harness.devices.failures import CannotBeDone, Stalled
from feltrig.harness.journal.records import PowerSwitched
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.protocols.errors import LineLost, NotAdmitted, SilentConnection, WireError
from feltrig.protocols.messages import Reply, Request, Status, TimedChannel

STARTED_WITHIN = 180.0
"""Seconds in which a machine has started when its power is back. No document limits that."""

CUT_WITHIN = 300.0
"""Seconds in which a hand has cut the power of a machine that works."""

LOOK_AGAIN = 0.05


async def power_off(stage: Stage) -> None:
    """Take the power from the device. Raises CannotBeDone, also if it still answers when that was asked for twice."""
    for _ in range(2):
        await stage.operator.power_off(stage.device.kind)
        stage.journal.append(PowerSwitched(stage.prober.name, on=False))
        if stage.device.emulator is not None or not await _answers(stage):
            return
    raise CannotBeDone(stage.device.kind, "power_off", "it still answers")


async def cut_at_work(stage: Stage, command: Request, seconds: float) -> Reply:
    """Give a command, and have the power cut while the device works. Raises CannotBeDone."""
    kind, name = stage.device.kind, stage.prober.name
    stage.hands.need_time("cut_power_at_work", command.command)
    await stage.operator.cut_power_at_work(kind)
    reply = await _sent(stage, command)
    if stage.device.emulator is not None:
        await asyncio.sleep(seconds)
        await stage.operator.power_off(kind)
    else:
        give_up = monotonic() + CUT_WITHIN
        while await _answers(stage):
            if monotonic() > give_up:
                raise CannotBeDone(kind, "cut_power_at_work", "it still answers")
            await asyncio.sleep(LOOK_AGAIN)
    stage.journal.append(PowerSwitched(name, on=False))
    return reply


async def _sent(stage: Stage, command: Request) -> Reply:
    """The answer to a command. Quick hands have cut the power of a real device before it came: that is no trouble."""
    if stage.device.emulator is not None:
        return await stage.prober.send(command)
    try:
        return await stage.channel.request(command)
    except WireError:
        return Reply()


async def power_on(stage: Stage) -> Status:
    """Give the device its power back, and wait until it answers; its status. Raises Stalled."""
    await stage.operator.power_on(stage.device.kind)
    stage.journal.append(PowerSwitched(stage.prober.name, on=True))
    give_up = monotonic() + STARTED_WITHIN
    while not await _answers(stage):
        if monotonic() > give_up:
            raise Stalled(stage.prober.name, "answer", f"within {STARTED_WITHIN:g} s after its power came back")
        await asyncio.sleep(LOOK_AGAIN)
    if isinstance(stage.channel, TimedChannel):
        stage.channel.time_anew()
    return await stage.prober.rest()


async def _answers(stage: Stage) -> bool:
    """Whether the device answers. A line that was lost with the power is opened again; that is no trouble."""
    try:
        await stage.channel.request(Request("status", {}, stage.prober.new_token()))
    except (LineLost, SilentConnection):
        try:
            await stage.channel.close()
            await stage.channel.open()
        except NotAdmitted:
            raise
        except WireError:
            pass
        return False
    except WireError:
        return False
    return True
