"""Tokens: what a device has answered it answers again, and does nothing twice. Each way to fail is found."""

from dataclasses import replace

import pytest

from feltrig.emulators.models import device as models
from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.protocols.kinds import KINDS as VOCABULARY
from feltrig.protocols.messages import Reply
from feltrig.protocols.vocabulary import Error

SCENE = "feltrig.harness.plan.conformance.scenes.tokens:play"
KINDS = [kind for kind, device in DEVICES.items() if device.works]
ACTING = {command.name for kind in KINDS for command in VOCABULARY[kind].commands.values() if command.acts}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_good_device_passes(played, kind):
    records = await played(SCENE, kind)
    assert [r for r in records if r["fault"]] == []
    tested = {each for r in records for each in r["requirements"]}
    expected = {demands.SAME_ANSWER, demands.NOT_TWICE, demands.EIGHT_TOKENS, demands.OTHER_COMMAND}
    assert tested >= expected | {demands.ANSWERED_ANEW}
    assert (demands.REFUSALS_KEPT in tested) == bool(DEVICES[kind].later_right)


@pytest.mark.parametrize("kept", [8, 9, 1000])
async def test_a_device_can_remember_more_than_it_must(played, monkeypatch, kept):
    monkeypatch.setattr(models, "REMEMBERED", kept)
    assert [r for r in await played(SCENE, "shoe") if r["fault"]] == []


@pytest.mark.parametrize("kept", [0, 1, 7])
async def test_a_device_that_remembers_too_few_is_found(blamed, monkeypatch, kept):
    monkeypatch.setattr(models, "REMEMBERED", kept)
    assert demands.EIGHT_TOKENS in await blamed(SCENE, "rng")


async def test_a_device_that_remembers_the_tokens_of_questions_too_is_found(blamed, spoil):
    def remembers(machine, request, answer):
        reply = answer()
        if request.command not in ACTING:
            machine._answered[request.token] = reply
            while len(machine._answered) > models.REMEMBERED:
                del machine._answered[next(iter(machine._answered))]
        return reply

    assert demands.EIGHT_TOKENS in await blamed(SCENE, "rng", spoil(remembers))


@pytest.mark.parametrize("mask", [0xFFFF, 0xFF, 0xFFFF0000, 0x7FFFFFFF, 0xFFFFFF])
async def test_a_device_that_reads_a_part_of_the_token_only_is_found(blamed, spoil, mask):
    def part(machine, request, answer):
        return answer(replace(request, token=request.token & mask)) if request.command in ACTING else answer()

    assert demands.RESET in await blamed(SCENE, "rng", spoil(part))


async def test_a_device_that_looks_at_the_command_too_is_found(blamed, spoil):
    def both(machine, request, answer):
        return answer(replace(request, token=request.token ^ ord(request.command[1]) << 24))

    assert demands.OTHER_COMMAND in await blamed(SCENE, "shaker", spoil(both))


async def test_a_device_that_gives_another_answer_to_a_token_again_is_found(blamed, spoil):
    def again(machine, request, answer):
        known = request.token in machine._answered
        return Reply(Error.WRONG_STATE) if known and request.command in ACTING else answer()

    assert demands.SAME_ANSWER in await blamed(SCENE, "rng", spoil(again))


@pytest.mark.parametrize("kind", ["rng", "shoe"])
async def test_a_device_that_forgets_the_token_of_a_command_without_events_is_found(blamed, spoil, kind):
    quiet = DEVICES[kind].quiet.command

    def forgets(machine, request, answer):
        return answer(replace(request, token=0)) if request.command == quiet else answer()

    assert demands.NOT_TWICE in await blamed(SCENE, kind, spoil(forgets))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if DEVICES[kind].later_right])
async def test_a_device_that_forgets_refusals_is_found(blamed, spoil, kind):
    def forgets(machine, request, answer):
        reply = answer()
        if reply.error:
            machine._answered.pop(request.token, None)
        return reply

    assert demands.REFUSALS_KEPT in await blamed(SCENE, kind, spoil(forgets))


async def test_a_device_that_answers_a_question_from_memory_is_found(blamed, spoil):
    answers = {}

    def kept(machine, request, answer):
        return answers.setdefault(request.token, answer()) if request.command == "status" else answer()

    assert demands.ANSWERED_ANEW in await blamed(SCENE, "rng", spoil(kept))
