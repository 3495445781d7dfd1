"""What the records of a drill show."""

import pytest

from feltrig.harness.devices.drill_records import (
    NotProvoked,
    abandons,
    all_of,
    at_rest_after,
    each_time,
    keeps_the_cards,
    reports,
    stays_in_fault,
    works_again,
)
from feltrig.protocols.vocabulary import FaultCode, State

JAM = reports(FaultCode.JAM, "DEV-49", "a card blocked its path")


def status(log, state=State.IDLE, fault=0):
    log.add("call", device="mixer", command="status", values={})
    values = {"state": int(state), "fault": fault, "oldest": 1, "latest": 9}
    log.add("reply", device="mixer", command="status", error="ok", values=values)


@pytest.mark.parametrize(
    ("faults", "found"),
    [
        ((1,), None),
        ((), "a card blocked its path, but no fault was reported"),
        ((2, 1), "DEV-49: a card blocked its path: fault 2, expected 1 jam"),
    ],
)
def test_the_first_fault_must_be_the_one_that_was_provoked(log, faults, found):
    for fault in faults:
        log.event("mixer", "faulted", fault=fault)
    assert JAM(log.records, 54) == found


def test_a_device_stays_in_fault_until_its_reset(log):
    log.event("mixer", "faulted", fault=1)
    status(log, State.FAULT, 1)
    log.add("call", device="mixer", command="reset", values={})
    status(log)
    log.event("mixer", "shuffled", deck=1)
    assert stays_in_fault("shuffled")(log.records, 54) is None


@pytest.mark.parametrize(
    ("state", "fault", "found"),
    [
        (State.IDLE, 0, "DEV-47: the state is idle after a fault, expected fault"),
        (State.FAULT, 2, "DEV-48: the status has fault 2, the event had 1"),
    ],
)
def test_a_device_that_leaves_its_fault_by_itself_is_found(log, state, fault, found):
    log.event("mixer", "faulted", fault=1)
    status(log, state, fault)
    assert stays_in_fault("shuffled")(log.records, 54) == found


def test_work_that_goes_on_after_a_fault_is_found(log):
    log.event("mixer", "faulted", fault=1)
    log.event("mixer", "shuffled", deck=1)
    assert stays_in_fault("shuffled")(log.records, 54) == "DEV-46: shuffled came after the fault"


@pytest.mark.parametrize(
    ("state", "fault", "found"),
    [
        (State.IDLE, 0, None),
        (State.LOCKED, 0, None),
        (State.READY, 0, "DEV-32: the state is ready after cleared, expected idle"),
        (State.IDLE, 1, "DEV-48: the status has fault 1 after cleared, expected 0"),
    ],
)
def test_after_a_reset_a_device_is_at_rest(log, state, fault, found):
    log.event("mixer", "cleared")
    status(log, state, fault)
    assert at_rest_after("cleared", "DEV-32")(log.records, 54) == found


def test_what_is_under_way_is_given_up_by_a_start(log):
    log.add("power", device="mixer", on=False)
    log.add("power", device="mixer", on=True)
    log.event("mixer", "started")
    log.add("call", device="mixer", command="shuffle", values={"deck": 1})
    log.event("mixer", "shuffled", deck=1)
    assert abandons("shuffled")(log.records, 54) is None


def test_a_device_that_goes_on_with_its_work_after_a_start_is_found(log):
    log.add("power", device="mixer", on=True)
    log.event("mixer", "started")
    log.event("mixer", "shuffled", deck=1)
    assert abandons("shuffled")(log.records, 54).startswith("DEV-21: shuffled came after a start")


def test_a_start_that_is_not_reported_is_found(log):
    log.add("power", device="mixer", on=True)
    assert abandons("shuffled")(log.records, 54).startswith("DEV-18")


def test_power_that_was_never_cut_shows_nothing(log):
    with pytest.raises(NotProvoked):
        abandons("shuffled")(log.records, 54)


@pytest.mark.parametrize(
    ("events", "good"),
    [
        (("faulted", "cleared", "shuffled"), True),
        (("started", "shuffled"), True),
        (("shuffled", "cleared"), False),
        (("shuffled",), False),
    ],
)
def test_a_machine_must_work_after_it_was_cleared_or_started(log, events, good):
    for name in events:
        log.event("mixer", name)
    assert (works_again("shuffled")(log.records, 54) is None) is good


def test_every_look_at_the_deck_must_show_the_same_cards(log):
    log.read("deck before the drill", [1, 2, 3])
    log.read("cards that came out", [1])
    log.read("deck after the drill", [3, 1, 2])
    log.read("deck before the drill", [4, 5])
    assert keeps_the_cards(log.records, 54) is None
    log.read("deck after the drill", [4])
    assert keeps_the_cards(log.records, 54).startswith("DEV-79: 2 cards went in, 1 came out")


def test_each_value_of_a_command_is_judged_by_itself(log):
    for deck, fault in ((1, 1), (2, 3)):
        for _ in range(2):
            log.add("call", device="mixer", command="shuffle", values={"deck": deck})
        log.event("mixer", "faulted", fault=fault)
    judge = each_time("shuffle", "deck", all_of(JAM, stays_in_fault()))
    assert judge(log.records, 54) == "DEV-49: a card blocked its path: fault 3, expected 1 jam (deck 2)"
