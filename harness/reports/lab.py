"""The laboratory and its customer, as a file of theirs tells them: a journal does not know them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from feltrig.errors import RigError

KEYS = {
    "name": "laboratory",
    "address": "laboratory address",
    "location": "test location",
    "environment": "environmental conditions",
    "accreditation": "accreditation",
    "customer": "customer",
    "customer_address": "customer address",
    "report": "laboratory report number",
    "received": "date received",
    "condition": "condition of the item",
    "issued": "date of issue",
    "authoriser": "authorised by",
    "role": "position",
}
"""What `[lab]` may say, and what each key is called in a report."""


@dataclass(frozen=True, slots=True)
class Lab:
    """What a laboratory says of itself; what it leaves out is marked as missing."""

    said: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def get(self, key: str) -> str | None:
        """What it says under a key."""
        return self.said.get(key)


def read(file: Path) -> Lab:
    """The table `[lab]` of a TOML file. Raises RigError."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RigError(f"{file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise RigError(f"{file}: is not TOML: {' '.join(str(error).split())}") from error
    table = document.get("lab")
    if not isinstance(table, Mapping):
        raise RigError(f"{file}: lab: missing; expected a table")
    for key in document:
        if key != "lab":
            raise RigError(f"{file}: {key}: no such key; expected [lab]")
    said = {}
    for key, value in table.items():
        if key not in KEYS:
            raise RigError(f"{file}: lab.{key}: no such key; expected {', '.join(KEYS)}")
        text = value if isinstance(value, str) else str(value) if hasattr(value, "isoformat") else ""
        if not text.strip():
            raise RigError(f"{file}: lab.{key}: {value!r} is not text")
        said[key] = text.strip()
    return Lab(MappingProxyType(said))
