"""The oracle on Three Card Poker."""

from typing import Any

import pytest

from feltrig.engine import oracle


def ask(given: dict[str, Any], **options: Any) -> dict[str, Any]:
    return oracle.ask({"id": "q", "game": "three_card_poker", "op": "settle", "input": given, "options": options})


def given(
    player: str,
    dealer: str | None,
    ante: int | None = 1000,
    play: bool | None = True,
    pair_plus: int | None = 500,
) -> dict[str, Any]:
    return {
        "player": player.split(),
        "dealer": None if dealer is None else dealer.split(),
        "ante_cents": ante,
        "play": play,
        "pair_plus_cents": pair_plus,
    }


KEYS = (
    "player",
    "dealer",
    "dealer_qualifies",
    "result",
    "ante_net_cents",
    "play_net_cents",
    "ante_bonus_net_cents",
    "pair_plus_net_cents",
)


@pytest.mark.parametrize(
    ("question", "values", "clauses"),
    [
        (
            given("As Ks Qs", "Ad Kd Qd"),
            ("straight_flush", "straight_flush", True, "draw", 0, 0, 5000, 20_000),
            "20.3(b)1 20.3(c) 20.11(a)1 20.11(a)3 20.11(a)2",
        ),
        (
            given("4c 4d 4h", "4s 3s 2s"),
            ("three_of_a_kind", "straight_flush", True, "lose", -1000, -1000, 4000, 15_000),
            "20.3(b)2 20.3(b)1 20.11(a)1 20.11(a)3 20.11(a)2",
        ),
        (
            given("Tc 9d 7h", "Jc 3d 2h", pair_plus=None),
            ("high_card", "high_card", False, "dealer_not_qualified", 1000, 0, 0, 0),
            "20.3(c) 20.11(a)1",
        ),
        (
            given("As Ks Qs", "Ad Kd Qd", play=False),
            ("straight_flush", "straight_flush", True, "fold", -1000, 0, 0, -500),
            "20.10(b)",
        ),
        (
            given("As Ks Qs", None, play=False, pair_plus=0),
            ("straight_flush", None, None, "fold", -1000, 0, 0, 0),
            "20.10(b)",
        ),
        (
            given("2c 2d 3h", None, ante=0, play=None),
            ("pair", None, None, None, 0, 0, 0, 500),
            "20.3(b)5 20.11(a)2",
        ),
        (
            given("2c 3d 5h", "Jc 8d 9h", ante=None, play=False),
            ("high_card", "high_card", False, None, 0, 0, 0, -500),
            "20.3(c) 20.11(a)2",
        ),
        (
            given("2c 2d 3h", "Ac Ad 9h", ante=0, play=True),
            ("pair", "pair", True, None, 0, 0, 0, 500),
            "20.3(b)5 20.11(a)2",
        ),
    ],
)
def test_settle_answers(question: dict[str, Any], values: tuple[Any, ...], clauses: str) -> None:
    cited = [f"19:47-{number}" for number in clauses.split()]
    assert ask(question) == {"id": "q", "result": dict(zip(KEYS, values, strict=True)), "clauses": cited}


def test_what_was_not_wagered_may_be_left_out() -> None:
    hands = {"player": ["Ac", "9d", "4h"], "dealer": ["Kc", "9h", "4s"]}
    assert ask({**hands, "ante_cents": 700, "play": True})["result"]["ante_net_cents"] == 700
    assert ask({"player": ["Ac", "Kc", "9c"], "pair_plus_cents": 25})["result"]["pair_plus_net_cents"] == 100


def test_readings_are_options_by_name_and_by_decision() -> None:
    nines = given("9c 9d Ah", "Tc Td 2h")
    for name in ("tie_break", "PGP-04"):
        assert ask(nines, **{name: "literal"})["result"]["result"] == "win"
        assert ask(nines, **{name: "group_ranks_first"})["result"]["result"] == "lose"
    draw = given("As Ks Qs", "Ad Kd Qd")
    for name in ("draw", "TCP-01"):
        assert ask(draw, **{name: "lose"})["result"]["play_net_cents"] == -1000
        assert ask(draw, **{name: "push"})["result"]["play_net_cents"] == 0


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (
            given("As Ks Qs", "Ad Kd Qd", 0, True, 0),
            "no wager: expected input.ante_cents, input.pair_plus_cents or both (19:47-20.6(a))",
        ),
        (given("As Ks Qs", "As Kd Qd"), "card 'As': 2 times, and the decks have 1"),
        (given("As Ks", "Ad Kd Qd"), "input.player: 2 cards, expected 3"),
        (given("As Ks Qs", "Ad Kd"), "input.dealer: 2 cards, expected 3"),
        (given("As Ks X1", "Ad Kd Qd"), "card 'X1': not in the deck of this game"),
        (
            given("As Ks Qs", "Ad Kd Qd", play=None),
            "input.play: missing; expected true or false after an ante (19:47-20.10(b))",
        ),
        (given("As Ks Qs", None), "input.dealer: missing; expected 3 cards for a play wager to compete against"),
        (given("As Ks Qs", "Ad Kd Qd", -1), "input.ante_cents: -1 is not 0 or more"),
    ],
)
def test_bad_questions_get_one_clear_line(question: dict[str, Any], error: str) -> None:
    assert ask(question) == {"id": "q", "error": error}
