"""The control interface without its wire: requests in, answers out."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.emulators.bench import Bench
from feltrig.emulators.control.table import ROUTES, Control, Served
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.reader import reader
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import shaker
from feltrig.emulators.models.shoe import shoe
from feltrig.emulators.models.shuffler import shuffler
from feltrig.protocols.messages import Request
from feltrig.protocols.vocabulary import FaultCode, State

DECK = tuple(range(54))


class Table:
    """A control interface with all devices, whose clock a test turns."""

    def __init__(self, speed: float = 0.0) -> None:
        self.now = 100.0
        self.bench = Bench()
        self.machines = {
            "shuffler": shuffler(Setup("shuffler", 1, bench=self.bench, speed=speed)),
            "shoe": shoe(Setup("shoe", 1, bench=self.bench, speed=speed)),
            "reader": reader(Setup("reader", 1, bench=self.bench, speed=speed)),
            "shaker": shaker(Setup("shaker", 1, speed=speed)),
            "rng": rng(Setup("rng", 1, speed=speed)),
        }
        devices = {
            name: Served(machine, machine, {"kind": name, "wire": "serial", "where": f"/dev/pts/{name}"})
            for name, machine in self.machines.items()
        }
        self.control = Control(self.bench, devices, DECK, lambda: self.now)

    def ask(self, method: str, path: str, **body: object) -> tuple[int, Any]:
        # `from` is a word of the language: written `from_` here
        document = {key.removesuffix("_"): value for key, value in body.items()}
        answer = self.control.answer(method, path, json.dumps(document).encode() if document else b"")
        return answer.status, json.loads(json.dumps(answer.body))

    def command(self, device: str, command: str, **values: int) -> None:
        assert not self.machines[device].handle(Request(command, values), self.now).error


@pytest.fixture
def table() -> Table:
    return Table()


def test_devices_are_listed_with_what_and_where_and_how_they_are(table):
    status, devices = table.ask("GET", "/devices")
    assert status == 200
    assert list(devices) == list(table.machines)
    assert devices["shoe"] == table.ask("GET", "/devices/shoe")[1]
    assert devices["shoe"]["identity"].pop("digest") == table.machines["shoe"].identity.digest
    assert devices["shoe"] == {
        "kind": "shoe",
        "wire": "serial",
        "where": "/dev/pts/shoe",
        "state": "idle",
        "fault": "none",
        "off": False,
        "events": {"oldest": 1, "latest": 1},
        "identity": {
            "kind": "shoe",
            "vendor": "feltrig",
            "model": "Emulated shoe",
            "serial": "EMU-shoe",
            "firmware": "1.0",
        },
        "places": ["shoe.well", "shoe.inside", "shoe.exit"],
        "pending": [],
    }


def test_the_root_lists_every_route(table):
    status, routes = table.ask("GET", "/")
    assert status == 200
    assert routes == {f"{route.method} {route.path}": route.doc for route in ROUTES}


def test_a_deck_is_loaded_shuffled_and_dealt_and_a_stack_taken(table):
    assert table.ask("POST", "/bench/new-deck", place="shuffler.in.1", deck="red") == (200, {"cards": 54})
    table.command("shuffler", "shuffle", deck=1)
    assert table.ask("POST", "/bench/move", from_="shuffler.out.1", to="shoe.well") == (200, {"cards": 54})
    table.command("shoe", "dispense", size=4)
    assert table.ask("POST", "/bench/move", from_="shoe.exit", to="felt.1") == (200, {"cards": 4})
    places = table.ask("GET", "/bench")[1]["places"]
    assert {place: len(cards) for place, cards in places.items()} == {"felt.1": 4, "shoe.well": 50}
    assert sorted(card["code"] for pile in places.values() for card in pile) == list(DECK)


def test_cards_are_brought_moved_turned_shuffled_and_taken_out_as_told(table):
    table.ask("POST", "/bench/new-deck", place="felt.1", deck="red", codes=[1, 2, 3, 4])
    table.ask("POST", "/bench/new-card", place="felt.1", deck="blue", code=9, index=4)
    assert table.ask("POST", "/bench/move", from_="felt.1", to="felt.2", count=2, from_bottom=True)[1] == {"cards": 2}
    assert table.ask("POST", "/bench/turn", place="felt.2") == (200, {"code": 4, "deck": "red", "face_up": True})
    assert table.ask("POST", "/bench/take-out", place="felt.1", index=2)[1]["code"] == 3
    table.ask("POST", "/bench/move", from_="felt.1", to="felt.2", to_bottom=True)
    _, bench = table.ask("GET", "/bench")
    assert [card["code"] for card in bench["places"]["felt.2"]] == [4, 9, 1, 2]
    assert [card["code"] for card in bench["taken_out"]] == [3]
    assert table.ask("POST", "/bench/gather", from_="felt.2", to="deck", deck="red") == (200, {"cards": 3})
    assert table.bench.peek("deck")[0].face_up is False
    orders = set()
    for seed in (7, 7, 8):
        table.ask("POST", "/bench/new-deck", place="pile", deck="red")
        table.ask("POST", "/bench/shuffle", place="pile", seed=seed)
        orders.add(tuple(card.code for card in table.bench.peek("pile")))
        table.ask("POST", "/bench/move", from_="pile", to="aside")
    assert len(orders) == 2


def test_what_obstructs_a_device_makes_it_jam_until_it_is_cleared(table):
    table.ask("POST", "/bench/new-deck", place="shoe.well", deck="red")
    assert table.ask("POST", "/bench/obstruct", place="shoe.exit")[1] == {"obstructed": ["shoe.exit"]}
    table.command("shoe", "dispense", size=4)
    assert table.ask("GET", "/devices/shoe")[1]["fault"] == "jam"
    assert table.ask("POST", "/devices/shoe/clear", to="deck.red") == (200, {"cards": 54})
    assert table.ask("GET", "/bench")[1]["obstructed"] == []
    assert table.bench.count("deck.red") == 54
    table.ask("POST", "/bench/obstruct", place="shoe.well")
    assert table.ask("POST", "/bench/unobstruct", place="shoe.well")[1] == {"obstructed": []}


def test_a_fault_is_injected_listed_strikes_once_and_is_spent(table):
    status, answer = table.ask("POST", "/devices/rng/faults", what="out_of_range", at=2)
    assert status == 200
    assert [fault["what"] for fault in answer["pending"]] == ["out_of_range"]
    numbers = []
    for _ in range(3):
        table.command("rng", "select")
        numbers.append(table.machines["rng"].mechanism.displayed in range(1, 8))
    assert numbers == [True, False, True]
    _, faults = table.ask("GET", "/devices/rng/faults")
    assert faults["pending"] == []
    assert faults["known"] == {what: entry.effect for what, entry in MODELS["rng"].faults.items()}


def test_faults_that_have_not_struck_are_forgotten_on_request(table):
    table.ask("POST", "/devices/rng/faults", what="out_of_range", times=0)
    table.ask("POST", "/devices/rng/faults", what="restart", after=5.0)
    assert len(table.ask("GET", "/devices/rng")[1]["pending"]) == 2
    assert table.ask("DELETE", "/devices/rng/faults") == (200, {"pending": []})
    table.now += 60
    table.command("rng", "select")
    assert table.machines["rng"].mechanism.displayed in range(1, 8)
    assert table.machines["rng"].status(table.now).latest == 2


def test_a_hand_lifts_the_lid_and_the_machine_tells(table):
    assert table.ask("POST", "/devices/shaker/lift-lid") == (200, {"covered": False})
    names = [event.name for event in table.machines["shaker"].events(0, table.now, 9).events]
    assert names == ["started", "uncovered", "rolled"]
    assert table.ask("POST", "/devices/rng/lift-lid") == (400, {"error": "rng has no lid"})


@pytest.mark.parametrize(("memory", "latest"), [(True, 3), (False, 1)])
def test_the_plug_is_pulled_and_put_in_again(memory, latest):
    table = Table(speed=1.0)
    machine = table.machines["rng"]
    table.command("rng", "select")
    table.now += 10
    assert table.ask("POST", "/devices/rng/power", seconds=3, memory=memory) == (200, {"off": True})
    table.now += 2
    assert table.ask("GET", "/devices/rng")[1]["off"] is True
    table.now += 2
    assert table.ask("GET", "/devices/rng")[1]["off"] is False
    assert machine.status(table.now).latest == latest
    assert (machine.board.state, machine.board.fault) == (State.IDLE, FaultCode.NONE)


def test_time_has_passed_for_the_devices_before_hands_act():
    table = Table(speed=1.0)
    table.command("rng", "select")
    table.now += 60
    assert table.ask("GET", "/devices/rng")[1]["state"] == "ready"


BAD = [
    ("GET", "/nothing", {}, 404, "'/nothing': there is no such path; GET / lists those that are"),
    ("GET", "/devices/", {}, 404, "'/devices/': there is no such path; GET / lists those that are"),
    ("GET", "/devices/a/b/c", {}, 404, "'/devices/a/b/c': there is no such path; GET / lists those that are"),
    ("GET", "/devices/wheel", {}, 404, "'wheel' is not a device: there are shuffler, shoe, reader, shaker, rng"),
    ("PUT", "/bench", {}, 405, "'/bench': 'PUT' is not GET"),
    ("PATCH", "/devices/rng/faults", {}, 405, "'/devices/rng/faults': 'PATCH' is not GET or POST or DELETE"),
    ("GET", "/bench/move", {}, 405, "'/bench/move': 'GET' is not POST"),
    ("POST", "/bench/move", {}, 400, "from: is missing; expected a place, such as shoe.well or felt.3"),
    (
        "POST",
        "/bench/move",
        {"from_": "a", "to": "b", "count": 1},
        400,
        "cannot move 1 cards from a to b: 0 are there",
    ),
    ("POST", "/bench/move", {"from_": "a", "to": 7}, 400, "to: 7 is not a place, such as shoe.well or felt.3"),
    ("POST", "/bench/move", {"from_": "a", "too": "b"}, 400, "too: unknown key; did you mean to?"),
    (
        "POST",
        "/bench/move",
        {"from_": "a", "to": "shoe.wel"},
        400,
        "to: 'shoe.wel' is not a place of shoe: shoe.well, shoe.inside, shoe.exit",
    ),
    ("POST", "/bench/turn", {"place": "felt.1"}, 400, "felt.1: no card at index 0 of 0 cards"),
    ("POST", "/bench/new-deck", {"place": "a", "deck": "red", "codes": [1, 128]}, 400, "codes[2]: 128 is not"),
    ("POST", "/bench/new-deck", {"place": "a", "deck": "red", "codes": "all"}, 400, "codes: 'all' is not an array"),
    ("POST", "/bench/obstruct", {"place": "felt.1"}, 400, "place: 'felt.1' is not in a device that moves cards"),
    ("POST", "/bench/obstruct", {"place": "reader.tray"}, 400, "place: 'reader.tray' is not in a device that moves"),
    ("POST", "/devices/rng/faults", {"what": "jma"}, 400, "what: 'jma' is not a fault of a rng: it has"),
    ("POST", "/devices/rng/faults", {"what": "stuck", "at": 0}, 400, "at: 0 is not a whole number from 1 to 1000000"),
    ("POST", "/devices/rng/power", {"seconds": -1}, 400, "seconds: -1 is not a number from 0.001 to 86400"),
    ("POST", "/devices/rng/power", {"seconds": True}, 400, "seconds: true is not a number"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "line"), BAD, ids=[bad[-1] for bad in BAD])
def test_what_is_wrong_is_said_on_one_line_that_names_the_key(table, method, path, body, status, line):
    before = table.ask("GET", "/bench"), table.ask("GET", "/devices")
    got, answer = table.ask(method, path, **body)
    assert got == status
    assert line in answer["error"]
    assert "\n" not in answer["error"]
    assert (table.ask("GET", "/bench"), table.ask("GET", "/devices")) == before


@pytest.mark.parametrize("body", [b"{", b"[]", b"7", b"\xff", b'{"a": ' * 9999, b"9" * 5000, b"NaN"])
def test_a_body_that_is_no_object_of_json_is_refused(table, body):
    answer = table.control.answer("POST", "/bench/turn", body)
    assert answer.status == 400


def test_a_405_says_what_is_allowed(table):
    assert table.control.answer("PUT", "/devices/rng/faults", b"").allow == ("GET", "POST", "DELETE")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
SENSIBLE = st.sampled_from(["shoe.well", "shuffler.in.1", "felt.1", "red", "jam", 0, 1, 54, True, [1, 2]])
KEYS = st.sampled_from(sorted({key.name for route in ROUTES for key in route.keys}))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(ROUTES),
            st.sampled_from(["shuffler", "shoe", "reader", "shaker", "rng", "ghost"]),
            st.dictionaries(KEYS, SENSIBLE | JSON, max_size=4),
        ),
        max_size=8,
    )
)
def test_no_request_breaks_it_and_no_card_is_lost(requests):
    """Any sequence of requests is answered with 200, 400 or 404, and the census of the cards adds up."""
    table = Table()
    for route, name, body in requests:
        answer = table.control.answer(route.method, route.path.replace("NAME", name), json.dumps(body).encode())
        assert answer.status in (200, 400, 404)
        json.dumps(answer.body, allow_nan=False)
        table.now += 1
    table.bench.cards()


@pytest.mark.parametrize("body", [b"[]", b"5", b"null", b'"x"', b"[" * 50_000])
def test_a_body_that_is_no_object_is_refused_by_its_name(table, body):
    answer = table.control.answer("POST", "/bench/move", body)
    assert answer.status == 400
    assert str(answer.body["error"]).startswith("body: is not ")
