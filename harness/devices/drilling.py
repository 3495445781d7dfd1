"""How drills are held: what hands and driver do together when something is provoked, whatever the kind of device."""

from collections.abc import Awaitable, Callable

from feltrig.harness.devices.failures import CannotBeDone, Faulted, Stalled
from feltrig.harness.devices.hands import TRIES, Hands
from feltrig.protocols.messages import Value

BEFORE, AFTER = "deck before the drill", "deck after the drill"
"""What the reader looks at in a drill."""

Act = Callable[[], Awaitable[None]]


async def faults(hands: Hands, command: str, done: str, **values: Value) -> bool:
    """Command something that is bound to fail; whether the device reported a fault. What it says of its state then
    goes on record."""
    try:
        await hands.driver.perform(command, done, **values)
    except Faulted:
        await hands.driver.status()
        return True
    await hands.driver.rest()
    return False


async def recover(hands: Hands) -> None:
    """Clear the device after a fault and reset it. What it says of its state then goes on record."""
    await hands.recover()
    await hands.driver.status()


async def stopped_at_work(hands: Hands, ready: Act, undo: Act, command: str, done: str, **values: Value) -> bool:
    """Let hands press the stop button while the device works, again if they were late; whether a fault was reported.
    Raises CannotBeDone when there is no such button, or hands were late each time."""
    await hands.need_stop_button()
    for _ in range(TRIES):
        hands.need_time("stop_at_work", command)
        await ready()
        await hands.operator.stop_at_work(hands.kind)
        if await faults(hands, command, done, **values):
            return True
        in_time = await hands.operator.pressed_in_time(hands.kind)
        await _settle(hands)
        await undo()
        if in_time:
            return False
    raise CannotBeDone(hands.kind, "stop_at_work", "it had done its work each time")


async def _settle(hands: Hands) -> None:
    """Clear what a late hand has done to a device at rest."""
    try:
        await hands.driver.pending()
    except Faulted:
        await recover(hands)


async def cut_at_work(hands: Hands, ready: Act, undo: Act, command: str, **values: Value) -> None:
    """Let hands cut the power while the device works, again if they were late, and give it back. Raises CannotBeDone
    when it had done its work each time."""
    for _ in range(TRIES):
        hands.need_time("cut_power_at_work", command)
        await ready()
        await hands.operator.cut_power_at_work(hands.kind)
        await hands.driver.launch(command, **values)
        in_time = await hands.driver.lost()
        if not in_time and not await hands.driver.gone():
            raise CannotBeDone(hands.kind, "cut_power_at_work", "it still answers")
        hands.powerless()
        await hands.power_on()
        await _started(hands)
        await hands.driver.rest()
        if in_time:
            return
        await undo()
    raise CannotBeDone(hands.kind, "cut_power_at_work", "it had done its work each time")


async def _started(hands: Hands) -> None:
    """Wait until the device says that it has started. Where the rig makes noise, its silence may have been that."""
    try:
        await hands.driver.until("started")
    except Stalled:
        if not hands.driver.disturbed:
            raise
        raise CannotBeDone(hands.kind, "cut_power_at_work", "noise on its wire may have passed for it") from None


async def gather(hands: Hands) -> None:
    """Take every card out of the machine, and gather the deck at its place."""
    await hands.operator.clear(hands.kind)
    await hands.operator.gather(hands.deck)


async def look(hands: Hands, what: str = AFTER) -> None:
    """Show the deck to the reader, and put it back."""
    await hands.read_deck(what)


async def nothing() -> None:
    """Where there is nothing to prepare or to undo."""
