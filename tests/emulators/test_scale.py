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
