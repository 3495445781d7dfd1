"""The profile file: TOML in, a Profile out, or one line with the file, the key, the value and what was expected."""

import hashlib
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Value
from feltrig.protocols.profiles import codecs
from feltrig.protocols.profiles.ambiguity import check_ambiguity
from feltrig.protocols.profiles.codecs import Codec
from feltrig.protocols.profiles.dialogue import Dialogue
from feltrig.protocols.profiles.fields import NAMES
from feltrig.protocols.profiles.keys import NAME, PROFILE
from feltrig.protocols.profiles.profile import Profile, ProfileError
from feltrig.protocols.profiles.read_dialogue import read_dialogue
from feltrig.protocols.profiles.read_framing import read_serial
from feltrig.protocols.profiles.read_registers import read_registers
from feltrig.protocols.schema import Mismatch, path, shown

LARGEST_FILE = 1 << 20
FOLDER = "feltrig.protocols.profiles"


def load(file: Path) -> Profile:
    """Read a profile file. Raises ProfileError."""
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ProfileError(f"{file}: cannot be read: {reason}") from error
    if len(data) > LARGEST_FILE:
        raise ProfileError(f"{file}: is larger than {LARGEST_FILE} bytes, not a profile")
    return loads(data, str(file))


def names() -> list[str]:
    """The profiles that come with the package."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in resources.files(FOLDER).iterdir() if entry.name.endswith(".toml")
    )


def builtin(name: str) -> Profile:
    """A profile that comes with the package. Raises ProfileError."""
    if name not in names():
        raise ProfileError(
            f"{name!r} is neither a .toml file nor a built-in profile; built in are {', '.join(names())}"
        )
    file = f"{name}.toml"
    return loads(resources.files(FOLDER).joinpath(file).read_bytes(), file)


def loads(data: bytes, source: str) -> Profile:
    """Read a profile from the bytes of its file; errors name it by its source. Raises ProfileError."""
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProfileError(f"{source}: is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: is not TOML: {' '.join(str(error).split())}") from error
    try:
        tables = _tables(document.pop("tables", {}))
        return _profile(PROFILE.read(document, "", {}), tables, source, hashlib.sha256(data).hexdigest())
    except Mismatch as error:
        raise ProfileError(f"{source}: {error}") from error


def _profile(values: Mapping[str, Any], tables: Mapping[str, Mapping[str, Value]], source: str, digest: str) -> Profile:
    kind = KINDS[values["kind"]]
    codec = _codec(values.get("codec"))
    talk = (
        read_registers(kind, values, tables)
        if values["wire"] == "modbus"
        else read_dialogue(kind, values, tables, codec)
    )
    if isinstance(talk, Dialogue):
        check_ambiguity(kind, talk)
    return Profile(
        name=values["name"],
        title=values["title"],
        about=values["about"].strip(),
        kind=kind,
        wire=values["wire"],
        label=MappingProxyType(values["identity"]),
        talk=talk,
        serial=read_serial(values["serial"], codec) if values["wire"] == "serial" else None,
        source=source,
        digest=digest,
    )  # fmt: skip


def _codec(name: str | None) -> Codec | None:
    try:
        return None if name is None else codecs.find(name)
    except ValueError as error:
        raise Mismatch("codec", str(error)) from error


def _tables(raw: object) -> dict[str, dict[str, Value]]:
    """What stands on the wire, and what it means: names of states, faults and errors become their numbers."""
    if not isinstance(raw, dict):
        raise Mismatch("tables", f"{shown(raw)} is not a table")
    tables: dict[str, dict[str, Value]] = {}
    for name, rows in raw.items():
        key = path("tables", name)
        NAME.read(name, "tables", {})
        if rows == {}:
            raise Mismatch(key, "is empty; expected at least one row")
        if not isinstance(rows, dict):
            raise Mismatch(key, f"{shown(rows)} is not a table")
        tables[name] = {wire: _meaning(value, path(key, wire)) for wire, value in rows.items()}
    return tables


def _meaning(value: object, key: str) -> Value:
    if isinstance(value, str):
        return NAMES.get(value, value)
    if isinstance(value, int):
        return value
    raise Mismatch(key, f"{shown(value)} is not a name, a number, or true or false")
