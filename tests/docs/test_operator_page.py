"""docs/operator.md: every prompt that hands can get."""

import json
from pathlib import Path

import references
from sample_prompt import PROMPT

from feltrig.harness.table.jsonl import as_json
from feltrig.harness.table.prompts import PROMPTS

PAGE = (Path(__file__).parents[2] / "docs" / "operator.md").read_text(encoding="utf-8")


def test_every_prompt_is_listed():
    assert PAGE.endswith(f"## Reference\n\n{references.prompts()}"), "docs/operator.md is stale: run `make docs`"
    assert all(f"| `{what}` |" in PAGE for what in PROMPTS)


def test_the_example_of_a_prompt_has_the_keys_of_one():
    example = next(line for line in PAGE.splitlines() if line.startswith('{"id": 27, "what"'))
    assert list(json.loads(example)) == list(as_json(PROMPT))


def test_every_key_of_a_prompt_is_explained():
    table = PAGE.partition("| in a prompt | meaning |")[2].partition("| in an answer")[0]
    assert [key for key in as_json(PROMPT) if f"`{key}`" not in table] == []
