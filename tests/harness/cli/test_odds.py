"""`feltrig odds`: what it prints, and what it refuses."""

import json

import pytest
from typer.testing import CliRunner

from feltrig.engine.games.big_six.paytables import STOPS, Symbol
from feltrig.errors import RigError
from feltrig.harness.cli.app import app
from feltrig.harness.cli.odds import stops


def test_json_has_what_a_program_needs() -> None:
    printed = CliRunner().invoke(app, ["odds", "big_six", "--json"])
    assert printed.exit_code == 0
    found = json.loads(printed.stdout)
    assert found["game"] == "big_six"
    assert found["bets"][0] == {
        "bet": "1",
        "table": "customary wheel",
        "total": 54,
        "outcomes": {"win": 24, "lose": 30},
        "nets": {"win": "1/1", "lose": "-1/1"},
        "return": "8/9",
        "house_edge": pytest.approx(1 / 9),
    }


def test_a_distribution_without_payouts_has_no_return() -> None:
    found = json.loads(CliRunner().invoke(app, ["odds", "pai_gow", "--json"]).stdout)
    assert [bet["return"] for bet in found["bets"]] == [None]
    assert [left["bet"] for left in found["left_out"]] == ["wager"]


def test_quick_says_what_it_leaves_out() -> None:
    found = json.loads(CliRunner().invoke(app, ["odds", "heads_up_holdem", "--json", "--quick"]).stdout)
    assert {bet["bet"] for bet in found["bets"]} == {"pocket_bonus", "trips_plus"}
    assert found["left_out"] == [{"bet": "ante_raise_and_odds", "why": "takes minutes, and --quick was given"}]


def test_a_person_sees_every_outcome() -> None:
    printed = CliRunner().invoke(app, ["odds", "big_six", "--wheel", "1=1,2=1,5=1,10=1,20=1,joker=1,flag=1"]).stdout
    assert "house edge 71.4286%" in printed
    assert printed.count("win") == 7


def test_a_wheel_from_the_command_line() -> None:
    symbols = tuple(symbol.value for symbol in Symbol)
    found = stops("1=24,2=15,5=7,10=4,20=2,joker=1,flag=1", symbols)
    assert found == {symbol.value: count for symbol, count in STOPS.items()}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (["nonesuch"], "GAME nonesuch: no such game; expected one of supreme_pai_gow"),
        (["roulette", "--wheel", "1=2"], "roulette has no wheel whose stops can be chosen"),
        (["big_six", "--wheel", "1=2"], "no stops for 2, 5, 10, 20, joker, flag"),
        (["big_six", "--wheel", "1=2,1=3"], "1 twice"),
        (["big_six", "--wheel", "3=2"], "'3=2': expected one of 1, 2, 5, 10, 20, joker, flag"),
        (["big_six", "--wheel", "1=0"], "'1=0': expected"),
        (["big_six", "--wheel", "1=²"], "'1=²': expected"),
        (["big_six", "--wheel", ""], "'': expected"),
    ],
)
def test_bad_input_is_refused_in_one_line(given: list[str], complaint: str) -> None:
    refused = CliRunner().invoke(app, ["odds", *given])
    assert isinstance(refused.exception, RigError)  # which the entry point prints, with status 2
    assert complaint in str(refused.exception)
    assert "\n" not in str(refused.exception)
