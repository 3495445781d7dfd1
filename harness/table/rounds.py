"""Plays rounds: asks of the engine go to the dealer, what is seen goes back, and all of it goes into the journal."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from feltrig.engine.games import GAMES
from feltrig.engine.rulings import Illegal, Order, Ruling
from feltrig.engine.table.round import Round
from feltrig.engine.table.table import Table
from feltrig.engine.table.wagers import wagers_to_record
from feltrig.harness.journal.plain import to_record
from feltrig.harness.journal.records import Asked, MoveRefused, RoundBegun, RoundEnded, Ruled, SessionOpened, Told
from feltrig.harness.plan.checkpoints import RunContext, Segment
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table.dealer import Dealer
from feltrig.harness.table.players import players as players_of
from feltrig.harness.table.sessions import Session, session_record, sessions

ENOUGH = 5
"""A device that needs this many rulings in one round is unfit: playing on would show nothing new."""

TOO_MANY = 40
"""A round with this many rulings is not being played in earnest."""


class Unfit(Exception):
    """A device fails again and again, or fails where the rules give no remedy: the rounds cannot go on."""


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """Told after every round."""

    done: int
    total: int
    variant: str
    void: bool


OnProgress = Callable[[RoundProgress], None]


class Rounds:
    """The rounds of a run, session by session. `played` counts them over the whole run."""

    def __init__(self, on_progress: OnProgress) -> None:
        self.played = 0
        self._total = 0
        self._on_progress = on_progress

    def segments(self, game: GameConfig, rounds: int, *, again: bool = False) -> Iterator[Segment]:
        """One segment for each session; those that are played `again` have names of their own."""
        self._total += rounds
        for number, session in enumerate(sessions(game, rounds), start=1):
            record = session_record(game, session)
            run = partial(self._play_session, session=session, record=record)
            yield Segment(f"rounds {number}{' again' if again else ''}", record, run)

    async def _play_session(self, context: RunContext, *, session: Session, record: dict[str, Any]) -> None:
        config, wired, journal = context.rig.game, context.wired, context.journal
        journal.append(SessionOpened(record))
        game = GAMES[config.name]
        players = players_of(config, record, context.rng)
        dealer = Dealer(wired.devices, session.variant.uses, wired.operator, players, journal, record)
        table = game.table(record)
        wired.use_cards(game.cards_of(record))
        for deck in record["decks"]:
            await wired.operator.bring_deck(deck)
        await wired.operator.place_button(table.button)
        for _ in range(session.rounds):
            wagers = players.wagers()
            round_ = table.open_round(wagers)
            self.played += 1
            journal.append(RoundBegun(self.played, wagers_to_record(wagers)))
            dealer.wagers = wagers
            await _play_round(context, table, round_, dealer)
            await wired.operator.place_button(table.button)
            journal.sync()
            void = round_.result is not None and round_.result.void
            self._on_progress(RoundProgress(self.played, self._total, str(session.variant), void))
        await dealer.put_away(record["decks"])


async def _play_round(context: RunContext, table: Table, round_: Round, dealer: Dealer) -> None:
    journal = context.journal
    against: Counter[str | None] = Counter()
    while (ask := round_.ask) is not None:
        for noticed in dealer.notices(ask):
            journal.append(Told(to_record(noticed)))
            for ruling in round_.tell(noticed):
                journal.append(Ruled(to_record(ruling)))
        journal.append(Asked(to_record(ask)))
        told = await dealer.fulfil(ask)
        journal.append(Told(to_record(told)))
        try:
            rulings = round_.tell(told)
        except Illegal as refusal:
            journal.append(MoveRefused(refusal.why, refusal.rules))
            told = dealer.instead(ask)
            journal.append(Told(to_record(told)))
            rulings = round_.tell(told)
        for ruling in rulings:
            journal.append(Ruled(to_record(ruling)))
            _count(context, ruling, against)
            if ruling.order is Order.MOVE_BUTTON:
                await context.wired.operator.place_button(table.button)
    journal.append(RoundEnded(to_record(round_.result)))


def _count(context: RunContext, ruling: Ruling, against: Counter[str | None]) -> None:
    against[ruling.device] += 1
    if ruling.device is not None and against[ruling.device] >= ENOUGH:
        name = context.wired.devices[ruling.device].name
        raise Unfit(name, f"{ENOUGH} rulings in one round, the last: {ruling.why}")
    if against.total() >= TOO_MANY:
        raise Unfit("table", f"{TOO_MANY} rulings in one round, the last: {ruling.why}")
