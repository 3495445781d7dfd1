"""What a device must remember: its last events, and the tokens of its last commands."""

from collections.abc import Mapping

from feltrig.harness.devices import DEVICES
from feltrig.harness.journal.writer import Journal
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import Refused

EVENTS = 64
TOKENS = 8
"""The least that a device must keep, as the documents of the wires say."""


async def judged(driver: Driver, _journal: Journal) -> Mapping[str, str | None]:
    """What is wrong with each memory; None when nothing."""
    return {"events": await _events(driver), "tokens": await _tokens(driver) or await _quiet_token(driver)}


async def _events(driver: Driver) -> str | None:
    """More events are made than must be kept, so that a smaller memory shows."""
    for _ in range(EVENTS - (await driver.rest()).latest + 1):
        await driver.perform("reset", "cleared")
    status = await driver.rest()
    if not 1 <= status.oldest <= status.latest:
        return f"events {status.oldest} to {status.latest} are reported as kept, but events are numbered from 1"
    first = status.latest - EVENTS + 1
    if status.oldest > first:
        return f"events {status.oldest} to {status.latest} are reported as kept; expected the last {EVENTS}"
    missing = set(range(first, status.latest + 1)) - {event.number for event in await driver.recalled(first - 1)}
    return f"event {min(missing)} is missing, although it is one of the last {EVENTS}" if missing else None


async def _tokens(driver: Driver) -> str | None:
    await driver.perform("reset", "cleared")
    first = driver.done
    assert first is not None
    for _ in range(TOKENS - 1):
        await driver.perform("reset", "cleared")
    before = await driver.rest()
    try:
        await driver.repeat(first)
    except Refused as refusal:
        return (
            f"a repeat after {TOKENS - 1} other commands was answered {refusal.error}, expected the same answer again"
        )
    after = await driver.rest()
    await driver.pending()
    return f"a repeat after {TOKENS - 1} other commands was acted on" if after.latest != before.latest else None


async def _quiet_token(driver: Driver) -> str | None:
    """The same with a command that causes no event: only the state shows whether the device acted again."""
    quiet = DEVICES[driver.kind.name].quiet
    if quiet is None:
        return None
    await driver.call(quiet.command)
    first = driver.done
    assert first is not None
    await (driver.call(quiet.undo) if quiet.undone is None else driver.perform(quiet.undo, quiet.undone))
    before = await driver.rest()
    await driver.repeat(first)
    after = await driver.rest()
    return f"a repeat of {quiet.command} was acted on" if after.state is not before.state else None
