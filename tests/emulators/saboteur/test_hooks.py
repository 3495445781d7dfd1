"""What a mutant can change in an emulated device, and that nothing else changes with it."""

from dataclasses import replace

import pytest

from feltrig.emulators.bench import Bench
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.misbehaviour import Misbehaviour
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.saboteur.hooks import parts
from feltrig.emulators.saboteur.hooks.line import unasked
from feltrig.emulators.saboteur.hooks.machine import answers, fields, refuses, remembers, rewritten, statuses, without
from feltrig.emulators.saboteur.hooks.registers import registers
from feltrig.emulators.saboteur.hooks.serial_frames import incoming_serial, reframed, resealed
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim, together
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.modbus import pdu
from feltrig.protocols.serial.frame import Deframer, encode
from feltrig.protocols.vocabulary import Error, State


def struck(change: Change) -> Victim:
    """An rng that was changed so."""
    honest = MODELS["rng"].build(Setup("box", 1, bench=Bench()))
    return Mutant("x", ("DEV-1",), "is changed", change).strike(honest, Misbehaviour(honest.board))


def events(victim: Victim) -> list[tuple[int, str]]:
    return [(event.number, event.name) for event in victim.machine.events(0, 0.0, 99).events]


RESET = [Request("reset", token=n) for n in range(1, 20)]


def test_a_device_without_a_change_is_the_model_itself():
    victim = struck(together())
    assert victim.machine is victim.device
    assert victim.misbehave(b"as it is") == b"as it is"
    assert victim.received(b"as it is") == b"as it is"


def test_other_answers_come_to_the_named_commands_and_in_the_named_states_only():
    victim = struck(refuses(Error.EMPTY, "reset", states=(State.READY,)))
    assert victim.machine.handle(RESET[0], 0.0).error is Error.OK
    assert victim.machine.handle(Request("select", token=30), 0.0).error is Error.OK
    assert victim.machine.handle(RESET[1], 0.0).error is Error.EMPTY
    assert victim.machine.handle(Request("blank", token=31), 0.0).error is Error.OK


def test_an_answer_knows_whether_its_token_came_before():
    victim = struck(answers(lambda asked: Reply(Error.WRONG_STATE) if asked.again else asked.obey()))
    said = [victim.machine.handle(RESET[0], 0.0).error for _ in range(2)]
    assert said == [Error.OK, Error.WRONG_STATE]


def test_a_forgetful_machine_acts_again_on_the_token_that_it_forgot():
    victim = struck(remembers(2))
    for request in (*RESET[:3], RESET[2], RESET[1], RESET[0]):
        victim.machine.handle(request, 0.0)
    assert [name for _, name in events(victim)].count("cleared") == 4


def test_events_are_dropped_without_a_gap_and_their_fields_changed():
    victim = struck(together(without("cleared"), fields("selected", number=9)))
    victim.machine.handle(RESET[0], 0.0)
    victim.machine.handle(Request("select", token=30), 0.0)
    assert events(victim) == [(1, "started"), (2, "selected")]
    assert victim.machine.events(1, 0.0, 9).events[0].values == {"number": 9}
    assert victim.machine.handle(Request("status"), 0.0).values["latest"] == 2
    assert victim.device.board.status().latest == 3


def test_events_have_other_numbers_and_a_smaller_memory():
    victim = struck(rewritten(number=lambda n: n + 100, kept=2))
    for request in RESET[:4]:
        victim.machine.handle(request, 0.0)
    assert events(victim) == [(104, "cleared"), (105, "cleared")]
    assert (victim.machine.status(0.0).oldest, victim.machine.status(0.0).latest) == (104, 105)


def test_a_status_is_changed_wherever_it_is_reported():
    victim = struck(statuses(lambda status: replace(status, state=State.LOCKED)))
    assert victim.machine.status(0.0).state is State.LOCKED
    assert victim.machine.events(0, 0.0, 9).status.state is State.LOCKED
    assert victim.machine.handle(Request("status"), 0.0).values["state"] == State.LOCKED


def test_the_board_and_the_parts_of_one_device_are_changed_and_no_other():
    victim = struck(together(parts.board("clear", lambda honest: None), parts.part("_select", lambda honest, s: None)))
    victim.machine.handle(RESET[0], 0.0)
    victim.machine.handle(Request("select", token=30), 0.0)
    assert events(victim) == [(1, "started")]
    other = struck(together())
    other.machine.handle(RESET[0], 0.0)
    assert events(other) == [(1, "started"), (2, "cleared")]


def test_a_frame_is_changed_and_sealed_again():
    victim = struck(reframed(lambda frame: frame._replace(seq=9)))
    assert victim.misbehave(encode(1, 2, 3, b"x")) == encode(1, 9, 3, b"x")


def test_a_frame_that_comes_in_pieces_is_changed_when_it_is_whole():
    victim = struck(incoming_serial(resealed))
    frame = encode(1, 2, 3, b"xy")
    wrong = frame[:-2] + bytes((frame[-2] ^ 1,)) + frame[-1:]
    assert Deframer().receive(wrong) == []
    assert Deframer().receive(victim.received(wrong[:4]) + victim.received(wrong[4:])) == [(1, 2, 3, b"xy")]


def test_bytes_that_nobody_asked_for_follow_the_answer():
    said: list[bytes] = []
    struck(unasked(b"\x55", nth=(2,))).send(b"first", said.append)
    assert said == [b"first"]
    twice = struck(unasked(lambda answer: answer))
    twice.send(b"again", said.append)
    assert said == [b"first", b"again", b"again"]


@pytest.mark.parametrize(("start", "count", "read"), [(0, 3, (1, 7, 0)), (1, 1, (7,)), (2, 2, (0, 0))])
def test_a_register_is_changed_wherever_a_read_begins(start, count, read):
    victim = struck(registers(1, lambda _: 7))
    response = victim.machine.respond(pdu.read(start, count), 0.0)
    assert response == pdu.registers(3, b"".join(value.to_bytes(2, "big") for value in read))
