"""Runs of which the tests make reports."""

import json
from dataclasses import replace

import pytest
from report_parts import HOSTILE, source_of

from feltrig.harness.journal import folder as runs
from feltrig.harness.reports.contents import report


@pytest.fixture(scope="session")
def contents(played):
    return report(source_of(played))


def members(record):
    """The line of a record."""
    return {name: getattr(record, name) for name in ("seq", "t", "m", "kind", "data", "prev", "hash")}


@pytest.fixture
def folder(played, tmp_path):
    """A folder of a run that has its journal and nothing else."""
    lines = (json.dumps(members(record), sort_keys=True, separators=(",", ":")) for record in played)
    (tmp_path / runs.JOURNAL).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


@pytest.fixture
def short(log):
    """A run of which there is little to say."""
    log.run("shoe")
    log.device("box", "shoe", {}, vendor=HOSTILE)
    log.add("trouble", device="box", what="no answer", detail=f"no answer {HOSTILE}")
    log.add("end", reason="wire", rounds=0)
    return log.records


@pytest.fixture(scope="session")
def failed(played):
    """The same, and the display selected numbers that there are not."""
    return [
        replace(r, body=replace(r.body, values={**r.body.values, "number": 9}))
        if r.kind == "event" and r.data["event"] == "selected"
        else r
        for r in played
    ]
