"""`feltrig requirements`."""

import json

import pytest
from typer.testing import CliRunner

from feltrig.harness.cli.app import app
from feltrig.protocols.requirements import REQUIREMENTS

ALL = list(REQUIREMENTS)


def told(*arguments: str) -> list[dict]:
    result = CliRunner().invoke(app, ["requirements", "--json", *arguments])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_all_requirements_are_listed_with_their_level_and_page():
    rows = told()
    assert [row["id"] for row in rows] == ALL
    assert {row["level"] for row in rows} == {"mandatory", "optional"}
    assert {row["page"] for row in rows} == {"serial.md", "modbus.md", "mqtt.md"}


def test_a_requirement_names_what_tests_it_by_kind_and_wire():
    (row,) = told("DEV-16", "--kind", "rng", "--wire", "mqtt")
    assert row["probes"] == [{"kind": "rng", "wire": "mqtt", "step": "limit", "name": "answers a request"}]
    assert row["untested"] is None


def test_one_that_nothing_can_test_says_why():
    (row,) = told("DEV-53")
    assert row["probes"] == []
    assert row["untested"] == "Hands cannot break a sensor without harm."


@pytest.mark.parametrize(
    ("options", "there", "missing"),
    [(("--wire", "mqtt"), "MQT-1", "SER-1"), (("--kind", "shoe"), "DEV-23", "DEV-54")],
)
def test_only_those_that_hold_there(options, there, missing):
    ids = {row["id"] for row in told(*options)}
    assert there in ids
    assert missing not in ids


def test_one_is_shown_whole():
    result = CliRunner().invoke(app, ["requirements", "DEV-16"])
    assert result.output.splitlines()[:2] == [
        "DEV-16  mandatory, docs/serial.md, times",
        "A device must answer within 1 s.",
    ]
    assert "limit 'answers a request': " in result.output


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("DEV-1000",), "DEV-1000: no such requirement"),
        (("--wire", "usb"), "--wire: 'usb' is not"),
        (("--kind", "reader"), "--kind: 'reader' is not"),
    ],
)
def test_bad_input_is_named(arguments, error):
    result = CliRunner().invoke(app, ["requirements", *arguments])
    assert error in str(result.exception)
