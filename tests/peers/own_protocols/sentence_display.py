"""A number display that talks in sentences of its own, in the manner of NMEA 0183. Nothing of feltrig is imported.

    python -I -S sentence_display.py [--seed N] [--seconds S] [--panel FILE] [DEFECT ...]

It opens a pseudo-terminal, prints its path, and serves until its input is closed. A person sees what is in the file
FILE. `$body*hh` CR LF, where hh is the XOR
of the body in two hex digits. A sentence with a wrong check is not answered.

| to the display | what it does | it answers |
|---|---|---|
| NDQ,ID | says who it is | NDI,maker,model,serial,firmware,digest |
| NDQ,ST | says how it is: I idle, B busy, R a number is shown, F fault | NDS,state |
| NDQ,DSP | says what it shows, 0 when dark | NDD,number |
| NDQ,CH,nonce | proves its firmware by HMAC-SHA-256, in hex | NDH,proof |
| NDC,SEL | selects a number | NDA,OK or NDA,ER,code |
| NDC,BLK | goes dark | NDA,OK or NDA,ER,code |
| NDC,CLR | ends what is under way | NDA,OK |

Codes: 1 no such sentence, 2 a wrong field, 3 not now. Unasked: NDB,seq started, NDR,seq,number, NDX,seq cleared. The
seq runs from 000 to 999.
"""

import hashlib
import hmac
import os
import random
import re
import select
import sys
import time
import tty
from pathlib import Path

MAKER, MODEL, SERIAL, FIRMWARE = "Nimbus", "ND-7", "0042", "2.1"
IMAGE = b"firmware of the display"
LONGEST = 82


def check(body: bytes) -> int:
    value = 0
    for octet in body:
        value ^= octet
    return value


class Display:
    def __init__(self, line: int, seed: int, seconds: float, panel: str, defects: set[str]) -> None:
        self.line = line
        self.random = random.Random(seed)
        self.seconds = seconds
        self.panel = panel
        self.defects = defects
        self.shown = 0
        self.due = None
        self.seq = 0
        self.said = 0
        self.selections = 0
        self.stuck = False
        self.report("NDB")

    def say(self, body: str) -> None:
        self.said += 1
        data = body.encode()
        value = check(data)
        if "bad_check" in self.defects and self.said % 29 == 0:
            value ^= 0x10
        digits = b"%02x" % value if "small_hex" in self.defects else b"%02X" % value
        tail = b"\r\n \r\n" if "blanks" in self.defects else b"\r\n"
        os.write(self.line, b"$" + data + b"*" + digits + tail)

    def report(self, sort: str, *fields: object) -> None:
        self.seq = (self.seq + 1) % 1000
        if "seq_jump" in self.defects and self.seq % 40 == 0:
            self.seq += 1
        self.say(",".join((sort, f"{self.seq:03d}", *map(str, fields))))

    def hear(self, line: bytes) -> None:
        if self.stuck:
            return
        if "hangs_on_long" in self.defects and len(line) > 200:
            self.stuck = True
            return
        found = re.fullmatch(rb"\$([^$*]{1,%d})\*([0-9A-Fa-f]{2})" % LONGEST, line)
        if found is None and not ("no_check" in self.defects and b"NDC,SEL" in line):
            return
        if found is None:
            self.obey("NDC,SEL")
            return
        body, given = found.groups()
        if check(body) != int(given, 16) and "ignores_check" not in self.defects:
            return
        self.obey(body.decode("latin-1"))

    def obey(self, body: str) -> None:
        busy = self.due is not None
        match body.split(","):
            case ["NDQ", "ID"]:
                digest = hashlib.sha256(IMAGE).hexdigest()
                serial = "0043" if "other_serial" in self.defects else SERIAL
                self.say(f"NDI,{MAKER},{MODEL},{serial},{FIRMWARE},{digest}")
            case ["NDQ", "ST"]:
                self.say(f"NDS,{'B' if busy else 'R' if self.shown else 'I'}")
            case ["NDQ", "DSP"]:
                wrong = "display_differs" in self.defects and self.shown
                self.say(f"NDD,{self.shown % 7 + 1 if wrong else self.shown}")
            case ["NDQ", "CH", nonce]:
                self.prove(nonce)
            case ["NDC", "CLR"]:
                self.due, self.shown = None, 0
                self.say("NDA,OK")
                self.report("NDX")
            case ["NDC", "SEL"] if not busy:
                self.selections += 1
                refused = "refuses_and_acts" in self.defects and self.selections % 9 == 0
                self.say("NDA,ER,3" if refused else "NDA,OK")
                if not ("mute_command" in self.defects and self.selections % 31 == 0):
                    self.due = time.monotonic() + self.seconds
            case ["NDC", "BLK"] if not busy:
                if "blank_unanswered" in self.defects:
                    return
                self.shown = 0
                self.say("NDA,OK")
            case ["NDC", "SEL" | "BLK"]:
                self.say("NDA,ER,3")
            case ["NDC" | "NDQ", "SEL" | "BLK" | "CLR" | "ID" | "ST" | "DSP" | "CH", *_]:
                self.say("NDA,ER,2")
            case _ if "acts_on_unknown" in self.defects and not busy:
                self.due = time.monotonic() + self.seconds
            case _:
                self.say("NDA,ER,1")

    def prove(self, nonce: str) -> None:
        if not re.fullmatch(r"([0-9A-F]{2}){16,32}", nonce):
            self.say("NDA,ER,2")
            return
        self.say("NDH," + hmac.digest(bytes.fromhex(nonce), IMAGE, "sha256").hex().upper())

    def work(self) -> None:
        if self.due is None or time.monotonic() < self.due:
            return
        self.due = None
        self.shown = self.random.choice((1, 1, 2, 3, 4, 5, 6, 7) if "biased" in self.defects else range(1, 8))
        if "out_of_range" in self.defects and self.random.random() < 0.02:
            self.shown = 8
        Path(self.panel).write_text(str(self.shown % 7 + 1 if "panel_differs" in self.defects else self.shown))
        if "no_result" in self.defects and self.random.random() < 0.02:
            return
        self.report("NDR", self.shown)
        if "result_twice" in self.defects and self.random.random() < 0.02:
            self.report("NDR", self.shown)


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
    display = Display(line, seed, seconds, panel, {each for each in arguments if not each.startswith("--")})
    print(os.ttyname(far), flush=True)
    rest = b""
    while True:
        wait = None if display.due is None else max(display.due - time.monotonic(), 0)
        ready, _, _ = select.select([line, sys.stdin], [], [], wait)
        if sys.stdin in ready:
            return
        if line in ready:
            *lines, rest = (rest + os.read(line, 4096)).split(b"\r\n")
            rest = rest[-4096:]
            for each in lines:
                display.hear(each[each.rfind(b"$") :] if b"$" in each else each)
        display.work()


main()
