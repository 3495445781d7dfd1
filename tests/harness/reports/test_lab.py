"""The file of a laboratory, and what it fills in."""

import re

import pytest
from report_parts import source_of

from feltrig.errors import RigError
from feltrig.harness.reports import lab as labs
from feltrig.harness.reports.blocks import Gap
from feltrig.harness.reports.contents import report


def test_the_laboratory_fills_the_cover_and_gaps_are_marked(played, tmp_path):
    file = tmp_path / "lab.toml"
    file.write_text('[lab]\nname = "Felt & Sons"\nissued = 2026-05-01\n')
    cover = dict(report(source_of(played, lab=labs.read(file))).cover.rows)
    assert (cover["laboratory"], cover["date of issue"]) == ("Felt & Sons", "2026-05-01")
    assert cover["customer"] == Gap()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "lab: missing"),
        ("[lab]\nnmae = 'x'", "lab.nmae: no such key"),
        ("[lab]\nname = 3", "lab.name: 3 is not text"),
        ("[lab]\nname = ' '", "is not text"),
        ("[lab]\n[other]", "other: no such key"),
        ("lab", "is not TOML"),
    ],
)
def test_a_wrong_lab_file_is_refused_in_one_line(tmp_path, text, words):
    file = tmp_path / "lab.toml"
    file.write_text(text)
    with pytest.raises(RigError, match=re.escape(words)) as caught:
        labs.read(file)
    assert str(caught.value).startswith(str(file))
