"""Many devices in one process: all answer, and a limit of the system is told in words."""

import resource

import pytest
import scale

from feltrig.protocols.messages import Request


async def test_sixty_devices_of_all_kinds_on_three_wires_answer_each_for_itself():
    async with scale.devices(scale.WIRES["mixed"], 60) as places:
        channels = [scale._channel(place) for place in places]
        for channel in channels:
            await channel.open()
        serials = [(await channel.request(Request("identify"))).values["serial"] for channel in channels]
        for channel in channels:
            await channel.close()
    assert serials == [f"EMU-{place['kind']}{number}" for number, place in enumerate(places)]
    assert {(place["kind"], place["wire"]) for place in places} == {
        (kind, wire) for kind in scale.MODELS for wire in scale.WIRES["mixed"]
    }


@pytest.mark.parametrize("raw", [False, True], ids=["devices", "raw lines"])
@pytest.mark.parametrize("wire", ["serial", "mixed"])
async def test_lines_in_a_process_of_their_own_are_measured(wire, raw):
    async with scale.crowd(wire, 3, raw) as crowd:
        first, second = await crowd.segment(0.01), await crowd.segment(0.01)
        assert min(first.rate, second.rate, first.cpu, second.cpu, crowd.resident()) > 0
    assert crowd.process.returncode == 0


def test_too_few_descriptors_are_told_in_words(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    with pytest.raises(scale.TooMany, match=r"^200 devices need 1664 open files, and `ulimit -Hn` allows 256$"):
        scale.allow(200)


def test_a_soft_limit_is_raised_as_far_as_needed(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 4096))
    chosen = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: chosen.append(limits))
    scale.allow(10)
    scale.allow(200)
    assert chosen == [(1664, 4096)]


@pytest.mark.parametrize(("many", "low", "high"), [(3, 0, 2), (6, 0, 5), (9, 1, 7), (15, 3, 11), (25, 7, 17)])
def test_the_interval_of_a_median_is_that_of_the_published_table(many, low, high):
    # Conover, Practical Nonparametric Statistics: the ranks of the sign test at 5 %, two-sided
    assert scale.Median.of(range(many)) == (low, (many - 1) / 2, high)


STARTS = 25


def rows(rate: float, raw_rate: float) -> list[scale.Figure]:
    """Of starts in which 200 devices, and 200 raw lines, have so much of the rate of 100."""
    before = scale.Start(rate=100.0, cpu=1.0, raw_rate=200.0, megabytes=1.0, devices=1)
    after = before._replace(rate=100 * rate, raw_rate=200 * raw_rate, devices=200)
    return scale.figures("serial", [(before, before, before, after)] * STARTS)


@pytest.mark.parametrize(
    ("rate", "raw_rate", "fallen"),
    [(1.0, 1.0, False), (1.1, 1.3, False), (0.9, 0.9, False), (0.9, 0.85, False), (0.9, 1.0, True), (0.99, 1.0, True)],
)
def test_a_rate_has_fallen_when_it_falls_by_more_than_the_raw_lines_do(rate, raw_rate, fallen):
    assert [figure.fallen for figure in rows(rate, raw_rate)] == [False, False, False, fallen]


def test_a_step_and_the_memory_of_a_device_are_told_by_the_count_before_and_by_one():
    *_, last = rows(0.9, 0.8)
    assert (last.step.middle, last.raw_step.middle, last.of_raw) == pytest.approx((0.9, 0.8, 0.5625))
    assert last.kilobytes_per_device == 0
