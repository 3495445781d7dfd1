"""The odds of every game: published figures, and those of the decisions about readings."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from feltrig.engine.cards import deck
from feltrig.engine.games import GAMES
from feltrig.engine.games.big_six import odds as big_six
from feltrig.engine.games.big_six.paytables import STOPS, Symbol
from feltrig.engine.games.blackjack import odds as blackjack
from feltrig.engine.games.double_down_stud import odds as double_down_stud
from feltrig.engine.games.double_down_stud.paytables import WAGER
from feltrig.engine.games.fast_action_holdem import odds as fast_action_holdem
from feltrig.engine.games.heads_up_holdem import odds as heads_up_holdem
from feltrig.engine.games.let_it_ride import odds as let_it_ride
from feltrig.engine.games.minibaccarat import odds as minibaccarat
from feltrig.engine.games.packs_poker import odds as packs_poker
from feltrig.engine.games.pai_gow import odds as pai_gow
from feltrig.engine.games.pai_gow_poker import odds as pai_gow_poker
from feltrig.engine.games.red_dog import odds as red_dog
from feltrig.engine.games.roulette import odds as roulette
from feltrig.engine.games.supreme_pai_gow import odds as supreme_pai_gow
from feltrig.engine.games.three_card_poker import odds as three_card_poker
from feltrig.engine.odds import dice
from feltrig.engine.odds.wager import Wager, gathered, paid
from feltrig.engine.ranking.shape import packed
from feltrig.engine.ranking.three_card import strength


def edges(wagers: Iterable[Wager]) -> dict[tuple[str, str], str]:
    """The house edges in percent, to four places."""
    found = {}
    for wager in wagers:
        assert wager.house_edge is not None
        found[wager.bet, wager.table] = f"{float(wager.house_edge):.4%}"
    return found


def test_every_game_has_odds_or_says_why_not() -> None:
    assert all(game.odds.sources for game in GAMES.values())
    slow = {source.bets for game in GAMES.values() for source in game.odds.sources if source.minutes}
    assert slow == {"packs_bet", "ante_raise_and_odds"}


class Watched:
    """Progress, noted."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []

    def __call__(self, what: str, done: int, total: int) -> None:
        self.told.append((what, done, total))

    def goes_from_nothing_to_the_last(self, what: str, total: int) -> bool:
        """Whether all was told, in order."""
        return self.told == [(what, done, total) for done in range(total)]


def test_a_wager_without_odds_for_an_outcome_loses_it() -> None:
    wager = paid("bet", "table", {"full_house": 2, "nothing": 5}, {"full_house": 3})
    assert wager.nets == {"full_house": 3, "nothing": -1}
    assert (wager.total, wager.expected, wager.returned) == (7, Fraction(1, 7), Fraction(8, 7))
    unpaid = Wager("bet", "table", {"any": 1}, None)
    assert (unpaid.expected, unpaid.returned, unpaid.house_edge, unpaid.of_meter) == (None,) * 4


def test_an_outcome_has_one_net() -> None:
    with pytest.raises(ValueError, match="win gains both 1 and 2"):
        gathered("bet", "table", [("win", 1, 3), ("win", 2, 1)])
    wager = gathered("bet", "table", [("lose", -1, 3), ("win", 2, 1), ("lose", -1, 2)])
    assert wager.outcomes == {"win": 1, "lose": 5}
    assert (wager.returned, wager.house_edge) == (Fraction(1, 2), Fraction(1, 2))


def test_the_bonus_of_supreme_pai_gow_by_every_reading() -> None:
    found = list(supreme_pai_gow.wagers())
    assert {wager.total for wager in found} == {316_251}
    assert list(edges(found).values()) == ["6.3254%", "6.3595%", "-0.4161%", "7.2360%", "6.8831%"]
    assert found[0].outcomes["four_aces"] == 1
    assert found[0].outcomes["any_other_pair"] == 89_856


def test_dice_start_the_sixth_seat_less_often() -> None:
    (start,) = dice.start_positions()
    assert list(start.outcomes.values()) == [31, 31, 31, 31, 31, 31, 30]
    assert start.returned is None


def test_let_it_ride() -> None:
    watched = Watched()
    bets, kept, returned = let_it_ride.wagers(watched)
    assert watched.goes_from_nothing_to_the_last("cards of the player", 10)
    assert bets.total == 2_598_960 * 20
    assert bets.returned == Fraction(1_044_937, 1_082_900)
    assert list(edges((bets, kept, returned)).values()) == ["3.5057%", "24.0712%", "21.1997%"]
    assert bets.outcomes["royal_flush_on_3_bets"] > 0


def test_three_card_poker() -> None:
    watched = Watched()
    pair_plus, contest = three_card_poker.wagers(watched)
    assert watched.goes_from_nothing_to_the_last("hands of the player", 1755)
    assert pair_plus.house_edge == Fraction(128, 5525)
    assert contest.total == 22_100 * 18_424
    assert contest.returned == Fraction(19_671_831, 20_358_520)
    below = sum(strength(hand) < packed(0, (12, 6, 4)) for hand in combinations(deck(), 3))
    assert contest.outcomes["fold"] == below * 18_424, "fold below queen-six-four"


def test_double_down_stud() -> None:
    (wager,) = double_down_stud.wagers()
    assert wager.total == 2_598_960 * 5
    assert wager.returned == Fraction(309_467, 324_870)
    assert wager.outcomes["pair_of_fives_or_less_doubled"] > 0
    more = {"royal_flush": 2000, "straight_flush": 200, "four_of_a_kind": 50, "full_house": 11}
    published = double_down_stud.wager({**WAGER, **more}, "the table that is published most")
    assert edges([published]).popitem()[1] == "2.6678%"


@pytest.mark.parametrize(("decks", "edge"), [(1, "3.1554%"), (2, "3.0766%"), (4, "2.8838%"), (8, "2.7509%")])
def test_red_dog(decks: int, edge: str) -> None:
    wager = red_dog.wager(decks)
    assert list(edges([wager]).values()) == [edge]
    assert wager.total == 52 * decks * (52 * decks - 1) * (52 * decks - 2)
    assert red_dog.raises(decks) == {7, 8, 9, 10, 11}
    assert wager.table == ("1 deck" if decks == 1 else f"{decks} decks")


def test_the_numbers_of_decks_that_are_counted() -> None:
    assert [wager.table for wager in red_dog.wagers()] == ["1 deck", "2 decks", "4 decks", "6 decks", "8 decks"]
    assert [wager.table for wager in blackjack.wagers()] == ["4 decks", "6 decks", "8 decks"]
    assert [wager.table for wager in fast_action_holdem.naturals()] == ["8 decks", "6 decks"]
    assert minibaccarat.DECKS == (6, 8)


def test_minibaccarat_by_number_of_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    def results(decks: int) -> Counter[minibaccarat.Result]:
        return Counter(dict.fromkeys(minibaccarat.Result, decks))

    monkeypatch.setattr(minibaccarat, "results", results)
    found = [(wager.bet, wager.table, wager.total) for wager in minibaccarat.wagers()]
    assert found == [(on.value, f"{decks} decks", 3 * decks) for decks in (6, 8) for on in minibaccarat.Result]


def test_minibaccarat() -> None:
    six, eight = minibaccarat.results(6), minibaccarat.results(8)
    assert {result.value: ways for result, ways in eight.items()} == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }
    found = edges(
        minibaccarat.wager(on, counts, decks) for decks, counts in ((6, six), (8, eight)) for on in minibaccarat.Result
    )
    assert list(found.values()) == ["1.2374%", "1.0558%", "14.4382%", "1.2351%", "1.0579%", "14.3596%"]


def test_roulette() -> None:
    found = edges(roulette.wagers())
    assert found["straight", "double_zero"] == "5.2632%"
    assert found["first_five_numbers", "double_zero"] == "7.8947%"
    assert found["red", "double_zero, zero takes half"] == "2.6316%"
    assert found["red", "double_zero, zero takes entire"] == "5.2632%"
    assert found["five_adjacent_numbers", "double_zero"] == "5.2632%"
    assert found["dozen", "single_zero"] == "2.7027%"
    assert found["seven_numbers", "double_zero_used_as_single"] == "5.4054%"
    assert ("first_five_numbers", "single_zero") not in found


def test_big_six_on_any_wheel() -> None:
    assert list(edges(big_six.wagers()).values()) == [
        "11.1111%", "16.6667%", "22.2222%", "18.5185%", "22.2222%", "14.8148%", "14.8148%",
    ]  # fmt: skip
    fewer = {**STOPS, Symbol.ONE: 23, Symbol.FIVE: 8}
    found = edges(big_six.of_wheel(fewer, "other"))
    assert (found["1", "other"], found["5", "other"]) == ("14.8148%", "11.1111%")


def test_heads_up_holdem_bonus_wagers() -> None:
    found = list(heads_up_holdem.wagers())
    assert list(edges(found).values()) == [
        "4.5249%", "6.7873%", "9.9548%", "0.7402%", "1.7424%", "3.3363%", "4.3385%",
    ]  # fmt: skip
    assert found[-1].total == 133_784_560
    assert list(found[-1].outcomes.values()) == [
        4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460,
    ]  # fmt: skip


def test_packs_poker_bonus_wagers() -> None:
    wagers = list(packs_poker.wagers())
    found = edges(wagers)
    totals = {"five_card_bonus": 2_598_960, "seven_card_bonus": 133_784_560}
    assert all(wager.total == totals[wager.bet.removesuffix("_progressive")] for wager in wagers)
    assert {letter: found["five_card_bonus", letter] for letter in "ABCDE"} == {
        "A": "11.7130%", "B": "5.7004%", "C": "9.5163%", "D": "9.4304%", "E": "6.9112%",
    }  # fmt: skip
    assert found["seven_card_bonus", "B, $5 wager"] == found["seven_card_bonus", "E, $5 wager"]
    five_dollars = [edge for (bet, table), edge in found.items() if bet == "seven_card_bonus" and "$5" in table]
    assert len(five_dollars) == 23
    in_percent = sorted(float(edge.rstrip("%")) for edge in five_dollars)
    assert round(in_percent[0], 1) == 2.3
    assert [round(edge, 1) for edge in in_percent[-2:]] == [9.1, 14.9]  # table K stands out


def test_a_progressive_wager_tells_the_meter_apart() -> None:
    wagers = {(wager.bet, wager.table): wager for wager in packs_poker.wagers()}
    five = wagers["five_card_bonus_progressive", "A"]
    assert five.of_meter == Fraction(1, 2_598_960)
    assert five.nets is not None
    assert (five.nets["diamond_royal_flush"], five.nets["royal_flush"]) == (-1, 999)
    seven = wagers["seven_card_bonus_progressive", "A"]
    assert seven.of_meter == (32 + Fraction(180, 10)) / 133_784_560
    assert wagers["five_card_bonus", "A"].of_meter is None


def test_fast_action_holdem() -> None:
    eight, six = fast_action_holdem.naturals()
    assert six.outcomes["natural"] == 13 * 10_626
    assert (six.total, eight.total) == (comb(312, 4), comb(416, 4))
    watched = Watched()
    ranks, _ = fast_action_holdem.five_cards(watched)
    assert watched.goes_from_nothing_to_the_last("shoes", 2)
    assert len(ranks.outcomes) == 17
    assert ranks.outcomes["flush_with_five_of_a_kind"] == 52 * 56


def test_hands_of_games_that_are_set() -> None:
    (tiles,) = pai_gow.wagers()
    assert tiles.total == 496
    assert tiles.outcomes["pair_1"] == 1
    assert tiles.outcomes["pair_17"] == 4
    watched = Watched()
    (poker,) = pai_gow_poker.wagers(watched)
    assert watched.goes_from_nothing_to_the_last("hands", 1)
    assert poker.total == 2_869_685
    assert poker.outcomes["five_aces"] == 1


def test_insurance() -> None:
    assert list(edges(blackjack.wagers()).values()) == ["7.2464%", "7.3955%", "7.4699%"]
