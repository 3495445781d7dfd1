"""The progressive meter and the wagers that it pays: 43.11(b)2, (c)2 and 43.12."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from feltrig.engine.asks import Rules
from feltrig.engine.games.packs_poker.hands import RULES
from feltrig.engine.games.packs_poker.paytables import Basis, PayTable, PayTables
from feltrig.engine.games.packs_poker.readings import DEFAULT, MeterShare, Readings, RepeatedJackpot, SinglePayout
from feltrig.engine.games.packs_poker.settlement import QUALIFIES, BonusSettlement, settle_bonus, stake_kept
from feltrig.engine.money import Cents, exact

PERCENTS: Mapping[str, tuple[int, ...]] = {"five_card": (100,), "seven_card": (10, 100)}
"""The shares of the meter that each wager can win."""

LEAST_RATE: Mapping[str, Fraction] = {"five_card": Fraction(1, 100), "seven_card": Fraction(5, 100)}
"""How much of the wagers must go on the meter, or on it and the reset meter together: 43.12(e)."""


@dataclass(frozen=True, slots=True)
class MeterAward:
    """What one pack takes off the meter. The payouts and what is left are together what was on it."""

    payouts: Mapping[int, int]
    """By seat."""
    left: int
    """What stays on the meter. Shares are whole cents; an odd cent is nobody's and stays, as no clause divides it."""
    jackpot: bool
    """Whether the whole meter was awarded, so that it starts again from the reset amount."""
    rules: Rules

    def next_reading(self, reset: int) -> int:
        """What the meter shows afterwards, when the licensee resets it to `reset`."""
        return self.left + (reset if self.jackpot else 0)


@dataclass(frozen=True, slots=True)
class PackSettlement:
    """The progressive wagers of one kind on one pack, settled by seat, and what that did to the meter."""

    seats: Mapping[int, BonusSettlement]
    award: MeterAward


def least_increment(kind: str, wagered: int) -> Cents:
    """The least that wagers of this many cents must add to the meter."""
    return exact(LEAST_RATE[kind] * wagered)


def share(meter: int, percents: Mapping[int, int], sharing: MeterShare = MeterShare.POOLED) -> MeterAward:
    """The payouts to the seats that qualify on one pack, each for 10% or 100%, whatever they wagered (43.12(d)3).

    Equal percentages share equally (43.12(d)1); 10% is paid first, and 100% is what remains (43.12(d)2).
    """
    tenths = [seat for seat, percent in percents.items() if percent == 10]
    whole = [seat for seat, percent in percents.items() if percent == 100]
    tenth = meter // 10 // (len(tenths) or 1) if sharing is MeterShare.POOLED else meter // 10
    balance = meter - tenth * len(tenths)
    part = balance // (len(whole) or 1)
    applied = {
        "13:69F-43.12(d)": bool(percents),
        "13:69F-43.12(d)1": len(tenths) > 1 or len(whole) > 1,
        "13:69F-43.12(d)2": bool(tenths and whole),
        "13:69F-43.12(d)3": bool(percents),
    }
    return MeterAward(
        payouts=dict.fromkeys(tenths, tenth) | dict.fromkeys(whole, part),
        left=balance - part * len(whole),
        jackpot=bool(whole),
        rules=tuple(rule for rule, applies in applied.items() if applies),
    )


def award_in_sequence(
    kind: str, meter: int, packs: Sequence[Mapping[int, int]], reset: int, readings: Readings = DEFAULT
) -> tuple[MeterAward, ...]:
    """The awards of the packs in their order, each from the meter as the one before left it: 43.12(b), PP-09.

    A pack is the percentages by seat. The five cards of the five-card bonus are the same on every pack.
    """
    awards: list[MeterAward] = []
    paid: set[int] = set()
    for percents in packs:
        claims = {seat: percent for seat, percent in percents.items() if _may_claim(seat, paid, readings)}
        award = share(meter, claims, readings.meter_share)
        meter = award.next_reading(reset)
        paid.update(award.payouts if kind == "five_card" else ())
        awards.append(award)
    return tuple(awards)


def settle_pack(
    hands: Mapping[int, Sequence[str]],
    tables: PayTables,
    letter: str,
    wagers: Mapping[int, int],
    meter: int,
    readings: Readings = DEFAULT,
    already_paid: Collection[int] = (),
) -> PackSettlement:
    """All progressive wagers of one kind on one pack, by seat, from the meter as it stands at this settlement.

    `hands` are each seat's names in the pay tables, the rarest first. `already_paid` are the seats whose same cards
    took the meter on an earlier pack; they matter in one reading of PP-09 only.
    """
    table = tables.tables[letter]
    fixed = {seat: settle_bonus(hands[seat], tables, letter, wager, readings) for seat, wager in wagers.items()}
    claims = {
        seat: hand
        for seat, wager in wagers.items()
        if wager and _may_claim(seat, already_paid, readings) and (hand := _meter_hand(hands[seat], table))
    }

    def from_meter(seat: int) -> int:
        return award.payouts[seat] - stake_kept(wagers[seat], readings)

    award = _share_among(claims, table, meter, readings)
    if readings.single_payout is SinglePayout.HIGHEST_AMOUNT:
        # Who has more by the multiple leaves the meter to the others, whose shares then grow: PP-02.
        while outpaid := [seat for seat in claims if fixed[seat].net > from_meter(seat)]:
            del claims[max(outpaid, key=lambda seat: fixed[seat].net)]
            award = _share_among(claims, table, meter, readings)
    paid = {
        seat: BonusSettlement(
            hand, from_meter(seat), (QUALIFIES, RULES[hand], tables.clause, *award.rules), award.payouts[seat]
        )
        for seat, hand in claims.items()
    }
    return PackSettlement(fixed | paid, award)


def _may_claim(seat: int, already_paid: Collection[int], readings: Readings) -> bool:
    return readings.repeated_jackpot is RepeatedJackpot.SEQUENTIAL or seat not in already_paid


def _meter_hand(hands: Sequence[str], table: PayTable) -> str | None:
    """The hand for which the table pays most of the meter, which is the rarest."""
    return next((hand for hand in hands if hand in table and table[hand].basis is Basis.METER_PERCENT), None)


def _share_among(claims: Mapping[int, str], table: PayTable, meter: int, readings: Readings) -> MeterAward:
    return share(meter, {seat: table[hand].amount for seat, hand in claims.items()}, readings.meter_share)
