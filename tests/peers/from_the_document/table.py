"""A whole table of machines, written from docs/serial.md, docs/modbus.md, docs/mqtt.md and docs/operator.md alone, and
the hands that move real cards between them.

    python -I table.py '{"wire": "serial", "work": 0.05, "nvram": true}'

It prints one line of JSON: where each machine is found. Then each line of its input is a prompt of the rig, which it
carries out and answers.
"""

import asyncio
import json
import random
import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from machine import BUSY, Card, Machine
from machines import KINDS, Shaker, Shuffler

WIRES = {
    "serial": "serial_wire.SerialLine",
    "modbus-rtu": "modbus_wire.RtuLine",
    "modbus-tcp": "modbus_wire.TcpServer",
    "modbus-tls": "modbus_wire.TcpServer",
    "pymodbus": "pymodbus_wire.PymodbusServer",
    "mqtt": "mqtt_wire.MqttClient",
}


class Table:
    """The machines, the cards, and hands that do what a prompt says."""

    def __init__(self, settings: dict[str, object]) -> None:
        self.places: dict[str, list[Card]] = {"tray": [], "aside": []}
        self.where_is_the_button = 0
        self.acted, self.in_time = asyncio.Event(), False
        own = settings.get("machines", {})
        self.machines = {
            kind: made(self.places["tray"], {**settings, **own.get(kind, {})}) for kind, made in KINDS.items()
        }
        module, _, name = WIRES[settings.get("wire", "serial")].partition(".")
        wire = getattr(import_module(module), name)
        self.ends = {kind: wire(m, number, settings) for number, (kind, m) in enumerate(self.machines.items(), start=1)}

    async def open(self) -> dict[str, object]:
        return {kind: await end.open() for kind, end in self.ends.items()}

    def place(self, name: str) -> list[Card]:
        return self.places.setdefault(name, [])

    def put(self, source: list[Card], target: list[Card], count: int | None = None) -> None:
        """Take cards from the top of a place and lay them, in order, on top of another, face down."""
        moved = source[: len(source) if count is None else count]
        del source[: len(moved)]
        for card in moved:
            card.up = False
        target[:0] = moved

    def opening(self, where: dict[str, object], of: str) -> list[Card]:
        machine = self.machines[where["device"]]
        if isinstance(machine, Shuffler):
            return {"in": machine.entry, "out": machine.exit}[of][where["compartment"]]
        if of == "in" and not machine.well:
            machine.stack = 0
        return machine.well

    async def do(self, what: str, where: dict[str, object]) -> str:
        """Carry out a prompt; returns the answer."""
        machine = self.machines.get(where.get("device"))
        if what.endswith("_at_work"):
            return self.get_ready(what, machine, self.ends[where["device"]])
        match what:
            case "clear":
                machine.clear()
                for lying in machine.cards():
                    self.put(lying, self.place("discard"))
            case "block":
                machine.blocked = True
            case "power_off" | "power_on":
                await getattr(self.ends[where["device"]], what)()
            case "lift_lid":
                machine.lift()
            case "tilt_die":
                machine.dice[0][1] = 0
            case "remove_die":
                machine.dice = machine.dice[:2]
            case "return_die":
                machine.lay_dice()
            case "place_button":
                self.where_is_the_button = int(where["place"].partition(".")[2])
            case "button":
                return str(self.where_is_the_button)
            case "has_stop_button":
                return "yes" if machine.has_button else "no"
            case "pressed_in_time":
                await self.acted.wait()
                return "yes" if self.in_time else "no"
            case "read_display":
                return str(machine.shown)
            case "read_dice":
                return " ".join(str(face) for face, _ in machine.dice)
            case "go_on":
                return "stop"
            case _:
                return self.move_cards(what, where, machine)
        return "done"

    def move_cards(self, what: str, where: dict[str, object], machine: Machine | None) -> str:
        deck = where.get("deck")
        home, tray = self.place(f"deck.{deck}"), self.places["tray"]
        match what:
            case "bring_deck" | "lay_deck" | "show_new_deck":
                for lying in self.everywhere():
                    lying[:] = [card for card in lying if card.deck != deck]
                (tray if what == "show_new_deck" else home)[:] = [Card(deck, code) for code in range(54)]
            case "show_deck":
                self.put(home, tray)
            case "from_reader":
                self.put(tray, self.place(where["place"]))
            case "load":
                self.put(home, self.opening(where, "in"))
            case "unload":
                self.put(self.opening(where, "out"), home)
            case "load_from_reader":
                self.put(tray, self.opening(where, "in"))
            case "unload_to_reader":
                self.put(self.opening(where, "out"), tray)
            case "shuffle_by_hand":
                random.SystemRandom().shuffle(home)
            case "cut":
                home[:] = home[where["depth"] :] + home[: where["depth"]]
            case "gather":
                self.gather(deck, home)
            case "take_cards":
                self.put(home, self.places["aside"], where["count"])
            case "add_cards":
                home[20:20] = [Card("another", code) for code in range(where["count"])]
            case "swap_card":
                self.put(home, self.places["aside"], 1)
                home[20:20] = [Card("another", home[0].code)]
            case "restore_deck":
                home[:] = [card for card in home if card.deck != "another"]
                self.put(self.places["aside"], home)
            case "show_card":
                self.put(home, tray, 1)
            case "show_stack":
                self.put(machine.exit, tray)
            case "show_stub":
                self.put(home if machine is None else self.opening({**where, "compartment": 1}, "out"), tray)
            case "move":
                self.put(self.place(where["place"]), self.place(where["to"]))
            case "clear_layout":
                for name in [n for n in self.places if n.startswith(("felt.", "stack.", "area."))]:
                    self.put(self.places[name], self.place("discard"))
            case _:
                return "cannot"
        return "done"

    def gather(self, deck: str, home: list[Card]) -> None:
        for lying in self.everywhere():
            if lying is not home:
                home += [card for card in lying if card.deck == deck]
                lying[:] = [card for card in lying if card.deck != deck]
        for card in home:
            card.up = False

    def get_ready(self, what: str, machine: Machine, end: object) -> str:
        """Have a hand wait for the next work of a machine."""
        acts = {"cut_power_at_work": end.power_off, "stop_at_work": machine.press}
        acts |= {"lift_lid_at_work": machine.lift} if isinstance(machine, Shaker) else {}
        if machine.work == 0 or what not in acts:
            return "cannot"  # nobody is quick enough, or nobody can reach there

        def act() -> None:
            self.acted.set()
            self.in_time = machine.state == BUSY
            doing = acts[what]()
            if doing is not None:
                self.doing = asyncio.ensure_future(doing)

        self.acted.clear()
        machine.at_work = act
        return "done"

    def everywhere(self) -> list[list[Card]]:
        return [*self.places.values(), *(lying for machine in self.machines.values() for lying in machine.cards())]


async def main() -> None:
    table = Table(json.loads(sys.argv[1]) if len(sys.argv) > 1 else {})
    print(json.dumps(await table.open()), flush=True)
    prompts = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(prompts), sys.stdin)
    while line := await prompts.readline():
        prompt = json.loads(line)
        if "what" in prompt:
            answer = await table.do(prompt["what"], prompt["where"])
            print(json.dumps({"id": prompt["id"], "answer": answer, "who": "hands"}), flush=True)
    assert not [name for name in sys.modules if name.startswith("feltrig")]


asyncio.run(main())
