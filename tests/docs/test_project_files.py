"""The pages and project files: links lead somewhere, paragraphs are short, the picture and the lock file are fresh."""

import re
import tomllib
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FOLDERS = ("feltrig", "engine", "protocols", "emulators", "harness", "fixtures", "tests", "docs", "benchmarks")
LONGEST = 90
"""Words in a paragraph that a person reads at one go."""


def ids(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """The page without code, tables and generated parts."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page) + page.read_text(encoding="utf-8")):
        if not link.startswith("https://"):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{link}: there is no such page"
            assert not anchor or anchor in anchors(target), f"{link}: there is no such heading"


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_no_paragraph_is_longer_than_a_breath(page: Path) -> None:
    paragraphs = re.split(r"\n\s*\n|\n\s*(?:[*-]|\d+\.) ", prose(page))
    assert [paragraph for paragraph in paragraphs if len(paragraph.split()) > LONGEST] == []


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    named = re.findall(r"`((?:\w+/)+[\w.-]+\.(?:py|md|toml|tsv))[`:]", page.read_text(encoding="utf-8"))
    files = [name for name in named if name.split("/")[0] in FOLDERS]
    assert [name for name in files if not (ROOT / name).is_file()] == []


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [
        page.name for page in ROOT.glob("docs/*.md") if f"]({page.name})" not in index and page.name != "README.md"
    ] == []


def test_every_arrow_in_the_picture_of_the_rooms_is_an_import() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = {name: _module(path) for name, path in re.findall(r'^    (\w+)\["<b>(.*?)</b>', page, re.MULTILINE)}
    graph = grimp.build_graph("feltrig", cache_dir=None)
    for one, other in re.findall(r"^    (\w+) --> (\w+)$", page, re.MULTILINE):
        chain = graph.find_shortest_chain(rooms[one], rooms[other], as_packages=True)
        assert chain is not None, f"{rooms[one]} does not import {rooms[other]}"
        assert len(chain) == 2, f"{rooms[one]} imports {rooms[other]} only by {' > '.join(chain)}"


def test_every_room_is_in_the_picture() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = ["engine", "protocols", "emulators", "fixtures", "feltrig"]
    rooms += [file.parent.relative_to(ROOT).as_posix() for file in (ROOT / "harness").glob("*/__init__.py")]
    assert [room for room in rooms if f"<b>{room}</b>" not in page] == []


def _module(path: str) -> str:
    inside = path.removesuffix(".py").replace("/", ".")
    return "feltrig.runs" if inside == "feltrig" else f"feltrig.{inside}"


def test_the_lock_file_satisfies_every_requirement_and_names_no_host() -> None:
    lock = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==([^ ;\\]+)", lock, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["test"]]
    own = [Requirement(line) for line in lines if Requirement(line).name == project["name"]]
    lines += [line for wanted in own for extra in wanted.extras for line in extras[extra]]
    for line in lines:
        wanted = Requirement(line)
        if wanted in own:
            continue
        assert pinned[canonicalize_name(wanted.name)] in wanted.specifier, f"{line}: run `make lock`"
    assert "://" not in lock


def test_the_hooks_and_the_workflow_run_commands_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"make (?:--silent )?([a-z]+)$", hooks + workflow, re.MULTILINE)) <= targets
    assert {"make certify", ".ci/run"} <= set(re.findall(r"run: (.*)$", workflow, re.MULTILINE))
