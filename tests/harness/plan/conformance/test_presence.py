"""How a device comes to the broker and back: a sound one passes on our broker, and each way to err is named."""

import pytest

from feltrig.harness.plan.conformance import presence

MQTT = 'wire = "mqtt"\nmqtt = "{}"'


@pytest.fixture(autouse=True)
def _brief_silence(monkeypatch):
    monkeypatch.setattr(presence, "QUIET", 0.02)
    monkeypatch.setattr(presence, "STILL_THERE", 0.3)
    monkeypatch.setattr(presence, "EMULATED_WITHIN", 2.0)


def broken(tried):
    return {requirement for each in tried if each.fault for requirement in each.requirements}


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_sound_device_comes_back(played, version):
    tried = await played("presence at the broker", MQTT.format(version))
    assert [(each.command, each.fault) for each in tried if each.fault] == []
    assert [each.note for each in tried if each.note] == []
    tested = {requirement for each in tried for requirement in each.requirements}
    assert tested >= {f"MQT-{number}" for number in (6, *range(22, 30), 39, 40)}


@pytest.mark.parametrize("version", ["3.1.1", "5"])
@pytest.mark.parametrize(
    ("mutant", "requirement"),
    [("no-will", "MQT-23"), ("session-kept", "MQT-26"), ("session-kept", "MQT-40"), ("qos-2", "MQT-5")],
)
async def test_one_that_errs_is_named(played, version, mutant, requirement):
    tried = await played("presence at the broker", MQTT.format(version), f'sabotage = "{mutant}"')
    assert requirement in broken(tried)
