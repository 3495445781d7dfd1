"""The scenes in which a device is held to its profile. tests/peers/test_own_protocols.py has machines that break it."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from rigs import make_rig, rng_rig_text

from feltrig.harness.devices import DEVICES
from feltrig.harness.judge.profile_findings import COMMANDS, MALFORMED
from feltrig.harness.plan.conformance.by_profile import SCENES, by_profile, commands
from feltrig.protocols.errors import NoAnswer
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.malformed import carried_queries, wrong_messages

PEERS = Path(__file__).parents[3] / "peers" / "own_protocols"
NOISE = '[[devices.rng.noise]]\nwhat = "delay"\nat = 9\n'


def device(noise=""):
    text = rng_rig_text('wire = "serial"\nprofile = "lookalike-status-lines-rng"', more=noise)
    return make_rig(text).devices["rng"]


@pytest.mark.parametrize(("noise", "names"), [("", [COMMANDS, MALFORMED]), (NOISE, [COMMANDS])])
def test_there_is_a_segment_for_each_scene_and_none_of_wrong_bytes_on_a_disturbed_line(noise, names):
    segments = list(iter(by_profile(device(noise)).next_segment, None))
    assert [segment.name for segment in segments] == [f"conformance: {name}" for name in names]
    assert all(segment.definition["conformance"] == device().profile.digest for segment in segments)


class Mute:
    """A driver whose questions nobody answers."""

    async def pending(self):
        return []

    async def call(self, command, **values):
        raise NoAnswer("silent")


@pytest.mark.parametrize(("noise", "faults"), [("", ["is not answered: silent"]), (NOISE, [])])
async def test_a_device_that_does_not_answer_is_blamed_unless_the_rig_makes_noise(noise, faults):
    stage = SimpleNamespace(device=device(noise), prober=Mute(), kind=DEVICES["rng"])
    tried = []

    async def try_all():
        async for each in commands(stage):
            tried.append(each.fault)  # noqa: PERF401 - what came before the failure counts

    with pytest.raises(NoAnswer):
        await try_all()
    assert tried == faults


def test_every_scene_can_be_played():
    assert all(callable(scene.load()) for scene in SCENES)


@pytest.mark.parametrize("file", sorted(PEERS.glob("*.toml")), ids=lambda file: file.stem)
def test_nothing_that_is_sent_as_wrong_is_a_message_of_the_profile(file):
    profile = profilefile.load(file)
    hears = profile.serial.hears
    for name, form in profile.talk.commands.items():
        if profile.kind.commands[name].args:
            continue
        wrong = list(wrong_messages(profile, name, {}))
        assert len({message.name for message in wrong}) == len(wrong) >= 5
        for message in wrong:
            end, payload = hears.match(message.parcel.payload, 0)
            heard = [] if payload is None or end == 0 else [payload]
            assert all(form.message.pattern.read(payload) is None for payload in heard), message.name


def test_what_only_asks_and_is_answered_can_be_asked_afterwards():
    assert list(carried_queries(profilefile.load(PEERS / "binary_shaker.toml"))) == ["identify", "status"]
