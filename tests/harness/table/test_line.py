"""A line that is lost, comes back, or stays away."""

import asyncio

import pytest
from flaky_channels import Flaky, Held, noted

from feltrig.harness.devices.failures import Stalled
from feltrig.harness.table import driver as drivers
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import LineLost, NoAnswer, SilentConnection
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.messages import Status
from feltrig.protocols.vocabulary import FaultCode, State


@pytest.fixture
def drive(journal):
    def make(channel, reconnect=5.0, **about):
        return Driver("shaker", SHAKER, channel, journal, 5.0, reconnect, **about)

    return make


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


class AtRest(Flaky):
    """Whatever it is asked, it answers that it rests."""

    async def request(self, request):
        await super().request(request)
        return Status(State.IDLE, FaultCode.NONE, 1, 1).reply()


class Mute(Flaky):
    """It never answers, and its line stays open."""

    async def request(self, request):
        await asyncio.Event().wait()


@pytest.mark.parametrize("failure", [LineLost("gone"), SilentConnection("silent")])
@pytest.mark.parametrize("powered", [None, lambda: True])
async def test_a_line_that_is_lost_while_the_power_may_be_cut_is_opened_again_and_no_trouble(
    journal, drive, failure, powered
):
    channel = AtRest(failure)
    assert not await drive(channel, powered=powered).lost()
    assert channel.opened == 1
    assert noted(journal, "trouble", "recovered") == []


@pytest.mark.parametrize("channel", [Mute(), Flaky(LineLost("the device left")), Flaky(NoAnswer("silent"))])
async def test_a_device_that_is_known_to_have_no_power_is_not_waited_for(journal, drive, channel):
    driver = drive(channel, powered=lambda: False)
    async with asyncio.timeout(30):
        await driver.launch("cover") if isinstance(channel, Mute) else None
        assert await driver.lost()
    assert noted(journal, "trouble", "reply") == []


async def test_silence_of_a_real_device_is_taken_for_a_power_cut(journal, drive):
    assert await drive(Flaky(NoAnswer("silent"))).lost()
    assert noted(journal, "trouble") == []


async def test_silence_of_a_device_that_has_power_is_trouble_with_its_wire(journal, drive):
    with pytest.raises(NoAnswer):
        await drive(Flaky(NoAnswer("silent")), powered=lambda: True).lost()
    assert [data["what"] for _, data in noted(journal, "trouble")] == ["no answer"]


@pytest.mark.parametrize("reconnect", [0.0, 5.0])
async def test_while_a_device_is_waited_for_whose_power_is_back_others_can_do_their_work(journal, drive, reconnect):
    """Such as to bring the line back."""
    channel = AtRest(LineLost("gone"), openings=[LineLost("away")] * 1000)
    mending = asyncio.get_running_loop().call_later(0.05, channel.openings.clear)
    await drive(channel, reconnect).back()
    assert mending.when() < asyncio.get_running_loop().time()
    assert noted(journal, "trouble", "recovered") == []


async def test_a_serial_port_is_not_opened_again_and_again_while_a_device_starts(drive):
    """That can restart the device each time."""
    channel = AtRest(*[NoAnswer("silent")] * 3)
    await drive(channel).back()
    assert (channel.opened, len(channel.tokens)) == (0, 4)


class Wary(AtRest):
    """Asks nothing more after a question that was not answered, unless the device has begun anew."""

    asks = False

    def begin_anew(self):
        self.asks = True

    async def request(self, request):
        if not self.asks:
            raise NoAnswer("an answer may still come")
        self.asks = not self.failures
        return await super().request(request)


async def test_a_channel_that_asked_in_vain_asks_anew_while_a_device_starts(drive):
    channel = Wary(*[NoAnswer("silent")] * 3)
    await drive(channel).back()
    assert (channel.opened, len(channel.tokens)) == (0, 4)


@pytest.mark.parametrize(("disturbed", "raised"), [(False, Stalled), (True, NoAnswer)])
async def test_a_device_that_does_not_come_back_is_blamed_unless_the_rig_makes_noise(
    journal, drive, monkeypatch, disturbed, raised
):
    monkeypatch.setattr(drivers, "START", 0.0)
    driver = drive(Flaky(*[NoAnswer("silent")] * 1000), disturbed=disturbed)
    driver.patience = 0.0
    with pytest.raises(raised):
        await driver.back()
    assert len(noted(journal, "trouble")) == disturbed
