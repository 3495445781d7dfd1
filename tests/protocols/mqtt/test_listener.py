"""A bystander judges what a device publishes: sound devices are left in peace, and each way to err is named."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.kinds.shoe import SHOE
from feltrig.protocols.mqtt.correspondence import OVERTAKEN, Heard
from feltrig.protocols.mqtt.listener import IDLE_BURST, LATE_ACTS, LIMIT, REPEATED, Listener
from feltrig.protocols.vocabulary import State

BASE = "t/rng"
IDENTITY = {"kind": 1, "vendor": "Acme", "model": "S1", "serial": "1", "firmware": "1.0", "digest": "ab" * 32}
IDLE, BUSY, READY = int(State.IDLE), int(State.BUSY), int(State.READY)


class Talk:
    """Says what a device and its driver say, and hears the complaints."""

    def __init__(self) -> None:
        self.complaints: list[tuple[str, str]] = []
        self.listener = Listener(RNG, BASE, {"select": "selected"}, lambda *said: self.complaints.append(said))
        self.now = 100.0
        self.status: dict[str, Any] = {"state": IDLE, "fault": 0, "oldest": 1, "latest": 1}
        self.change: Callable[[Heard], Heard | None] = lambda heard: heard
        self._key = 0

    @property
    def broken(self) -> set[str]:
        return {requirement for requirement, _ in self.complaints}

    def hear(self, topic: str, document: Any, **how: Any) -> None:
        payload = document if isinstance(document, bytes) else json.dumps(document).encode()
        heard = self.change(
            Heard(topic, payload, **{"retain": topic in ("meta", "state", "online")} | how, at=self.now)
        )
        self.now += 0.001
        if heard is not None:
            self.listener.hear(heard)

    def ask(self, command: str, **more: Any) -> int:
        self._key += 1
        document = {"v": 1, "cmd": command, "token": 7000 + self._key, "id": self._key, "reply_to": f"{BASE}/reply/me"}
        self.hear("cmd", document | more)
        return self._key

    def answer(self, key: int, **more: Any) -> None:
        self.hear("reply/me", {"v": 1, "error": "ok", "id": key, **more})

    def state(self, **changes: Any) -> None:
        self.status |= changes
        self.hear("state", {"v": 1, **self.status})

    def event(self, name: str = "selected", number: int | None = None, values: Any = None, **changes: Any) -> None:
        """Happens, and is published."""
        number = self.status["latest"] + 1 if number is None else number
        self.status |= {"latest": number} | changes
        values = {"number": 5} if values is None and name == "selected" else values
        document = {"v": 1, "n": number, "event": name, **({"values": values} if values else {}), **self.status}
        self.hear("event", document)

    def ask_status(self, **other: Any) -> None:
        self.answer(self.ask("status"), values=self.status | other)

    def select(self) -> None:
        """Done at once."""
        key = self.ask("select")
        self.event(state=READY)
        self.state()
        self.answer(key)

    def join(self) -> None:
        self.hear("meta", META)
        self.state()
        self.hear("online", {"v": 1, "online": True})


META = {"v": 1, **IDENTITY, "kind": "rng", "commands": list(RNG.commands), "events": list(RNG.events)}


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.answer(talk.ask("identify"), values=IDENTITY)
    talk.ask_status()
    return talk


def play(talk: Talk) -> None:
    """Everything that a device says in a while."""
    talk.join()
    for _ in range(3):
        talk.select()
        talk.ask_status()
    key = talk.ask("reset")
    talk.event("cleared", state=IDLE)
    talk.state()
    talk.answer(key)
    events = [{"n": 2, "event": "selected", "values": {"number": 5}}]
    talk.answer(talk.ask("events", args={"after": 1}), status=talk.status, events=events)


def test_a_sound_device_is_left_in_peace(talk: Talk) -> None:
    play(talk)
    assert talk.complaints == []
    assert talk.listener.heard["event"] == 4
    assert talk.listener.latest == 5


def test_a_machine_that_takes_its_time_says_that_it_is_busy(talk: Talk) -> None:
    for _ in range(3 * LATE_ACTS):
        key = talk.ask("select")
        talk.state(state=BUSY)
        talk.answer(key)
        talk.ask_status()
        talk.event(state=READY)
        talk.state()
    assert talk.complaints == []


def test_a_slow_publisher_may_miss_that_it_was_busy_for_a_moment(talk: Talk) -> None:
    for turn in range(40):
        talk.answer(talk.ask("select"))
        talk.now += (0.001, 0.03, 0.05, 0.07)[turn % 4]
        talk.event(state=READY)
        talk.state()
    assert talk.complaints == []


def test_an_event_may_tell_the_state_as_it_was_when_it_happened(talk: Talk) -> None:
    key = talk.ask("select")
    talk.state(state=BUSY)
    talk.event()
    talk.state(state=READY)
    talk.answer(key)
    assert talk.complaints == []


@pytest.mark.parametrize("published", [True, False])
def test_a_command_that_comes_with_the_event_of_another_may_change_the_state_at_once(
    talk: Talk, published: bool
) -> None:
    talk.answer(talk.ask("select"))
    talk.state(state=BUSY)
    key = talk.ask("select")
    talk.event(state=READY)
    talk.status["state"] = BUSY
    if published:
        talk.state()
    talk.answer(key)
    talk.ask_status()
    assert talk.complaints == []


def test_an_event_tells_the_state_even_if_its_command_waits_for_its_answer(talk: Talk) -> None:
    key = talk.ask("select")
    talk.event(state=READY)
    talk.state(state=IDLE)
    talk.answer(key)
    assert talk.broken == {"MQT-11"}


def test_a_status_that_is_overtaken_by_an_event_is_no_lie(talk: Talk) -> None:
    talk.select()
    key, before = talk.ask("status"), dict(talk.status)
    talk.event("faulted", values={"fault": 2}, state=3, fault=2)
    talk.answer(key, values=before)
    assert talk.complaints == []


def as_published(topic: str, **changes: Any) -> Callable[[Heard], Heard]:
    """The messages on a topic with other values."""

    def change(heard: Heard) -> Heard:
        if heard.topic.partition("/")[0] != topic:
            return heard
        return replace(heard, payload=json.dumps(json.loads(heard.payload) | changes).encode())

    return change


def carried(on: str, /, **flags: Any) -> Callable[[Heard], Heard]:
    """The messages on a topic, published in another way."""
    return lambda heard: replace(heard, **flags) if heard.topic.partition("/")[0] == on else heard


@pytest.mark.parametrize(
    ("requirement", "change"),
    [
        ("MQT-1", carried("meta", retain=False)),
        ("MQT-2", carried("state", retain=False)),
        ("MQT-3", carried("online", retain=False)),
        ("MQT-4", carried("event", retain=True)),
        ("MQT-37", carried("reply", retain=True)),
        *(("MQT-5", carried(topic, qos=0)) for topic in ("meta", "state", "online", "event", "reply")),
        ("MQT-5", carried("event", qos=2)),
        ("MQT-51", carried("online", topic="log")),
        ("MQT-31", carried("reply", topic="answers")),
        ("MQT-31", carried("reply", topic="reply/you")),
        ("MQT-7", as_published("meta", vendor="Other")),
        ("MQT-7", as_published("meta", kind="robot")),
        ("MQT-7", as_published("meta", kind="shoe", commands=list(SHOE.commands), events=list(SHOE.events))),
        ("MQT-8", as_published("meta", commands=["select"])),
        ("MQT-8", as_published("meta", events=list(RNG.events)[::-1])),
        ("MQT-14", carried("state", payload=b"[1]")),
        ("MQT-14", carried("event", payload=b"\xff")),
        ("MQT-14", as_published("state", padding="x" * 16400)),
        ("MQT-15", as_published("state", v=2)),
        ("MQT-15", as_published("event", v="1")),
        ("MQT-15", as_published("reply", v=True)),
        ("MQT-15", as_published("online", v=1.0)),
        ("MQT-17", as_published("state", latest="1")),
        ("MQT-17", as_published("event", state=None)),
        ("MQT-17", as_published("event", n=2.0)),
        ("MQT-14", as_published("event", values={"number": float("nan")})),
        ("MQT-18", as_published("online", online=1)),
        ("MQT-19", as_published("meta", vendor=7)),
        ("MQT-2", as_published("state", state=9)),
        ("MQT-2", as_published("state", oldest=0)),
        ("MQT-2", as_published("state", oldest=99)),
        ("MQT-10", as_published("event", event="exploded")),
        ("MQT-21", as_published("event", values={"number": 5, "colour": 1})),
        ("MQT-21", as_published("event", values={"colour": 1})),
        ("MQT-11", as_published("event", latest=1)),
        ("MQT-11", as_published("event", state=4)),
        ("MQT-34", as_published("reply", error="fine")),
        ("MQT-33", as_published("reply", id="1")),
        ("MQT-33", as_published("reply", id=None)),
    ],
)
def test_what_is_not_as_documented_is_named(talk: Talk, requirement: str, change: Callable[[Heard], Heard]) -> None:
    talk.change = change
    play(talk)
    talk.now += 2 * OVERTAKEN
    talk.state()
    assert requirement in talk.broken


def test_an_answer_may_overtake_its_request_on_the_way_to_a_bystander(talk: Talk) -> None:
    talk.hear("reply/slow", {"v": 1, "error": "ok", "id": 1})
    talk.ask("display", reply_to=f"{BASE}/reply/slow", id=1)
    talk.now += 2 * OVERTAKEN
    talk.select()
    assert talk.complaints == []


def without(topic: str, *names: str) -> Callable[[Heard], Heard]:
    """The messages on a topic without some keys."""

    def change(heard: Heard) -> Heard:
        if heard.topic != topic:
            return heard
        document = {key: value for key, value in json.loads(heard.payload).items() if key not in names}
        return replace(heard, payload=json.dumps(document).encode())

    return change


@pytest.mark.parametrize(
    ("requirement", "change"),
    [
        ("MQT-1", without("meta", "vendor")),
        ("MQT-2", without("state", "oldest")),
        ("MQT-3", without("online", "online")),
        ("MQT-10", without("event", "n")),
        ("MQT-11", without("event", "state", "fault")),
    ],
)
def test_a_key_that_is_missing_is_named_for_what_it_is(
    talk: Talk, requirement: str, change: Callable[[Heard], Heard]
) -> None:
    talk.change = change
    play(talk)
    assert requirement in talk.broken


def test_empty_values_are_left_out(talk: Talk) -> None:
    talk.answer(talk.ask("blank"), values={})
    assert talk.broken == {"MQT-21"}


def test_an_answer_has_the_fields_of_its_reply(talk: Talk) -> None:
    talk.answer(talk.ask("display"))
    assert talk.broken == {"MQT-35"}


def test_the_answer_to_events_has_its_own_form(talk: Talk) -> None:
    talk.answer(talk.ask("events", args={"after": 0}), values={})
    assert "MQT-36" in talk.broken


def test_an_event_that_is_missing_is_named(talk: Talk) -> None:
    talk.select()
    talk.status["latest"] += 1
    talk.event(state=READY)
    assert talk.complaints == [("MQT-12", "event 3 is not published, but 4 is")]


def test_an_event_that_comes_twice_is_named(talk: Talk) -> None:
    talk.select()
    talk.event(number=2)
    assert talk.complaints == [("MQT-12", "event 2 is published again, or too late")]


def test_an_event_that_an_answer_knows_of_is_published_before_it(talk: Talk) -> None:
    talk.select()
    talk.ask_status(latest=3)
    assert talk.complaints[0] == ("MQT-42", "event 3 is not published before an answer that knows of it")


def test_an_event_that_the_device_does_not_count_is_named(talk: Talk) -> None:
    talk.select()
    talk.ask_status(latest=1)
    assert "MQT-12" in talk.broken


def test_an_event_is_published_as_it_is_answered(talk: Talk) -> None:
    talk.select()
    events = [{"n": 2, "event": "selected", "values": {"number": 6}}]
    talk.answer(talk.ask("events", args={"after": 1}), status=talk.status, events=events)
    assert talk.broken == {"MQT-10"}


def test_a_device_that_is_done_at_once_says_so_before_its_answer(talk: Talk) -> None:
    for _ in range(LATE_ACTS):
        talk.answer(talk.ask("select"))
        talk.event(state=READY)
        talk.state()
    assert talk.broken == {"MQT-42"}


def test_a_state_that_is_not_published_is_named(talk: Talk) -> None:
    talk.select()
    talk.status["state"] = IDLE
    talk.ask_status()
    talk.now += LIMIT / 2
    talk.ask_status()
    assert talk.complaints == []
    talk.now += LIMIT
    talk.ask_status()
    assert talk.broken == {"MQT-9"}


def test_a_state_that_goes_back_is_named(talk: Talk) -> None:
    talk.select()
    talk.state(latest=1)
    assert talk.broken == {"MQT-2"}


def test_a_request_is_answered_once(talk: Talk) -> None:
    key = talk.ask("display")
    talk.answer(key, values={"number": 0})
    talk.answer(key, values={"number": 0})
    assert talk.complaints == [("MQT-38", "display is answered 2 times, asked 1 times")]


def test_a_request_that_is_repeated_may_be_answered_again(talk: Talk) -> None:
    key = talk.ask("display")
    talk.ask("display", id=key)
    talk.answer(key, values={"number": 0})
    talk.answer(key, values={"number": 0})
    assert talk.complaints == []


def test_correlation_data_come_back_byte_by_byte(talk: Talk) -> None:
    ask = {"correlation": b"\0\1", "back": f"{BASE}/reply/me"}
    for correlation, broken in ((b"\0\1", set()), (b"\1\0", {"MQT-32"})):
        talk.hear("cmd", {"v": 1, "cmd": "display"}, **ask)
        talk.hear("reply/me", {"v": 1, "error": "ok", "values": {"number": 0}}, correlation=correlation)
        assert talk.broken == broken


def test_a_device_that_repeats_itself_without_end_is_named(talk: Talk) -> None:
    for _ in range(IDLE_BURST):
        talk.state()
    assert talk.complaints == []
    for _ in range(IDLE_BURST):
        talk.state()
    assert talk.broken == {"MQT-52"}


def test_a_device_may_repeat_itself_now_and_then(talk: Talk) -> None:
    for _ in range(20 * IDLE_BURST):
        talk.now += 0.1
        talk.state()
    assert talk.complaints == []


def leave(talk: Talk) -> None:
    talk.hear("online", {"v": 1, "online": False})


def test_a_device_comes_back_in_order(talk: Talk) -> None:
    talk.select()
    leave(talk)
    assert not talk.listener.online
    talk.hear("meta", META)
    talk.event("cleared", state=IDLE)
    talk.state()
    talk.hear("online", {"v": 1, "online": True})
    talk.select()
    assert talk.complaints == []
    assert talk.listener.online


@pytest.mark.parametrize(
    "order",
    [
        ("state", "meta", "online"),
        ("online", "meta", "state"),
        ("meta", "online", "state"),
        ("state", "online"),
        ("meta", "state", "event", "online"),
        ("event", "meta", "state", "online"),
    ],
)
def test_a_device_that_comes_back_in_another_order_is_named(talk: Talk, order: tuple[str, ...]) -> None:
    talk.select()
    leave(talk)
    talk.status["latest"] += 1
    say: dict[str, Callable[[], None]] = {
        "meta": lambda: talk.hear("meta", META),
        "state": talk.state,
        "event": lambda: talk.event("cleared", number=3),
        "online": lambda: talk.hear("online", {"v": 1, "online": True}),
    }
    for each in order:
        say[each]()
    assert "MQT-27" in talk.broken


def test_events_without_an_acknowledgement_may_come_again(talk: Talk) -> None:
    for _ in range(REPEATED + 5):
        talk.select()
    leave(talk)
    talk.hear("meta", META)
    latest = talk.status["latest"]
    talk.event(number=latest)
    assert talk.complaints == []
    for number in range(latest - REPEATED, latest):
        talk.event(number=number)
    assert talk.broken >= {"MQT-12"}


def test_an_event_that_comes_again_is_the_same(talk: Talk) -> None:
    talk.select()
    leave(talk)
    talk.hear("meta", META)
    talk.event(number=2, values={"number": 6})
    assert talk.broken == {"MQT-12"}


@pytest.mark.parametrize("number", [1, 3, 8])
def test_a_device_that_started_goes_on_with_its_numbers_or_from_1(talk: Talk, number: int) -> None:
    talk.select()
    leave(talk)
    talk.hear("meta", META)
    talk.event("started", number=number, state=IDLE, oldest=number)
    talk.state()
    talk.hear("online", {"v": 1, "online": True})
    talk.select()
    talk.ask_status()
    assert talk.complaints == []


def test_a_device_that_started_with_an_old_number_is_named(talk: Talk) -> None:
    for _ in range(3):
        talk.select()
    talk.event("started", number=3, state=IDLE)
    assert "MQT-12" in talk.broken


def test_a_device_that_answers_is_there(talk: Talk) -> None:
    leave(talk)
    talk.ask_status()
    assert "MQT-13" in talk.broken


def test_after_an_interruption_the_listener_starts_anew(talk: Talk) -> None:
    talk.select()
    talk.listener.interrupt()
    talk.event(number=9, state=READY)
    talk.state()
    talk.ask_status()
    assert talk.complaints == []
