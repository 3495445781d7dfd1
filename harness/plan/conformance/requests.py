"""Requests to a device on MQTT in every form that the document allows, and with arguments that are not the command's.
Each is answered once, where it says, with what it says; nothing is done that was not asked for."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.malformed import QUIET
from feltrig.protocols.mqtt.asker import Asker, Letter
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.requests import RequestProbe, arguments, forms
from feltrig.protocols.vocabulary import Kind

AT_ONCE = 8
"""How many requests are sent in a row, before any is answered."""


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """The scene."""
    channel = stage.channel
    assert isinstance(channel, MqttChannel)
    await stage.prober.rest()
    asker = channel.asker()
    await asker.open()
    try:
        async for tried in _each(asker, channel.patience, KINDS[stage.device.kind]):
            yield tried
        yield await _in_a_row(asker, channel.patience)
        async for tried in _tokens(stage, asker, channel.patience):
            yield tried
    finally:
        await asker.close()


async def _each(asker: Asker, patience: float, kind: Kind) -> AsyncIterator[Tried]:
    before = (await asker.ask({"cmd": "status"}, patience)).document.get("values")
    sent: list[tuple[RequestProbe, Letter, str | None]] = []
    for probe in (*forms(asker.modern), *arguments(kind)):
        request: Mapping[str, Any] | bytes = probe.request
        if not isinstance(request, bytes) and probe.acts:
            request = {**request, "token": asker.new_token()}
        letter = asker.post(request, probe.way, qos=probe.qos, size=probe.size)
        if probe.errors and not probe.silence_too:
            await asker.answered(letter, patience)
        after = (await asker.ask({"cmd": "status"}, patience)).document.get("values")
        fault = None
        if after is None:
            fault = "status is not answered afterwards"
        elif after != before:
            fault = f"acted on: status {after}, before {before}"
        before = after
        sent.append((probe, letter, fault))
    await asyncio.sleep(QUIET)  # for a second answer, and for one that should not come
    for probe, letter, fault in sent:
        wrong = letter.fault(*probe.errors)
        if probe.silence_too and not letter.answers:
            wrong = None
        expected = " or ".join(probe.errors) or "silence"
        yield Tried(probe.name, fault or wrong, probe.requirements, expected)


async def _in_a_row(asker: Asker, patience: float) -> Tried:
    letters = [asker.post({"cmd": "status"}) for _ in range(AT_ONCE)]
    for letter in letters:
        await asker.answered(letter, patience)
    wrong = next((fault for letter in letters if (fault := letter.fault("ok"))), None)
    return Tried(f"{AT_ONCE} requests in a row", wrong, ("MQT-38", "MQT-31"))


async def _tokens(stage: Stage, asker: Asker, patience: float) -> AsyncIterator[Tried]:
    """A token means something only beside a command that acts."""
    token = asker.new_token()
    first = await asker.ask({"cmd": "status", "token": token}, patience)
    reset = await asker.ask({"cmd": "reset", "token": token}, patience)
    cleared = await asker.ask({"cmd": "status", "token": token}, patience)
    await stage.prober.rest()  # a reset may take a while
    fault = first.fault("ok") or reset.fault("ok") or cleared.fault("ok")
    if fault is None and "values" not in cleared.document:
        fault = f"status with the token of a reset was answered {dict(cleared.document)}"
    if fault is None and first.document["values"].get("latest") == (await _latest(asker, patience)):
        fault = "a reset whose token had come beside a status was not obeyed"
    yield Tried("the token of another command beside status", fault, ("MQT-41",))


async def _latest(asker: Asker, patience: float) -> object:
    return (await asker.ask({"cmd": "status"}, patience)).document.get("values", {}).get("latest")
