"""A machine that tells a recording again."""

from itertools import count

import pytest

from feltrig.emulators.models.device import emulated
from feltrig.emulators.replay.machine import RecordedMachine, StrictClock
from feltrig.emulators.replay.session import session
from feltrig.protocols.kinds.reader import READER
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.messages import NOTHING, Event, EventBatch, Reply, Request, Status, Values
from feltrig.protocols.modbus.register_map import modbus_map
from feltrig.protocols.serial.codec import serial_messages
from feltrig.protocols.sniffing import Answered, Asked, Broke, Message, NoMessage, Said, Switched
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State


def at(latest: int, state: State = State.IDLE) -> Status:
    return Status(state, FaultCode.NONE, min(1, latest), latest)


def dispensed(number: int) -> Event:
    return Event(number, "dispensed", {"stack": number, "size": 4})


class Tape:
    """A recording written by hand."""

    def __init__(self) -> None:
        self.messages: list[tuple[float, Message]] = []
        self._tokens = count(100)

    def add(self, message: Message) -> "Tape":
        self.messages.append((float(len(self.messages)), message))
        return self

    def ask(
        self, command: str, values: Values = NOTHING, reply: Reply | EventBatch | None = None, token: int = 0
    ) -> "Tape":
        acts = SHOE.commands[command].acts if command in SHOE.commands else True
        asked = Asked(Request(command, values, (token or next(self._tokens)) if acts else 0))
        self.add(asked)
        return self if reply is None else self.add(Answered(asked, reply))

    def do(self, command: str, **values: int) -> "Tape":
        return self.ask(command, values, Reply())

    def look(self, latest: int, *events: Event, after: int = 0, state: State = State.IDLE) -> "Tape":
        return self.ask("events", {"after": after}, EventBatch(at(latest, state), events))

    def cut(self) -> "Tape":
        """Hands take the power and give it back."""
        return self.add(Switched(False)).add(Switched(True))

    def machine(self, kind: Kind = SHOE, **options: object) -> "Served":
        return Served(self, kind, **options)


class Served:
    """The machine that tells it, asked as a station does: once for each occasion."""

    def __init__(self, tape: Tape, kind: Kind, **options: object) -> None:
        self.said: list[str] = []
        told = session(kind, tape.messages)
        self.machine = RecordedMachine("shoe", kind, emulated(kind, "x"), told, self.said.append, **options)  # type: ignore[arg-type] - a test's options
        self._clock = StrictClock(lambda: 0.0)
        self._tokens = count(1)

    def do(self, command: str, token: int = 0, **values: int) -> Reply:
        return self.machine.handle(Request(command, values, token or next(self._tokens)), self._clock())

    def look(self, after: int = 0) -> list[int]:
        return [event.number for event in self.machine.events(after, self._clock(), 99).events]

    def answers(self) -> bool:
        """Whether a look gets an answer."""
        self.look()
        return self.machine.spoil(b"answer") == b"answer"

    def latest(self) -> int:
        return self.machine.status(self._clock()).latest


def test_commands_get_their_recorded_answers_in_order_whatever_their_tokens() -> None:
    tape = Tape().do("unlock").ask("dispense", {"size": 4}, Reply(Error.EMPTY)).do("dispense", size=4)
    served = tape.machine()
    assert [served.do("unlock"), served.do("dispense", size=4), served.do("dispense", size=4)] == [
        Reply(),
        Reply(Error.EMPTY),
        Reply(),
    ]
    assert served.machine.left == 0
    assert served.said == []


def test_a_command_that_was_not_recorded_here_is_refused_and_reported_and_the_session_can_go_on() -> None:
    tape = Tape().do("unlock").do("dispense", size=4).do("lock")
    served = tape.machine()
    served.do("unlock")
    assert served.do("dispense", size=5) == Reply(Error.WRONG_STATE)
    assert served.do("lock") == Reply(Error.WRONG_STATE)
    assert served.do("dispense", size=4) == Reply()
    assert served.said == [
        "shoe: the driver left the recording at request 2: recorded dispense (size 4), asked dispense (size 5)",
        "shoe: the driver left the recording at request 2: recorded dispense (size 4), asked lock",
    ]
    assert served.machine.deviations == served.said
    assert served.machine.left == 1


def test_a_command_after_the_end_is_refused() -> None:
    served = Tape().do("lock").machine()
    served.do("lock")
    assert served.do("lock") == Reply(Error.WRONG_STATE)
    assert served.said == ["shoe: the driver left the recording at request 2: recorded nothing more, asked lock"]


def test_events_appear_with_the_looks_that_followed_the_recorded_command() -> None:
    tape = Tape().look(0).do("dispense", size=4).look(0).look(1, dispensed(1)).look(1)
    tape.do("dispense", size=4).look(2, dispensed(2))
    served = tape.machine()
    assert [served.look(), served.look(), served.look()] == [[], [], []]
    served.do("dispense", size=4)
    assert [served.look(), served.look(), served.look(), served.look()] == [[], [1], [1], [1]]
    served.do("dispense", size=4)
    assert [served.look(), served.look(1)] == [[1, 2], [2]]


def test_a_driver_that_looks_less_often_finds_the_events_of_the_looks_that_it_left_out() -> None:
    tape = Tape().do("dispense", size=4).look(0).look(1, dispensed(1)).do("dispense", size=4).look(2, dispensed(2))
    served = tape.machine()
    served.do("dispense", size=4)
    served.do("dispense", size=4)
    assert served.look() == [1, 2]


def test_a_look_at_the_status_goes_on_in_the_recording_as_a_look_at_the_events_does() -> None:
    served = Tape().do("dispense", size=4).look(0, state=State.BUSY).look(1, dispensed(1)).machine()
    served.do("dispense", size=4)
    assert [served.latest(), served.latest(), served.latest()] == [0, 1, 1]


def test_calls_of_one_occasion_are_one_look() -> None:
    machine = Tape().do("dispense", size=4).look(1, dispensed(1)).look(2, dispensed(2)).machine().machine
    machine.handle(Request("dispense", {"size": 4}, 1), 1.0)
    assert machine.status(2.0).latest == 1
    assert [event.number for event in machine.events(0, 2.0, 9).events] == [1]
    assert machine.status(3.0).latest == 2


def test_a_question_gets_its_recorded_answer_as_often_as_it_is_asked_before_the_next_command() -> None:
    tape = Tape().do("select").ask("display", {}, Reply(values={"number": 3}))
    tape.do("select").ask("display", {}, Reply(values={"number": 5}))
    served = tape.machine(RNG)
    served.do("select")
    assert [served.do("display").values["number"] for _ in range(3)] == [3, 3, 3]
    served.do("select")
    assert served.do("display").values["number"] == 5
    assert served.said == []


def test_a_question_that_was_not_recorded_at_this_point_is_refused() -> None:
    served = Tape().do("select").do("blank").ask("display", {}, Reply(values={"number": 0})).machine(RNG)
    served.do("select")
    assert served.do("display") == Reply(Error.WRONG_STATE)
    assert served.said == ["shoe: the driver left the recording at request 2: recorded blank, asked display"]


def test_who_the_device_is_can_always_be_asked() -> None:
    served = Tape().do("lock").machine()
    assert served.do("identify").values["model"] == "Emulated shoe"
    assert served.said == []


def test_a_repeated_token_gets_the_same_answer_and_does_not_go_on() -> None:
    tape = Tape().ask("dispense", {"size": 4}, Reply(Error.EMPTY)).do("dispense", size=4)
    served = tape.machine()
    assert [served.do("dispense", token=7, size=4).error for _ in range(3)] == [Error.EMPTY] * 3
    assert served.do("dispense", token=8, size=4) == Reply()


def test_silence_is_replayed_and_the_repetition_answered() -> None:
    tape = Tape().ask("lock", token=5).ask("lock", reply=Reply(), token=5).do("unlock")
    served = tape.machine()
    served.do("lock", token=1)
    assert served.machine.spoil(b"answer") is None
    served.do("lock", token=1)
    assert served.machine.spoil(b"answer") == b"answer"
    assert served.do("unlock") == Reply()


def test_a_lost_answer_that_had_values_is_silence_again_on_every_wire() -> None:
    where = {"offset": 0, "limit": 60}
    served = Tape().ask("faces", where).ask("faces", where, Reply(values={"cards": (1, 2)})).machine(READER)
    lost = served.do("faces", **where)
    serial_messages(READER).write_reply("faces", lost)
    modbus_map(READER).write_result(1, "faces", lost)
    assert served.machine.spoil(b"answer") is None
    assert served.do("faces", **where).values["cards"] == (1, 2)
    assert served.machine.spoil(b"answer") == b"answer"


def test_a_driver_that_does_not_repeat_may_go_on_after_a_silence() -> None:
    served = Tape().ask("lock", token=5).ask("lock", reply=Reply(), token=5).do("unlock").machine()
    served.do("lock")
    assert served.do("unlock") == Reply()
    assert served.said == []


def test_noise_comes_instead_of_the_answer() -> None:
    served = (
        Tape()
        .ask("lock")
        .add(NoMessage(False, "no frame", b"\xde\xad"))
        .add(NoMessage(False, "no frame", b"!"))
        .machine()
    )
    served.do("lock")
    assert served.machine.spoil(b"answer") == b"\xde\xad!"


def test_noise_beside_an_answer_is_left_out() -> None:
    tape = Tape().ask("lock")
    asked = tape.messages[0][1]
    assert isinstance(asked, Asked)
    served = tape.add(NoMessage(False, "no frame", b"!")).add(Answered(asked, Reply())).machine()
    served.do("lock")
    assert served.machine.spoil(b"answer") == b"answer"


def test_the_line_is_dropped_where_it_was_lost() -> None:
    served = Tape().ask("lock").add(Broke("hung up")).machine()
    served.do("lock")
    with pytest.raises(ConnectionAbortedError):
        served.machine.spoil(b"answer")


@pytest.mark.parametrize("question", ["look", "command"])
def test_a_line_lost_after_the_last_answer_is_dropped_at_the_next_question(question: str) -> None:
    served = Tape().do("lock").add(Broke("hung up")).machine()
    served.do("lock")
    assert served.machine.spoil(b"answer") == b"answer"
    served.look() if question == "look" else served.do("unlock")
    with pytest.raises(ConnectionAbortedError):
        served.machine.spoil(b"answer")
    assert served.said == []


def test_a_question_with_values_after_the_line_was_lost_can_be_written_before_it_is_dropped() -> None:
    served = Tape().do("select").add(Broke("hung up")).machine(RNG)
    served.do("select")
    serial_messages(RNG).write_reply("display", served.do("display"))
    with pytest.raises(ConnectionAbortedError):
        served.machine.spoil(b"answer")


def test_a_device_that_began_anew_does_so_again() -> None:
    tape = Tape().do("dispense", size=4).look(2, dispensed(1), dispensed(2))
    tape.do("lock").look(1, Event(1, "started"))
    served = tape.machine()
    served.do("dispense", size=4)
    assert served.look() == [1, 2]
    served.do("lock")
    assert served.look() == [1]
    assert served.latest() == 1


def cut_at_work() -> Tape:
    """A stack is begun, the power is cut, and the shoe starts again."""
    tape = Tape().do("unlock").look(1).do("dispense", size=4).look(1, state=State.BUSY).ask("status")
    return tape.cut().look(2, Event(2, "started")).do("lock")


def test_hands_that_are_ready_cut_the_power_where_it_was_cut_and_give_it_back() -> None:
    served = cut_at_work().machine(hands=True)
    served.do("unlock")
    served.machine.cut_power_at_work()
    served.do("dispense", size=4)
    assert [served.answers() for _ in range(5)] == [True, False, False, False, False]
    assert not served.machine.powered
    served.do("lock")
    assert served.machine.spoil(b"answer") is None
    served.machine.power_on(0.0)
    assert served.machine.powered
    assert served.look(1) == [2]
    assert served.do("lock") == Reply()
    assert (served.said, served.machine.left) == ([], 0)


def test_hands_that_come_late_find_the_machine_as_it_was() -> None:
    served = cut_at_work().machine(hands=True)
    served.do("unlock")
    served.do("dispense", size=4)
    assert [served.answers() for _ in range(5)] == [True] * 5
    served.machine.power_off(0.0)
    assert not served.answers()


def test_power_that_was_not_cut_here_cannot_be_cut_here() -> None:
    served = cut_at_work().machine(hands=True)
    served.machine.power_off(0.0)
    served.machine.power_on(0.0)
    assert served.answers()
    assert served.do("unlock") == Reply()
    assert served.said == []


def test_a_command_that_was_lost_with_the_power_is_met_with_silence() -> None:
    tape = Tape().ask("dispense", {"size": 4}, token=5).ask("dispense", {"size": 4}, token=5).cut()
    served = tape.look(1, Event(1, "started")).machine(hands=True)
    served.machine.cut_power_at_work()
    for _ in range(4):
        served.do("dispense", token=7, size=4)
        assert served.machine.spoil(b"answer") is None
    served.machine.power_on(0.0)
    assert served.look() == [1]
    assert served.said == []


def test_without_hands_the_power_goes_and_comes_in_its_recorded_time() -> None:
    machine = cut_at_work().machine(speed=0.5).machine
    machine.handle(Request("unlock", {}, 1), 1.0)
    machine.handle(Request("dispense", {"size": 4}, 2), 2.0)
    machine.events(1, 3.0, 9)
    assert machine.spoil(b"answer") == b"answer"
    machine.events(1, 3.5, 9)
    assert machine.spoil(b"answer") is None
    assert machine.due() == pytest.approx(5.0)  # four seconds after the last look that was answered
    assert [event.name for event in machine.events(1, 5.1, 9).events] == ["started"]
    assert machine.spoil(b"answer") == b"answer"


def test_where_news_are_pushed_the_power_comes_back_unasked() -> None:
    machine = cut_at_work().machine(pushes=True, speed=0).machine
    machine.handle(Request("unlock", {}, 1), 1.0)
    machine.handle(Request("dispense", {"size": 4}, 2), 2.0)
    assert machine.powered
    machine.advance(3.0)
    assert machine.powered
    assert machine.status(3.0).latest == 2


def test_before_anything_is_asked_the_status_is_the_first_that_was_heard() -> None:
    assert Tape().add(Said(at(37))).do("lock").look(38).machine().machine.status(0.0).latest == 37
    assert Tape().look(5).do("lock").look(6).machine().machine.status(0.0).latest == 5
    assert Tape().do("lock").look(6).machine().machine.status(0.0) == at(0)


def test_pushed_news_appear_with_the_request_that_they_followed() -> None:
    tape = Tape().add(Said(at(1)))
    tape.ask("lock").add(Said(at(2), dispensed(2)))
    machine = tape.machine(pushes=True).machine
    assert machine.status(1.0).latest == 1
    machine.handle(Request("lock", {}, 1), 2.0)
    assert machine.status(2.0).latest == 2
    assert [event.number for event in machine.events(1, 2.0, 9).events] == [2]


def test_where_news_are_pushed_the_stations_own_looks_do_not_go_on_but_time_does() -> None:
    machine = Tape().do("dispense", size=4).look(1, dispensed(1)).machine(pushes=True, speed=0.5).machine
    machine.handle(Request("dispense", {"size": 4}, 1), 10.0)
    assert [machine.status(10.1).latest, machine.status(10.2).latest] == [0, 0]
    due = machine.due()
    assert due == 11.0  # the look came two seconds after the command
    machine.advance(due)
    assert machine.status(due).latest == 1
    assert machine.due() is None


def test_time_does_not_pass_over_a_question_that_got_no_answer() -> None:
    machine = (
        Tape().do("dispense", size=4).ask("events", {"after": 0}).look(1, dispensed(1)).machine(pushes=True).machine
    )
    machine.handle(Request("dispense", {"size": 4}, 1), 10.0)
    assert machine.due() is None
    machine.events(0, 11.0, 9)
    assert machine.spoil(b"answer") is None


def test_at_speed_0_all_events_up_to_the_next_command_are_there_at_once() -> None:
    tape = Tape().do("dispense", size=4).look(0).look(1, dispensed(1)).do("lock").look(2, dispensed(2))
    served = tape.machine(speed=0)
    served.do("dispense", size=4)
    assert served.look() == [1]


def test_at_speed_0_a_question_between_two_commands_gets_its_recorded_answer() -> None:
    tape = Tape().do("select").look(0).ask("display", {}, Reply(values={"number": 3})).look(0)
    tape.do("select").ask("display", {}, Reply(values={"number": 5}))
    served = tape.machine(RNG, speed=0)
    served.do("select")
    served.look()
    assert [served.do("display").values["number"] for _ in range(2)] == [3, 3]
    served.do("select")
    assert served.do("display").values["number"] == 5
    assert served.said == []


def test_a_strict_clock_never_shows_the_same_time_twice() -> None:
    times = iter([1.0, 1.0, 0.5, 3.0])
    clock = StrictClock(lambda: next(times))
    shown = [clock() for _ in range(4)]
    assert shown == sorted(set(shown))
    assert shown[0] == 1.0
    assert shown[-1] == 3.0
