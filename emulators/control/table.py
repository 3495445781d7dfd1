"""What hands do at an emulated table, as requests and answers: move cards, open a lid, put something in the way, pull a
plug, make a device fail. Pure: the wire that carries it is HTTP, in `http_server.py`."""

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from feltrig.emulators.bench import Bench, Card
from feltrig.emulators.machine import Machine
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import Device
from feltrig.emulators.models.faults import Fault
from feltrig.protocols.schema import Flag, Key, Mismatch, Number, Table, Text, Whole, keys_of, shown

MOST_CARDS = 1024
"""Cards that one request can bring."""

AT_ONCE = 1e-6
"""Seconds after which a plug that is pulled now is out: `after` makes a fault strike by its time alone."""


@dataclass(frozen=True, slots=True)
class Served:
    """An emulated device and where it is served; time passes in it by `served`, as its station has it."""

    machine: Device[Any]
    served: Machine
    place: Mapping[str, object]
    """Of which kind it is, and where a program finds it."""


@dataclass(frozen=True, slots=True)
class Response:
    """A status of HTTP, and what goes with it as JSON; `allow` are the methods that the path knows, for a 405."""

    status: int
    body: object
    allow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Codes:
    """A list of card codes."""

    expected: str = f"an array of at most {MOST_CARDS} card codes from 0 to 127"

    def read(self, value: object, key: str, scope: Mapping[str, object]) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) > MOST_CARDS:
            raise Mismatch(key, f"{shown(value)} is not {self.expected}")
        code = Whole(0, 127)
        return tuple(code.read(item, f"{key}[{number}]", scope) for number, item in enumerate(value, 1))


PLACE = Text(r"[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,7}", "a place, such as shoe.well or felt.3")
DECK = Text(r"[A-Za-z0-9_-]{1,64}", "the name of a deck, of letters, digits, - and _")
INDEX = Whole(0, MOST_CARDS)
COUNT = Whole(0, MOST_CARDS)

NO_KEYS: tuple[Key, ...] = ()


class Control:
    """Answers for a bench and the devices at it. `deck` has the codes of a new deck; the clock is the stations' own.
    Whoever has requests calls `answer`; the other methods are what `ROUTES` leads to."""

    def __init__(
        self, bench: Bench, devices: Mapping[str, Served], deck: Sequence[int], clock: Callable[[], float]
    ) -> None:
        self._bench = bench
        self._devices = devices
        self._deck = tuple(deck)
        self._clock = clock
        self._shuffles = 0

    def answer(self, method: str, path: str, body: bytes) -> Response:
        """The answer to one request; what is wrong with it is said on one line that names the key."""
        found = [(route, name) for route in ROUTES if (name := route.match(path)) is not None]
        if not found:
            return _wrong(404, f"{shown(path)}: there is no such path; GET / lists those that are")
        for route, name in found:
            if route.method == method:
                return self._run(route, name, body)
        allow = tuple(route.method for route, _ in found)
        return _wrong(405, f"{shown(path)}: {shown(method)} is not {' or '.join(allow)}", allow)

    def _run(self, route: "Route", name: str, body: bytes) -> Response:
        if name and name not in self._devices:
            return _wrong(404, f"{shown(name)} is not a device: there are {', '.join(self._devices) or 'none'}")
        now = self._clock()
        for device in self._devices.values():
            device.served.advance(now)
        try:
            values = Table(dict, route.keys).read(_document(body), "", {})
            return Response(200, route.act(self, name, values))
        except (Mismatch, ValueError) as error:
            return _wrong(400, str(error))

    def routes(self, _name: str, _values: Mapping[str, Any]) -> object:
        return {route.title: route.doc for route in ROUTES}

    def devices(self, _name: str, _values: Mapping[str, Any]) -> object:
        return {name: self._device(name) for name in self._devices}

    def device(self, name: str, _values: Mapping[str, Any]) -> object:
        return self._device(name)

    def faults(self, name: str, _values: Mapping[str, Any]) -> object:
        machine = self._devices[name].machine
        known = MODELS[machine.kind.name].faults
        return {"pending": _faults(machine), "known": {what: sort.effect for what, sort in known.items()}}

    def inject(self, name: str, values: Mapping[str, Any]) -> object:
        machine = self._devices[name].machine
        what, known = values["what"], MODELS[machine.kind.name].faults
        if what not in known:
            raise Mismatch("what", f"{shown(what)} is not a fault of a {machine.kind.name}: it has {', '.join(known)}")
        machine.inject(Fault(**{key: value for key, value in values.items() if value is not None}), self._clock())
        return {"pending": _faults(machine)}

    def spare(self, name: str, _values: Mapping[str, Any]) -> object:
        machine = self._devices[name].machine
        machine.board.spare()
        return {"pending": _faults(machine)}

    def power(self, name: str, values: Mapping[str, Any]) -> object:
        machine = self._devices[name].machine
        what = "power_loss" if values["memory"] else "power_loss_forgetful"
        machine.inject(Fault(what, after=AT_ONCE, seconds=values["seconds"]), self._clock())
        self._devices[name].served.advance(self._clock() + AT_ONCE)
        return {"off": machine.board.off}

    def by_hand(self, name: str, action: str, part: str) -> object:
        machine = self._devices[name].machine
        actions = MODELS[machine.kind.name].by_hand
        if action not in actions:
            raise Mismatch("", f"{name} has no {part}")
        return actions[action].act(machine.mechanism, self._clock())

    def bench(self, _name: str, _values: Mapping[str, Any]) -> object:
        bench = self._bench
        return {
            "places": {place: [_card(card) for card in bench.peek(place)] for place in sorted(bench.places())},
            "obstructed": list(bench.obstacles),
            "taken_out": [_card(card) for card in bench.taken_out],
        }

    def new_deck(self, _name: str, values: Mapping[str, Any]) -> object:
        codes = self._deck if values["codes"] is None else values["codes"]
        return _count(self._bench.put_new_deck(self._place("place", values), values["deck"], codes))

    def new_card(self, _name: str, values: Mapping[str, Any]) -> object:
        place = self._place("place", values)
        return _card(self._bench.put_new_card(place, values["deck"], values["code"], values["index"]))

    def move(self, _name: str, values: Mapping[str, Any]) -> object:
        source, target = self._place("from", values), self._place("to", values)
        from_top, to_bottom = not values["from_bottom"], values["to_bottom"]
        return _count(self._bench.move(source, target, values["count"], from_top=from_top, to_bottom=to_bottom))

    def gather(self, _name: str, values: Mapping[str, Any]) -> object:
        source, target = self._place("from", values), self._place("to", values)
        return _count(self._bench.pick(source, values["deck"], target))

    def turn(self, _name: str, values: Mapping[str, Any]) -> object:
        return _card(self._bench.turn(self._place("place", values), values["index"]))

    def shuffle(self, _name: str, values: Mapping[str, Any]) -> object:
        place = self._place("place", values)
        self._shuffles += 1
        seed = self._shuffles if values["seed"] is None else values["seed"]
        self._bench.shuffle(place, random.Random(f"hands {seed}"))
        return {"cards": self._bench.count(place)}

    def take_out(self, _name: str, values: Mapping[str, Any]) -> object:
        return _card(self._bench.take_out(self._place("place", values), values["index"]))

    def obstruct(self, _name: str, values: Mapping[str, Any]) -> object:
        place = self._place("place", values)
        device = self._devices.get(place.partition(".")[0])
        if device is None or not MODELS[device.machine.kind.name].moves_cards:
            raise Mismatch(
                "place", f"{shown(place)} is not in a device that moves cards, so nothing can be in their way"
            )
        self._bench.obstruct(place)
        return {"obstructed": list(self._bench.obstacles)}

    def unobstruct(self, _name: str, values: Mapping[str, Any]) -> object:
        self._bench.unobstruct(self._place("place", values))
        return {"obstructed": list(self._bench.obstacles)}

    def clear(self, name: str, values: Mapping[str, Any]) -> object:
        return _count(self._bench.clear(name, self._place("to", values)))

    def _place(self, key: str, values: Mapping[str, Any]) -> str:
        """A place that is free to name, or one that the device has to which it belongs."""
        place: str = values[key]
        owner = self._devices.get(place.partition(".")[0])
        if owner is not None and place not in (known := owner.machine.mechanism.places):
            raise Mismatch(key, f"{shown(place)} is not a place of {owner.machine.board.name}: {', '.join(known)}")
        return place

    def _device(self, name: str) -> dict[str, object]:
        served = self._devices[name]
        machine = served.machine
        status = machine.board.status()
        return {
            **served.place,
            "state": status.state.name.lower(),
            "fault": status.fault.name.lower(),
            "off": machine.board.off,
            "events": {"oldest": status.oldest, "latest": status.latest},
            "identity": asdict(machine.identity),
            "places": list(machine.mechanism.places),
            "pending": _faults(machine),
        }


@dataclass(frozen=True, slots=True)
class Route:
    """One thing that can be asked. `NAME` in the path is the name of a device; `keys` are those of the JSON body."""

    method: str
    path: str
    doc: str
    act: Callable[[Control, str, Mapping[str, Any]], object]
    keys: tuple[Key, ...] = field(default=NO_KEYS)

    @property
    def title(self) -> str:
        return f"{self.method} {self.path}"

    def match(self, path: str) -> str | None:
        """The name in a path that is this one, empty where it has none; None for another path."""
        found = re.fullmatch(self.path.replace("NAME", "([^/]+)"), path)
        if found is None:
            return None
        return found[1] if found.groups() else ""


def _by_hand(action: str, part: str, control: Control, name: str, _values: Mapping[str, Any]) -> object:
    return control.by_hand(name, action, part)


IN_PILE = Key("place", PLACE, "the pile")
IN_DEVICE = Key("place", PLACE, "a place of a device")
FROM = Key("from", PLACE, "the pile that they lie on")
TO = Key("to", PLACE, "the pile that they go to")
WHICH = Key("index", INDEX, "which card, 0 being the top", 0)

PLUG = (
    Key("seconds", Number(0.001, 86_400), "how long it is off", 1.0),
    Key("memory", Flag(), "whether it still has its events afterwards", True),
)
NEW_DECK = (
    IN_PILE,
    Key("deck", DECK, "the colour of its backs"),
    Key("codes", Codes(), "its cards, the top one first; without it, the deck of the game", None),
)
NEW_CARD = (
    IN_PILE,
    Key("deck", DECK, "the colour of its back"),
    Key("code", Whole(0, 127), "its code"),
    Key("index", INDEX, "where it lies then, 0 being the top", 0),
)
BLOCK = (
    FROM,
    TO,
    Key("count", COUNT, "how many; all without it", None),
    Key("from_bottom", Flag(), "takes them from the bottom of the pile", False),
    Key("to_bottom", Flag(), "puts them under the other pile", False),
)
DECK_OF_PILE = (FROM, TO, Key("deck", DECK, "which deck"))
SEEDED = (IN_PILE, Key("seed", Whole(0), "the same seed gives the same order", None))
CLEARED = (Key("to", PLACE, "where the cards go", "table"),)

ROUTES = (
    Route("GET", "/", "lists what can be asked", Control.routes),
    Route("GET", "/devices", "every device: where it is, what it does, who it is", Control.devices),
    Route("GET", "/devices/NAME", "one device", Control.device),
    Route("GET", "/devices/NAME/faults", "the faults that can still strike, and all that it can have", Control.faults),
    Route(
        "POST",
        "/devices/NAME/faults",
        "makes the device fail; operations and time count from now",
        Control.inject,
        keys_of(Fault),
    ),
    Route("DELETE", "/devices/NAME/faults", "forgets every fault that can still strike", Control.spare),
    Route("POST", "/devices/NAME/power", "pulls the plug of the device and puts it in again", Control.power, PLUG),
    *(
        Route("POST", f"/devices/NAME/{name}", action.doc, partial(_by_hand, name, action.part))
        for model in MODELS.values()
        for name, action in model.by_hand.items()
    ),
    Route(
        "POST",
        "/devices/NAME/clear",
        "takes every card out of the device, and what obstructs it",
        Control.clear,
        CLEARED,
    ),
    Route("GET", "/bench", "where every card lies, top first", Control.bench),
    Route("POST", "/bench/new-deck", "brings a new deck, face down, onto a pile", Control.new_deck, NEW_DECK),
    Route("POST", "/bench/new-card", "brings one new card, face down, into a pile", Control.new_card, NEW_CARD),
    Route("POST", "/bench/move", "moves cards from a pile onto another, as one block", Control.move, BLOCK),
    Route(
        "POST",
        "/bench/gather",
        "moves the cards of one deck from a pile onto another, turned face down",
        Control.gather,
        DECK_OF_PILE,
    ),
    Route("POST", "/bench/turn", "turns one card over", Control.turn, (IN_PILE, WHICH)),
    Route("POST", "/bench/shuffle", "shuffles a pile by hand", Control.shuffle, SEEDED),
    Route("POST", "/bench/take-out", "takes one card off the bench for good", Control.take_out, (IN_PILE, WHICH)),
    Route("POST", "/bench/obstruct", "puts something in the way of the cards", Control.obstruct, (IN_DEVICE,)),
    Route("POST", "/bench/unobstruct", "takes it away again", Control.unobstruct, (IN_DEVICE,)),
)


def _document(body: bytes) -> object:
    if not body.strip():
        return {}
    try:
        document = json.loads(body)
    except RecursionError as error:
        raise Mismatch("body", "is not JSON that can be read: it is nested too deeply") from error
    except ValueError as error:
        raise Mismatch("body", f"is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise Mismatch("body", 'is not an object, as in {"place": "felt.1"}')
    return document


def _faults(machine: Device[Any]) -> list[dict[str, object]]:
    pending = machine.board.pending
    return [{key: value for key, value in asdict(fault).items() if value is not None} for fault in pending]


def _card(card: Card) -> dict[str, object]:
    return {"code": card.code, "deck": card.deck, "face_up": card.face_up}


def _count(cards: tuple[Card, ...]) -> dict[str, int]:
    return {"cards": len(cards)}


def _wrong(status: int, line: str, allow: tuple[str, ...] = ()) -> Response:
    return Response(status, {"error": " ".join(line.split())}, allow)
