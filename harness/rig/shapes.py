"""What values of a rig file may look like, for keys that several tables have."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from feltrig.protocols.schema import Choice, Mismatch, Scope, Table, Text, Whole, key

NAME = Text(r"[A-Za-z0-9_-]{1,64}", "a name of letters, digits, - and _")
WORDS = Text(r"[^\x00-\x1f\x7f]{1,200}", "text on one line")
HOST = Text(r"[^\s/\x00-\x1f]{1,253}", "a host name or address")
FILE = Text(r"[^\x00-\x1f\x7f]{1,4096}", "the path of a file, from the folder of the rig file")
TCP_PORT = Whole(1, 65535)
SEED = Whole(0)


@dataclass(frozen=True, slots=True)
class NamedOrTable:
    """One of a few names, or a table in place of them."""

    names: Choice
    table: Table

    @property
    def expected(self) -> str:
        return f"{self.names.expected}, or {self.table.expected}"

    def read(self, value: object, key: str, scope: Scope) -> Any:
        return (self.names if isinstance(value, str) else self.table).read(value, key, scope)


def private_key() -> Any:
    """A field for the private key that goes with a certificate."""
    return key(FILE, "PEM file of its private key, if that is not in the same file", None)


class TlsFiles(Protocol):
    """The PEM files of one end of a TLS connection, as the rig file names them."""

    @property
    def ca(self) -> str | None:
        """Who must have signed the other end's certificate."""

    @property
    def certificate(self) -> str | None:
        """The certificate that this end shows."""

    @property
    def key(self) -> str | None:
        """Its private key; None when it stands in the same file."""


def without_certificate(where: str, end: TlsFiles) -> Iterator[Mismatch]:
    """A private key alone is of no use."""
    if end.key is not None and end.certificate is None:
        yield Mismatch(f"{where}.certificate", "is missing; expected the path of a file, since there is a key")


@dataclass(frozen=True, slots=True)
class ServerTls:
    """The listening end of TLS, when it is served for the run."""

    ca: str | None = key(
        FILE, "PEM file of the authority that signs its clients' certificates; without it, clients need none", None
    )
    certificate: str | None = key(
        FILE, "PEM file of its certificate; without it, one is made for the run, and the rig trusts it", None
    )
    key: str | None = private_key()


@dataclass(frozen=True, slots=True)
class ServedLine:
    """The line of an emulated device."""

    line: str | None = key(NAME, "devices with the same line share one port, each with its own address or unit", None)
