"""A dice shaker on a binary protocol of its own, which speaks only when it is polled. Nothing of feltrig is imported.

    python -I -S binary_shaker.py [--seed N] [--seconds S] [--panel FILE] [DEFECT ...]

It opens a pseudo-terminal, prints its path, and serves until its input is closed. A person sees the dice that are in
FILE. A frame is STX, the number of bytes
of the message, the message, LRC (the negative sum of length and message), ETX. A wrong frame is not answered; the
shaker looks for the next STX. Numbers in messages are binary-coded decimal, except codes.

| to the shaker | what it does | it answers |
|---|---|---|
| `I` | says who it is | `i`, serial number in six characters, firmware in three |
| `S` | says how it is | `s`, state (0 idle, 1 busy, 2 ready, 3 fault), fault |
| `K` times | shakes | ACK, or NAK and a code |
| `U`, `C` | takes the lid off, puts it on | ACK, or NAK and a code |
| `R` | ends what is under way | ACK |
| `P` | asks for what has happened | the next report, or `N` for none |

ACK is 06 and NAK 15 with a code, without a frame. Codes: 1 no such message, 2 a wrong number, 3 not now. Reports begin
with E0 and their running number (00 to 99): E0 started, E1 shaken and how often, E2 lid off (1 as told, 0 by hand), E3
the three dice and whether each lies flat, E4 lid on, E5 fault, E6 cleared.
"""

import os
import random
import select
import sys
import time
import tty
from pathlib import Path

SERIAL, FIRMWARE = b"TB0017", b"1.4"
STARTED, SHAKEN, UNCOVERED, ROLLED, COVERED, FAULTED, CLEARED = range(0xE0, 0xE7)


def bcd(number: int) -> int:
    return number // 10 * 16 + number % 10


class Shaker:
    def __init__(self, line: int, seed: int, seconds: float, panel: str, defects: set[str]) -> None:
        self.line = line
        self.random = random.Random(seed)
        self.seconds = seconds
        self.panel = panel
        self.defects = defects
        self.open = False
        self.ready = False
        self.due: float | None = None
        self.work: list[tuple[int, ...]] = []
        self.reports: list[bytes] = []
        self.number = 0
        self.said = 0
        self.shakes = 0
        self.report(STARTED)

    def report(self, sort: int, *data: int) -> None:
        self.reports.append(bytes((sort, bcd(self.number % 100), *data)))
        self.number += 1

    def say(self, message: bytes) -> None:
        self.said += 1
        body = bytes((len(message),)) + message
        lrc = -sum(body) & 0xFF
        if "bad_check" in self.defects and self.said % 23 == 0:
            lrc ^= 0x04
        os.write(self.line, b"\x02" + body + bytes((lrc,)) + b"\x03")

    def hear(self, message: bytes) -> None:
        busy = self.due is not None
        match bytes(message[:1]), message[1:]:
            case b"I", b"":
                self.say(b"i" + SERIAL + FIRMWARE)
            case b"S", b"":
                self.say(bytes((ord("s"), 1 if busy else 2 if self.ready or self.open else 0, 0)))
            case b"P", b"":
                self.say(self.reports.pop(0) if self.reports else b"N")
            case b"R", b"":
                self.due, self.work, self.ready = None, [], False
                self.report(CLEARED)
                self.accept()
            case b"K", times if len(times) == 1 and not busy and not self.open:
                self.shake(times[0])
            case b"U", b"" if not busy:
                self.accept()
                self.start([] if self.open else [(UNCOVERED, 1)], [(ROLLED, *self.dice)])
                self.open = True
            case b"C", b"" if not busy:
                self.accept()
                self.start([(COVERED,)], [])
                self.open = self.ready = False
            case ((b"K" | b"U" | b"C"), _):
                self.refuse(2 if message[:1] != b"K" and len(message) > 1 else 3)
            case _:
                self.refuse(1)

    @property
    def dice(self) -> tuple[int, ...]:
        faces = (1, 2, 3, 4, 5, 6, 6) if "loaded" in self.defects else range(1, 7)
        dice = [self.random.choice(faces) for _ in range(3)]
        if "two_dice" in self.defects and self.random.random() < 0.03:
            dice[2] = 0
        return (*dice, 1, 1, 1)

    def shake(self, times: int) -> None:
        number = times // 16 * 10 + times % 16
        if times % 16 > 9 or not number:
            self.refuse(2)
            return
        self.shakes += 1
        self.accept()
        done = number - 1 if "few_shakes" in self.defects and self.shakes % 5 == 0 else number
        self.start(
            [(SHAKEN, bcd(done))], [(UNCOVERED, 0)] if "lid_lifts" in self.defects and self.shakes % 7 == 0 else []
        )
        self.ready = True

    def start(self, *parts: list[tuple[int, ...]]) -> None:
        self.work = [each for part in parts for each in part]
        self.due = time.monotonic() + self.seconds

    def accept(self) -> None:
        os.write(self.line, b"\x06")

    def refuse(self, code: int) -> None:
        os.write(self.line, bytes((0x15, code)))

    def go_on(self) -> None:
        if self.due is None or time.monotonic() < self.due:
            return
        self.due = None
        for sort, *data in self.work:
            if sort == ROLLED:
                Path(self.panel).write_text(" ".join(map(str, data[:3])))
        for part in self.work:
            if not ("forgets" in self.defects and part[0] == ROLLED and self.random.random() < 0.05):
                self.report(*part)


def frames(data: bytes, checked: bool) -> tuple[list[bytes], bytes]:
    """The messages of whole frames, and what may become one."""
    found, at = [], 0
    while (at := data.find(b"\x02", at)) >= 0:
        if at + 1 >= len(data):
            return found, data[at:]
        size = data[at + 1]
        end = at + 2 + size + 2
        if size > 16:
            at += 1
            continue
        if end > len(data):
            return found, data[at:]
        lrc, stop = data[end - 2], data[end - 1]
        if stop != 3 or (checked and (sum(data[at + 1 : end - 2]) + lrc) & 0xFF):
            at += 1
            continue
        found.append(data[at + 2 : end - 2])
        at = end
    return found, b""


def main() -> None:
    arguments = sys.argv[1:]
    seed, seconds = 7, 0.0
    if "--seed" in arguments:
        seed = int(arguments.pop(arguments.index("--seed") + 1))
    if "--seconds" in arguments:
        seconds = float(arguments.pop(arguments.index("--seconds") + 1))
    panel = arguments.pop(arguments.index("--panel") + 1) if "--panel" in arguments else os.devnull
    line, far = os.openpty()
    tty.setraw(far)
    shaker = Shaker(line, seed, seconds, panel, {each for each in arguments if not each.startswith("--")})
    print(os.ttyname(far), flush=True)
    rest, heard = b"", 0.0
    while True:
        wait = None if shaker.due is None else max(shaker.due - time.monotonic(), 0)
        ready, _, _ = select.select([line, sys.stdin], [], [], wait)
        if sys.stdin in ready:
            return
        if line in ready:
            data, now = os.read(line, 4096), time.monotonic()
            messages, rest = frames((rest if now - heard < 0.1 else b"") + data, "ignores_check" not in shaker.defects)
            heard = now
            for message in messages:
                shaker.hear(message)
        shaker.go_on()


main()
