"""Conformance of a device that talks by a profile of its own, as far as the profile describes it.

Every command of the profile is answered, in every state that can be reached without harm: accepted, and then done, or
refused, and then not done. What is wrong by the profile's own framing is not acted on, and the device answers the next
question. Nothing else is demanded: the open protocol is no document of such a machine.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import NamedTuple

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import OK, RESET, CommandCase
from feltrig.harness.devices.failures import Faulted, Stalled
from feltrig.harness.judge.profile_findings import COMMANDS, MALFORMED
from feltrig.harness.plan.checkpoints import Fixed, Segment
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.plan.conformance.step import play_scene
from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.scene import Scene, Tried
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import LineLost, NoAnswer, Refused
from feltrig.protocols.malformed import MalformedMessage
from feltrig.protocols.profiles.dialogue import Dialogue
from feltrig.protocols.profiles.malformed import carried_queries, wrong_messages
from feltrig.protocols.profiles.message_channel import MessageChannel
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.profiles.register_channel import RegisterChannel
from feltrig.protocols.vocabulary import State

LISTENED = 0.15
"""Seconds for which a device may answer what was wrong, before it is asked something right."""
LONGEST_WAIT = 10.0
"""Seconds after which a device that has not acted on something is believed never to do so."""
SPARE = 0.3
"""Seconds that are added to the time which the work took when it was asked for."""

SCENES = (
    Scene(COMMANDS, f"{__name__}:commands", basis="seen"),
    Scene(MALFORMED, f"{__name__}:malformed", basis="seen"),
)


def by_profile(device: DeviceConfig) -> Fixed:
    """The step: one segment for each scene. Where the rig disturbs the wire, nobody can say which bytes were wrong on
    purpose."""

    def segments() -> Iterator[Segment]:
        assert device.profile is not None
        for scene in SCENES[: 1 if device.noise else None]:
            definition = {"conformance": device.profile.digest, "device": device.name, "state": scene.name}
            run = partial(play_scene, device=device, scene=scene, taken=())
            yield Segment(f"conformance: {scene.name}", definition, run)

    return Fixed("conformance", segments())


async def commands(stage: Stage) -> AsyncIterator[Tried]:
    """Every command that the profile carries, in every state of the kind that needs no hands; what only asks, also
    while the device works."""
    profile, driver = _profile(stage), stage.prober
    queries = [CommandCase(name) for name in _queries(profile)]
    for cases in stage.kind.states:
        if stage.kind.handles_cards:
            break  # its work needs cards, and is tried in the rounds, the drills and the samples
        wanted = [case for case in cases.commands if case.expected == OK and _carries(profile, case)]
        for case in (*queries, *wanted, *queries):
            try:
                fault, note = await _try(profile, driver, case, queries)
            except NoAnswer as error:
                if not stage.device.noise:
                    yield Tried(f"{cases.state}: {case.command}", f"is not answered: {error}")
                raise
            yield Tried(f"{cases.state}: {case.command}", fault, note=note)
    if stage.kind.handles_cards:
        for case in (*queries, *([RESET] if _carries(profile, RESET) else ()), *queries):
            fault, note = await _try(profile, driver, case, queries)
            yield Tried(case.command, fault, note=note)


async def _try(
    profile: Profile, driver: Driver, case: CommandCase, queries: list[CommandCase]
) -> tuple[str | None, str]:
    """What was wrong with the answer, or with what the device did; None when all was well. And what else to note."""
    await driver.pending()
    try:
        await driver.call(case.command, **case.values)
    except Refused as refusal:
        await asyncio.sleep(LISTENED)
        events = [event.name for event in await driver.pending()]
        return (f"answered {refusal.error}, but acted on it: {', '.join(events)}" if events else None), str(refusal)
    done = _done(profile, case)
    if done is None:
        await driver.rest()
        return None, ""
    try:
        if (await driver.status()).state is State.BUSY:
            for query in queries:
                await driver.call(query.command)
        await driver.until(done)
        await driver.rest()
    except Refused as refusal:
        await driver.until(done)
        return None, f"while it works: {refusal}"
    except Stalled as stalled:
        return f"accepted, but never done: {stalled}", ""
    more = [event.name for event in await driver.pending() if event.name == done]
    return (f"done {len(more) + 1} times" if more else None), ""


async def malformed(stage: Stage) -> AsyncIterator[Tried]:
    """Messages that are wrong by the profile's own framing. They are sent one after the other, and the device is given
    the time of one piece of work to act on them. Only if it does, each is tried alone, to name the one."""
    driver = stage.prober
    for case in _telling(stage):
        begun = monotonic()
        await driver.pending()
        await driver.call(case.command, **case.values)
        await driver.rest()
        work = min(monotonic() - begun + SPARE, LONGEST_WAIT)
        await _events(driver, work)
        wrong = _provocations(stage, case)
        mute: str | None = None
        for provocation in wrong:
            await provocation.send()
            if provocation.answers is not None and not await provocation.answers():
                mute = provocation.name
                break
        acted = {} if mute else await _acted(driver, wrong, work)
        for provocation in wrong:
            if provocation.name == mute:
                yield Tried(mute, "the next question is not answered")
                raise NoAnswer(f"{driver.name}: the question after this is not answered: {mute}")
            unasked = (
                "" if provocation.answers else "nothing can be asked by its profile, so it was not asked afterwards"
            )
            yield Tried(provocation.name, acted.get(provocation.name), note=unasked)
    await asyncio.sleep(LISTENED)
    await stage.reconnect()  # nothing on such a wire tells a late answer from the next one


class Provocation(NamedTuple):
    """Something wrong that can be sent, and how the device is asked something right afterwards."""

    name: str
    send: Callable[[], Awaitable[None]]
    answers: Callable[[], Awaitable[bool]] | None


def _provocations(stage: Stage, case: CommandCase) -> list[Provocation]:
    """All that is wrong about a command on the wire of the profile."""
    profile, channel = _profile(stage), stage.channel
    if isinstance(channel, RegisterChannel):
        frames = channel.wrong_frames(case.command)
        return [Provocation(each.name, partial(_send_frame, stage, each), channel.still_answers) for each in frames]
    assert isinstance(channel, MessageChannel)
    query = next(iter(_queries(profile)), None)
    answers = None if query is None else partial(channel.still_answers, query)
    messages = wrong_messages(profile, case.command, case.values)
    return [Provocation(each.name, partial(channel.provoke, each.parcel, LISTENED), answers) for each in messages]


async def _send_frame(stage: Stage, wrong: MalformedMessage) -> None:
    """A server may close the connection on it."""
    assert isinstance(stage.channel, RegisterChannel)
    try:
        await stage.channel.provoke(wrong)
    except LineLost:
        await stage.reconnect()


async def _acted(driver: Driver, wrong: Sequence[Provocation], seconds: float) -> dict[str, str]:
    """What the device did on each message, if it did anything on any of them."""
    done = await _events(driver, seconds)
    if not done:
        return {}
    found: dict[str, str] = {}
    for provocation in wrong:
        await provocation.send()
        if again := await _events(driver, seconds):
            found[provocation.name] = f"acted on: {', '.join(again)}"
    return found or {wrong[0].name: f"acted on this or one of the messages after it: {', '.join(done)}"}


async def _events(driver: Driver, seconds: float) -> list[str]:
    """What the device reports within a time."""
    await asyncio.sleep(seconds)
    try:
        return [event.name for event in await driver.pending()]
    except Faulted as stopped:
        return [f"fault {stopped.fault.name.lower()}"]


def _profile(stage: Stage) -> Profile:
    assert stage.device.profile is not None
    return stage.device.profile


def _queries(profile: Profile) -> list[str]:
    return list(carried_queries(profile)) if isinstance(profile.talk, Dialogue) else sorted(profile.talk.answered())


def _carries(profile: Profile, case: CommandCase) -> bool:
    """Whether the profile can say the command."""
    if case.command not in profile.talk.carried_commands():
        return False
    form = profile.talk.commands[case.command]
    return all(case.values.get(name) == value for name, value in form.values.items())


def _done(profile: Profile, case: CommandCase) -> str | None:
    """The event that ends the work of a command, if the profile reports it whenever it happens. A machine of another
    protocol need not say that a lid is on which was on before, nor that a fault is gone where there was none."""
    end = DEVICES[profile.kind.name].operations.get(case.command)
    return end if end in profile.talk.told_events() else None


def _telling(stage: Stage) -> list[CommandCase]:
    """The commands that a wrong message is made of: a reset, and the first work that needs no hands."""
    profile = _profile(stage)
    tried = [case for cases in stage.kind.states for case in cases.commands if case.expected == OK]
    work = [case for case in tried if _carries(profile, case) and _done(profile, case)]
    resets = [RESET] if _carries(profile, RESET) else []
    return [*resets, *(() if stage.kind.handles_cards else work[:1])]
