"""The wire documents and the tables of requirements say the same: each id stands once, with its sentence, and nothing
is demanded of a device without an id."""

import re
from pathlib import Path

import pytest

from feltrig.protocols.requirements import PAGES, REQUIREMENTS

DOCS = Path(__file__).parents[2] / "docs"
NAMES = sorted(set(PAGES.values()))

ID = re.compile(r"\*\*([A-Z]+-\d+)\*\*")
MARKED = re.compile(r"\*\*([A-Z]+-\d+)\*\* (?:\((?P<mark>[^)]*)\) )?(?P<says>.*)", re.DOTALL)
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
SENTENCE = re.compile(r"(?<=[.:;]) (?=[A-Z`*0-9])")


def page(name: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"```.*?```", "", (DOCS / name).read_text(), flags=re.DOTALL)


def paragraphs(name: str) -> list[str]:
    """Its paragraphs, points and rows of tables, each on one line and with links as plain words."""
    found: list[str] = []
    for line in page(name).splitlines():
        begins = not line.startswith("  ") and (not line.strip() or re.match(r"\* |\d+\. |\||#", line) is not None)
        if begins or not found or not found[-1]:
            found.append(line.strip())
        else:
            found[-1] += " " + line.strip()
    return [LINK.sub(r"\1", text).removeprefix("* ") for text in found if text]


@pytest.mark.parametrize("name", NAMES)
def test_every_id_stands_in_its_page_exactly_once(name):
    written = ID.findall(page(name))
    assert sorted(written) == sorted(each.id for each in REQUIREMENTS.values() if each.page == name)


@pytest.mark.parametrize("name", NAMES)
def test_an_id_has_the_same_sentence_in_page_and_table(name):
    for text in paragraphs(name):
        found = MARKED.match(text)
        if found is None:  # plain text, or the row of a table
            continue
        requirement = REQUIREMENTS[found[1]]
        assert found["says"].startswith(requirement.says), f"{requirement.id}: {found['says']}"
        assert requirement.mandatory or (found["mark"] or "").startswith("optional") or requirement.id == "MOD-8"


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_with_must_has_an_id(name):
    for text in paragraphs(name):
        if text.startswith("|"):
            assert " must " not in text or ID.search(text), text
            continue
        for sentence in SENTENCE.split(text):
            assert " must " not in sentence or ID.match(sentence), f"docs/{name}: {sentence}"


@pytest.mark.parametrize("name", NAMES)
def test_a_row_with_a_level_says_the_one_of_its_table(name):
    for text in paragraphs(name):
        found = re.match(r"\| \*\*([A-Z]+-\d+)\*\* \|.*\| (mandatory|optional) \|", text)
        if found is not None:
            assert REQUIREMENTS[found[1]].level == found[2]
