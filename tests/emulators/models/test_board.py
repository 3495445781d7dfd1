"""What befalls the electronics of a device: power, memory, event counter, speed."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.board import JUMP, SLOWER, Board
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import ANSWER, Fault
from feltrig.emulators.models.rng import FAULTS, RngMechanism, rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shoe import shoe
from feltrig.emulators.models.shuffler import shuffler
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.vocabulary import Error, FaultCode, State

LOSSES = ["power_loss", "power_loss_forgetful"]


def select(device: Device[Any], now: float = 0.0, token: int = 0) -> Error:
    return device.handle(Request("select", token=token), now).error


def numbers(device: Device[Any], now: float = 0.0) -> list[tuple[int, str]]:
    return [(event.number, event.name) for event in device.events(0, now, 5000).events]


def started(fault: str, **more: Any) -> Device[RngMechanism]:
    """An rng in which the third event, the second selection, is struck."""
    return rng(Setup("rng", 1, faults=[Fault(fault, event=3, **more)]))


def test_with_memory_the_events_go_on_after_a_power_loss() -> None:
    device = started("power_loss", seconds=2.0)
    for _ in range(2):
        select(device)
    assert numbers(device, 1.9) == [(1, "started"), (2, "selected")]
    assert numbers(device, 2.0) == [(1, "started"), (2, "selected"), (3, "started")]
    assert select(device, 2.0) is Error.OK
    assert numbers(device, 2.0)[-1] == (4, "selected")


def test_without_memory_the_events_are_gone_and_their_numbers_start_again() -> None:
    device = started("power_loss_forgetful", seconds=2.0)
    for _ in range(2):
        select(device)
    assert numbers(device, 2.0) == [(1, "started")]
    status = device.status(2.0)
    assert (status.oldest, status.latest) == (1, 1)


def test_a_restart_is_a_moment_without_memory() -> None:
    device = started("restart")
    for _ in range(2):
        assert select(device) is Error.OK
    assert numbers(device) == [(1, "started")]
    assert device.status(0.0).state is State.IDLE
    assert device.handle(Request("display"), 0.0).values == {"number": 0}


@pytest.mark.parametrize("fault", LOSSES)
def test_without_power_nothing_is_acted_on_and_no_token_is_kept(fault: str) -> None:
    device = started(fault, seconds=2.0)
    for _ in range(2):
        select(device)
    assert select(device, 1.0, token=9) is Error.WRONG_STATE
    assert device.handle(Request("reset"), 1.0).error is Error.WRONG_STATE
    assert select(device, 2.0, token=9) is Error.OK
    assert numbers(device, 2.0)[-1][1] == "selected"


@pytest.mark.parametrize(("fault", "runs_again"), [("power_loss", False), ("power_loss_forgetful", True)])
def test_a_command_cut_off_by_the_power_runs_again_only_if_it_was_forgotten(fault: str, runs_again: bool) -> None:
    device = rng(Setup("rng", 1, faults=[Fault(fault, seconds=2.0)]))
    assert select(device, 0.0, token=9) is Error.OK
    assert select(device, 2.0, token=9) is Error.OK
    assert (numbers(device, 2.0)[-1][1] == "selected") is runs_again


@pytest.mark.parametrize("fault", LOSSES)
def test_the_power_goes_at_any_instant_and_the_cards_stay_where_they_are(fault: str) -> None:
    bench = Bench()
    bench.put_new_deck("shuffler.in.1", "red", range(54))
    device = shuffler(Setup("shuffler", 1, speed=1.0, bench=bench, faults=[Fault(fault, after=20.0, seconds=1.0)]))
    device.advance(1000.0)
    device.handle(Request("shuffle", {"deck": 1}), 1001.0)
    device.advance(1013.0)
    assert device.due() == 1020.0
    assert [name for _, name in numbers(device, 1020.0)] == ["started", "shuffling"]
    assert device.due() == 1021.0
    assert [bench.count(f"shuffler.{place}") for place in ("in.1", "inside", "out.1")] == [27, 27, 0]
    assert numbers(device, 1100.0)[-1][1] == "started"
    assert device.status(1100.0).state is State.IDLE
    assert [bench.count(f"shuffler.{place}") for place in ("in.1", "inside", "out.1")] == [27, 27, 0]


def test_a_power_loss_ends_a_fault_and_leaves_a_lock_locked() -> None:
    bench = Bench()
    bench.put_new_deck("shoe.well", "red", range(54))
    device = shoe(Setup("shoe", 1, bench=bench, faults=[Fault("jam")]))
    device.handle(Request("dispense", {"size": 4}), 0.0)
    device.inject(Fault("power_loss", after=1.0, seconds=1.0), 0.0)
    assert device.status(0.9).fault is FaultCode.JAM
    assert (device.status(2.0).fault, device.status(2.0).state) == (FaultCode.NONE, State.IDLE)
    assert bench.count("shoe.inside") == 1

    locked = shoe(Setup("shoe", 1, faults=[Fault("power_loss", after=1.0)]))
    locked.handle(Request("lock"), 0.0)
    assert locked.events(1, 9.0, 9).events[0].name == "started"
    assert locked.status(9.0).state is State.LOCKED


def test_the_clock_of_a_fault_starts_when_the_device_is_first_told_the_time() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("out_of_range", after=5.0)]))
    device.advance(1000.0)
    reported = []
    for now in (1000.0, 1004.9, 1005.0, 1006.0):
        select(device, now)
        reported.append(device.events(0, now, 99).events[-1].values["number"] in (0, 8))
    assert reported == [False, False, True, False]


def test_time_does_not_depend_on_the_speed() -> None:
    for speed in (0.0, 0.5, 10.0):
        device = rng(Setup("rng", 1, speed=speed, faults=[Fault("power_loss", after=5.0)]))
        device.advance(100.0)
        assert device.due() == 105.0


def test_an_alarm_outlives_a_reset_and_counts_the_events_before_it_for_nothing() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("counter_jump", after=5.0)]))
    for now in (100.0, 104.0):
        select(device, now)
    device.handle(Request("reset"), 104.5)
    select(device, 106.0)
    assert [number for number, _ in numbers(device, 106.0)] == [1, 2, 3, 4, 5 + JUMP]


def test_a_counter_that_jumps_leaves_a_gap_and_holds_every_event() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("counter_jump", at=2)]))
    for _ in range(3):
        select(device)
    held = [number for number, _ in numbers(device)]
    assert held == [1, 2, 3 + JUMP, 4 + JUMP]
    assert [event.number for event in device.events(3, 0.0, 1).events] == [3 + JUMP]
    assert [event.number for event in device.events(0, 0.0, 3).events] == held[:3]
    assert device.status(0.0).latest == held[-1]


def test_a_fault_and_a_power_loss_do_not_mix() -> None:
    """The power goes as the fault is about to be reported: after it, there is no fault."""
    bench = Bench()
    bench.put_new_deck("shuffler.in.1", "red", range(54))
    device = shuffler(
        Setup("shuffler", 1, bench=bench, faults=[Fault("jam"), Fault("power_loss", event=3, seconds=1.0)])
    )
    device.handle(Request("shuffle", {"deck": 1}), 0.0)
    assert [name for _, name in numbers(device, 1.0)] == ["started", "shuffling", "started"]
    assert device.status(1.0).fault is FaultCode.NONE


def test_a_restart_at_every_event_leaves_the_device_serving() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("restart", times=0)]))
    for _ in range(5):
        assert select(device) is Error.OK
        assert numbers(device) == [(1, "started")]


def test_slow_takes_longer_even_when_everything_happens_at_once() -> None:
    fast = rng(Setup("rng", 1, faults=[Fault("slow", at=2, seconds=4.0)]))
    select(fast, 0.0)
    select(fast, 10.0)
    assert fast.status(13.9).state is State.BUSY
    assert fast.status(14.0).state is State.READY
    select(fast, 20.0)
    assert fast.status(20.0).state is State.READY

    lifelike = rng(Setup("rng", 1, speed=1.0, faults=[Fault("slow", seconds=4.0)]))
    select(lifelike, 0.0)
    assert lifelike.due() == SLOWER * 2.0 + 4.0


def test_a_device_that_hangs_stays_busy_until_it_is_reset() -> None:
    device = rng(Setup("rng", 1, faults=[Fault("hang")]))
    select(device)
    assert (device.due(), device.status(1e6).state, numbers(device, 1e6)) == (None, State.BUSY, [(1, "started")])
    device.handle(Request("reset"), 1e6)
    assert select(device, 1e6) is Error.OK
    assert numbers(device, 1e6)[-1][1] == "selected"


def test_a_fault_that_the_kind_cannot_have_is_not_injected() -> None:
    with pytest.raises(ValueError, match="fault 'jam': a rng has only"):
        rng(Setup("rng", 1)).inject(Fault("jam"), 0.0)


def test_streams_differ_by_purpose_and_replay() -> None:
    board, again = Board(RNG, Setup("rng", 1), FAULTS), Board(RNG, Setup("rng", 1), FAULTS)
    assert board.stream("a").random() == again.stream("a").random() != board.stream("b").random()


PLACES = ("shuffler.in.1", "shuffler.in.2", "shoe.well", "reader.tray")


def commands(kind: str) -> st.SearchStrategy[Request]:
    """Acting commands with arguments that are often sensible, and the reading ones."""
    known = [command for name, command in KINDS[kind].commands.items() if name not in ("events", "challenge")]
    return st.sampled_from(known).flatmap(
        lambda command: st.builds(
            Request,
            st.just(command.name),
            st.fixed_dictionaries({field.name: st.integers(0, 5) for field in command.args}),
            st.integers(0, 3),
        )
    )


def faults(kind: str) -> st.SearchStrategy[Fault]:
    mechanical = [what for what, entry in MODELS[kind].faults.items() if entry.operation != ANSWER]
    return st.builds(
        Fault,
        st.sampled_from(mechanical),
        at=st.integers(1, 3),
        times=st.integers(0, 3),
        every=st.integers(1, 3),
        after=st.sampled_from((0.0, 0.0, 3.0)),
        event=st.integers(1, 6),
        probability=st.sampled_from((1.0, 0.5)),
    )


@pytest.mark.parametrize("kind", MODELS)
@settings(max_examples=50)
@given(data=st.data())
def test_whatever_faults_come_together_a_device_serves_and_loses_no_card(kind: str, data: st.DataObject) -> None:
    """No exception; the events held rise in number up to the latest; every card brought is on the bench."""
    bench = Bench()
    brought = {card.serial for place in PLACES for card in bench.put_new_deck(place, place, range(54))}
    speed = data.draw(st.sampled_from((0.0, 0.1)))
    struck = data.draw(st.lists(faults(kind), max_size=4))
    device = MODELS[kind].build(Setup(kind, 1, speed=speed, faults=struck, bench=bench))
    now = 1000.0
    for request, seconds in data.draw(
        st.lists(st.tuples(commands(kind), st.sampled_from((0.0, 0.3, 2.0))), max_size=12)
    ):
        assert isinstance(device.handle(request, now), Reply)
        now += seconds
        batch = device.events(0, now, 5000)
        held = [event.number for event in batch.events]
        assert held == sorted(set(held))
        assert (held[0], held[-1]) == (batch.status.oldest, batch.status.latest)
        assert brought <= {card.serial for card in bench.cards()}
    device.board.advance(now + 1000.0)
    assert not device.board.off
