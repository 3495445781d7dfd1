"""From the table `serial` of a profile file to the settings of a port and the framings of both directions."""

from collections.abc import Mapping
from typing import Any

from feltrig.protocols.profiles import codecs, framing
from feltrig.protocols.profiles.checksums import Check
from feltrig.protocols.profiles.codecs import Codec, Direction
from feltrig.protocols.profiles.profile import SerialSettings
from feltrig.protocols.schema import Mismatch, shown


def read_serial(values: Mapping[str, Any], codec: Codec | None) -> SerialSettings:
    """The settings and framings. Raises Mismatch."""
    hears, says = _framing(values["hears"], codec, "hears"), _framing(values["says"], codec, "says")
    return SerialSettings(**{**values, "hears": hears, "says": says})


def _framing(values: Mapping[str, Any], codec: Codec | None, direction: Direction) -> framing.Framing:
    if codec is not None:
        try:
            with codecs.at_work(codec):
                own = codec.framing(direction)
        except ValueError as error:
            raise Mismatch("codec", str(error)) from error
        if own is not None:
            return own
    key = f"serial.{direction}"
    check = _check(values, key)
    match values["framing"]:
        case "lines":
            return _lines(values, check, key)
        case "counted":
            return _counted(values, check)
        case "cobs":
            return framing.Cobs(check)
    if values["start"] == values["stop"] or values["escape"] in (values["start"], values["stop"]):
        raise Mismatch(f"{key}.stop", "start, stop and escape must be three different bytes")
    return framing.Enclosed(
        values["start"],
        values["stop"],
        check,
        values["covers_start"],
        values["covers_stop"],
        values["escape"],
        values["bare"],
        values["check_before_stop"],
    )


def _check(values: Mapping[str, Any], key: str) -> Check:
    check = Check(values["check"], values["check_as"], values["check_order"], values["check_skips"])
    for name, usual in (("check_as", "raw"), ("check_order", "big"), ("check_skips", 0)):
        if check.name == "none" and values[name] != usual:
            raise Mismatch(f"{key}.check", f"is missing; expected the sort of check, since there is {name}")
    return check


def _lines(values: Mapping[str, Any], check: Check, key: str) -> framing.Lines:
    end, start, mark = (_bytes(values[name], f"{key}.{name}") for name in ("end", "start", "check_mark"))
    if mark and not check.size:
        raise Mismatch(f"{key}.check", "is missing; expected the sort of check, since there is check_mark")
    if start and start in end:
        raise Mismatch(f"{key}.start", f"{shown(values['start'])} is also in the end of the line")
    return framing.Lines(end, start, mark, check, values["covers_start"], values["covers_mark"], values["bare"])


def _bytes(text: str | None, key: str) -> bytes:
    try:
        return (text or "").encode("latin-1")
    except UnicodeEncodeError as error:
        raise Mismatch(key, f"{shown(text)} is not of single bytes") from error


def _counted(values: Mapping[str, Any], check: Check) -> framing.Counted:
    return framing.Counted(
        values["start"] or b"",
        values["length_size"],
        values["length_order"],
        values["counts"],
        check,
        values["covers_start"],
        values["length_at"],
        values["length_adds"],
        values["covers_length"],
        values["stop"],
        values["bare"],
    )
