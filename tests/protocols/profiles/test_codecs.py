"""What TOML cannot say, a class registered under an entry point can."""

import importlib.metadata
import re

import pytest

from feltrig import registry
from feltrig.harness.wires.profile_check import WRONG, check_profile
from feltrig.protocols.profiles import codecs, profilefile
from feltrig.protocols.profiles.checksums import Check
from feltrig.protocols.profiles.codecs import find
from feltrig.protocols.profiles.framing import Cobs
from feltrig.protocols.profiles.profile import ProfileError
from feltrig.protocols.profiles.template import Template

PROFILE = """
feltrig_profile = 1
name = "odd"
title = "an odd one"
about = "made up"
kind = "rng"
wire = "serial"
codec = "rot"
[answers]
done = "K"
refused = "E{error:1d}"
[commands.select]
message = "G"
[[says]]
message = "{seq:1d}N{number:1d}"
event = "selected"
[reports]
modulus = 10
repeats = 2
"""


class Turned:
    """Every byte of the message is turned around, which no template says."""

    def __init__(self, text, tables):
        if "!" in text:
            raise ValueError("no ! in an odd message")
        self._template = Template(text, tables)
        self.names = self._template.names

    def write(self, values):
        return bytes(255 - octet for octet in self._template.write(values))

    def read(self, data):
        return self._template.read(bytes(255 - octet for octet in data))


class Rot:
    """The codec `rot`."""

    def pattern(self, text, tables):
        return Turned(text, tables)

    def framing(self, direction):
        return Cobs(Check("sum")) if direction == "says" else None


class Broken:
    """A codec that was not made."""

    def __init__(self):
        raise KeyError("no\nkey")


class NoCodec:
    """Something else."""


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """Entry points as an installed distribution would have them."""
    entries = {
        "rot": f"{__name__}:Rot",
        "none": f"{__name__}:NoCodec",
        "broken": f"{__name__}:Broken",
        "gone": "feltrig_no_such_module:Codec",
    }
    found = importlib.metadata.EntryPoints(
        importlib.metadata.EntryPoint(name, value, "feltrig.codecs") for name, value in entries.items()
    )
    loaded = {"rot": Rot, "none": NoCodec, "broken": Broken}
    usual = importlib.metadata.EntryPoint.load
    # tests are imported by path, so their names cannot be imported again
    monkeypatch.setattr(importlib.metadata.EntryPoint, "load", lambda e: loaded.get(e.name) or usual(e))
    monkeypatch.setattr(registry, "entry_points", lambda *, group: found.select(group=group))
    monkeypatch.setattr(codecs, "CODECS", registry.Registry("feltrig.codecs", {}, type))


async def test_both_ends_talk_through_the_codec():
    profile = profilefile.loads(PROFILE.encode(), "odd.toml")
    rows = await check_profile(profile)
    assert [row for row in rows if row.outcome == WRONG] == []
    assert {row.what: row.outcome for row in rows}["event selected"] == "carried"
    assert profile.serial.says == Cobs(Check("sum"))
    assert profile.talk.commands["select"].message.pattern.write({}) == bytes((255 - ord("G"),))


def test_what_the_codec_refuses_is_named_with_its_key():
    with pytest.raises(ProfileError, match=re.escape("odd.toml: commands.select.message: no ! in an odd message")):
        profilefile.loads(PROFILE.replace('"G"', '"G!"').encode(), "odd.toml")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nobody", "no codec 'nobody' is installed; there are broken, gone, none, rot"),
        ("gone", "entry point 'gone' in feltrig.codecs: cannot be loaded: No module named 'feltrig_no_such_module'"),
        ("broken", "the codec broken fails: KeyError: 'no\\nkey'"),
        ("none", "the codec none has no pattern() and framing()"),
    ],
)
def test_a_codec_that_cannot_be_used_is_refused(name, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        find(name)


@pytest.mark.parametrize(("method", "key"), [("pattern", "commands.select.message"), ("framing", "codec")])
def test_a_mistake_in_a_codec_is_told_on_one_line(monkeypatch, method, key):
    def fail(*_):
        raise TypeError("none\nof that")

    monkeypatch.setattr(Rot, method, fail)
    with pytest.raises(ProfileError, match=re.escape(f"odd.toml: {key}: Rot fails: TypeError: none of that")):
        profilefile.loads(PROFILE.encode(), "odd.toml")
