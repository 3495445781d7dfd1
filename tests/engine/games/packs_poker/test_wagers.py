"""What a player may stake before the deal: 43.6(b)."""

import pytest

from feltrig.engine.games.packs_poker.wagers import Wager, check
from feltrig.engine.rulings import Illegal

RULE = "13:69F-43.6(b)"


def refused(
    wager: Wager, five_card: bool = True, seven_card: bool = True, bonus_requires_packs_bet: bool = False
) -> str | None:
    try:
        check(
            wager,
            five_card_offered=five_card,
            seven_card_offered=seven_card,
            bonus_requires_packs_bet=bonus_requires_packs_bet,
        )
    except Illegal as illegal:
        return str(illegal).removesuffix(f" ({RULE})")
    return None


@pytest.mark.clause("packs_poker", RULE)
@pytest.mark.parametrize(
    "wager",
    [
        Wager({1: 500}),
        Wager({3: 500}),
        Wager({1: 500, 2: 700, 3: 1}),
        Wager({1: 500}, {1: 100}, {1: 100}),
        Wager({}, {2: 100}),
        Wager({}, {}, {3: 100}),
        Wager({1: 500}, {2: 100}, {3: 100}),
    ],
)
def test_any_of_the_packs_and_any_bonus_may_be_wagered_on(wager: Wager) -> None:
    assert refused(wager) is None


@pytest.mark.clause("packs_poker", RULE)
def test_the_licensee_may_require_a_packs_bet_with_each_bonus() -> None:
    check(Wager({}, {1: 100}), five_card_offered=True, seven_card_offered=True)
    required = {"bonus_requires_packs_bet": True}
    assert refused(Wager({1: 500, 2: 500}, {1: 100}, {2: 100}), **required) is None
    assert refused(Wager({1: 500}, {2: 100}), **required) == "five-card bonus on pack 2: no pack's bet goes with it"
    assert refused(Wager({1: 500}, {}, {3: 9}), **required) == "seven-card bonus on pack 3: no pack's bet goes with it"


@pytest.mark.clause("packs_poker", RULE, "13:69F-43.11(b)", "13:69F-43.11(c)")
def test_a_bonus_that_is_not_offered_is_refused() -> None:
    assert refused(Wager({1: 5}, {1: 5}), five_card=False) == "five-card bonus on pack 1: not offered at this table"
    assert refused(Wager({1: 5}, {}, {1: 5}), five_card=False) is None
    assert (
        refused(Wager({1: 5}, {}, {1: 5}), seven_card=False) == "seven-card bonus on pack 1: not offered at this table"
    )
    assert refused(Wager({1: 5}, {1: 5}), seven_card=False) is None


@pytest.mark.clause("packs_poker", RULE)
def test_there_are_three_packs_and_a_wager_is_more_than_nothing() -> None:
    assert refused(Wager({0: 500})) == "pack's bet on pack 0: expected pack 1, 2 or 3"
    assert refused(Wager({4: 500})) == "pack's bet on pack 4: expected pack 1, 2 or 3"
    assert refused(Wager({1: 0})) == "pack's bet on pack 1: 0 cents is not a valid wager"
    assert refused(Wager({1: 5}, {1: -5})) == "five-card bonus on pack 1: -5 cents is not a valid wager"
    assert refused(Wager()) == "no wager"
