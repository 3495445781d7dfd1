"""Messages that cannot be told apart are named when the profile is read."""

import re

import pytest

from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.profile import ProfileError

HEAD = 'feltrig_profile = 1\nname = "x"\ntitle = "x"\nabout = "x"\nkind = "rng"\nwire = "serial"\n'
SELECTED = '[[says]]\nevent = "selected"\nmessage = "N{number:d}"\n'


def load(text: str):
    return profilefile.loads((HEAD + text).encode(), "x.toml")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '[commands.select]\nmessage = "GO"\n[commands.reset]\nmessage = "{token:s}"\n',
            "commands.select.message: 'GO' is also commands.reset.message: the device cannot tell them apart",
        ),
        (
            '[reports]\npoll = "GO"\nnothing = "-"\n[commands.select]\nmessage = "GO"\n',
            "commands.select.message: 'GO' is also reports.poll: the device cannot tell them apart",
        ),
        (
            '[commands.display]\nmessage = "D"\nanswer = "N{number:d}"\n' + SELECTED,
            "says[1].message: 'N1' is said unasked, but also reads as the answer to display",
        ),
        (
            '[tables.e]\nN1 = "wrong_state"\n[answers]\nrefused = "{error:e}"\n'
            '[commands.select]\nmessage = "GO"\nanswer = "OK"\n' + SELECTED,
            "says[1].message: 'N1' is said unasked, but also reads as the refusal of select",
        ),
        (
            '[answers]\ndone = "A{token:d}"\nrefused = "A{error:d}"\n[commands.select]\nmessage = "{token:d}GO"\n',
            "commands.select.refused: 'A1' refuses the command, but also reads as the answer that accepts it",
        ),
        (
            SELECTED + '[[says]]\nevent = "faulted"\nmessage = "N{fault:1d}"\n',
            "says[2].message: 'N0' is also says[1], which is tried first; put the more special one first",
        ),
        (
            '[reports]\npoll = "?"\nnothing = "N{seq:d=0}"\n' + SELECTED,
            "says[1].message: 'N1' is also reports.nothing",
        ),
    ],
)
def test_what_cannot_be_told_apart_is_named_on_one_line(text, why):
    with pytest.raises(ProfileError, match=re.escape(f"x.toml: {why}")) as caught:
        load(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        # the special one first
        '[[says]]\nevent = "faulted"\nmessage = "N{fault:1d}!"\n' + SELECTED,
        # an answer that is known by its token
        '[commands.display]\nmessage = "{token:d}D"\nanswer = "{token:d}N{number:d}"\n'
        '[[says]]\nevent = "selected"\nmessage = "{token:d}N{number:d}"\n',
        # the same event, said in two ways
        SELECTED + '[[says]]\nevent = "selected"\nmessage = "N{number:1d}"\n',
    ],
)
def test_what_can_be_told_apart_is_read(text):
    assert load(text).name == "x"
