"""Answers find their requests, by correlation data or by id, and one that answers nobody is named."""

import json
from dataclasses import replace
from typing import Any

import pytest

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import EventBatch, Reply
from feltrig.protocols.mqtt.correspondence import LOST, REMEMBERED, Correspondence, Heard

BASE = "t/rng"
ME = f"{BASE}/reply/me"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def letters(said: list[str]) -> Correspondence:
    return Correspondence(RNG, BASE, lambda requirement, fault: said.append(requirement))


def request(command: str, **more: Any) -> Heard:
    return Heard("cmd", json.dumps({"v": 1, "cmd": command, "reply_to": ME, **more}).encode())


def answer(**more: Any) -> Heard:
    return Heard("reply/me", json.dumps({"v": 1, "error": "ok", **more}).encode())


@pytest.mark.parametrize("key", [0, 7, "seven", ""])
def test_an_id_comes_back_with_its_type(letters: Correspondence, said: list[str], key: int | str) -> None:
    asked = letters.ask(request("display", id=key), None)
    assert letters.answered(answer(id=key, values={"number": 3})) == (asked, Reply(values={"number": 3}))
    assert said == []
    letters.answered(answer(id=str(key) if isinstance(key, int) else 1, values={"number": 3}))
    assert said == ["MQT-33"]


def test_an_answer_to_events_is_read_as_such(letters: Correspondence) -> None:
    letters.ask(request("events", id=1, args={"after": 0}), None)
    status = {"state": 0, "fault": 0, "oldest": 1, "latest": 1}
    found = letters.answered(answer(id=1, status=status, events=[{"n": 1, "event": "started"}]))
    assert found is not None
    assert isinstance(found[1], EventBatch)


def test_a_refusal_has_no_values(letters: Correspondence, said: list[str]) -> None:
    letters.ask(request("display", id=1), None)
    letters.answered(answer(id=1, error="wrong_state", values={"number": 3}))
    assert said == ["MQT-21"]


def test_a_token_is_fresh_once(letters: Correspondence) -> None:
    fresh = [letters.ask(request("select", id=n, token=token), None) for n, token in enumerate((1, 2, 1))]
    assert [asked is not None and asked.fresh for asked in fresh] == [True, True, False]


@pytest.mark.parametrize("payload", [b"", b"[]", b"no", b'{"reply_to": "elsewhere", "id": 1}', b"[" * 100_000])
def test_a_request_without_a_way_back_is_not_awaited(letters: Correspondence, payload: bytes) -> None:
    assert letters.ask(Heard("cmd", payload), None) is None


def test_only_so_many_requests_are_remembered(letters: Correspondence, said: list[str]) -> None:
    for key in range(REMEMBERED):
        letters.ask(request("display", id=key), None)
    letters.ask(replace(request("display", id=REMEMBERED), at=LOST + 1), None)
    letters.answered(answer(id=1, values={"number": 3}))
    assert said == []
    letters.answered(answer(id=0, values={"number": 3}))
    assert said == ["MQT-33"]


def test_what_answers_a_question_from_before_is_passed_over(letters: Correspondence, said: list[str]) -> None:
    assert letters.answered(answer(id=1)) is None
    assert said == []
