"""A line that is lost, comes back, or stays away."""

import asyncio

import pytest
from flaky_channels import Flaky, Held, noted

from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.shaker import SHAKER


@pytest.fixture
def drive(journal):
    return lambda channel, reconnect=5.0: Driver("shaker", SHAKER, channel, journal, 5.0, reconnect)


async def test_a_line_that_is_lost_again_while_it_is_opened_is_one_loss(journal, drive):
    channel = Flaky(LineLost("gone"), LineLost("again"), openings=[LineLost("not yet"), None, LineLost("not yet")])
    await drive(channel).call("cover")
    assert channel.opened == 4
    assert [kind for kind, _ in noted(journal, "trouble", "recovered")] == ["trouble", "recovered"]


async def test_a_line_that_stays_away_is_given_up_in_time(journal, drive):
    channel = Flaky(LineLost("gone"), openings=[LineLost("away")] * 1000)
    with pytest.raises(LineLost, match="away"):
        await drive(channel, 0.2).call("cover")
    assert 1 < channel.opened < 20
    assert [data["detail"] for _, data in noted(journal, "trouble", "recovered")] == ["gone"]


async def test_without_time_to_reconnect_a_lost_line_is_reported_at_once(journal, drive):
    channel = Flaky(LineLost("gone"))
    with pytest.raises(LineLost):
        await drive(channel, 0.0).call("cover")
    assert channel.opened == 0


async def test_a_line_that_two_tasks_lose_is_opened_once(drive):
    channel = Held()
    driver = drive(channel)
    calls = [asyncio.create_task(driver.call(command)) for command in ("cover", "status")]
    await asyncio.sleep(0)
    channel.lost.set()
    await asyncio.gather(*calls)
    assert channel.opened == 1
    assert len(channel.tokens) == 2
