"""One question at a time: how long it waits, also when the rig's own computer pauses."""

import asyncio
import time

import pytest

from feltrig.protocols.errors import Garbage, LineLost, NoAnswer
from feltrig.protocols.exchange import TRIES, Exchange

DEADLINE = 0.15


def asked():
    """An exchange with a question open, and the times at which it was sent."""
    loop = asyncio.get_running_loop()
    sent: list[float] = []
    exchange = Exchange("line", lambda: sent.append(loop.time()))
    answer = exchange.ask(DEADLINE)
    return exchange, answer, sent


async def test_the_first_answer_counts():
    exchange, answer, sent = asked()
    exchange.take("yes")
    exchange.take("no")
    assert await answer == "yes"
    assert len(sent) == exchange.tries == 1
    exchange.close(LineLost("closed"))


async def test_silence_is_asked_again_and_then_given_up():
    _, answer, sent = asked()
    with pytest.raises(NoAnswer, match=f"no answer to {TRIES} tries"):
        await answer
    assert len(sent) == TRIES


async def test_what_was_heard_instead_is_named():
    exchange, answer, _ = asked()
    exchange.dismiss("a hum")
    with pytest.raises(Garbage, match="but a hum"):
        await answer


async def test_a_pause_of_the_rig_is_not_the_silence_of_the_device():
    """After the whole deadline has passed in one pause, the device still has its time to answer."""
    loop = asyncio.get_running_loop()
    exchange, answer, _ = asked()
    loop.call_later(2 * DEADLINE + DEADLINE / 10, exchange.take, "yes")
    time.sleep(2 * DEADLINE)  # noqa: ASYNC251 - the pause is the point
    assert await answer == "yes"
    exchange.close(LineLost("closed"))


async def test_a_question_asked_after_the_deadline_still_has_a_moment():
    loop = asyncio.get_running_loop()
    sent: list[float] = []
    exchange = Exchange("line", lambda: sent.append(loop.time()))
    answer = exchange.ask(-1.0)
    loop.call_later(0.005, exchange.take, "yes")
    assert await answer == "yes"
    assert len(sent) == 1
    exchange.close(LineLost("closed"))


async def test_a_closed_exchange_fails_the_question_that_is_open():
    exchange, answer, _ = asked()
    exchange.close(LineLost("gone"))
    with pytest.raises(LineLost, match="gone"):
        await answer


async def test_an_answer_that_comes_after_that_to_a_later_try_is_timed_too():
    exchange, answer, _ = asked()
    exchange.passed(7)
    exchange.take("yes")
    assert await answer == "yes"
    before = exchange.slowest
    await asyncio.sleep(DEADLINE / 10)
    exchange.came_late(7)
    assert exchange.slowest > before
    assert not exchange.overdue
    exchange.close(LineLost("closed"))


async def test_a_device_that_had_no_power_is_not_late():
    exchange, answer, _ = asked()
    exchange.passed(7)
    exchange.take("yes")
    assert await answer == "yes"
    exchange.time_anew()
    exchange.came_late(7)
    assert exchange.slowest == 0
    exchange.close(LineLost("closed"))
