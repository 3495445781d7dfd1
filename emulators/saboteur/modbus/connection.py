"""Mutants with a wrong connection on Modbus TCP, with or without TLS."""

import ssl
import warnings
from collections.abc import Callable

from feltrig.emulators.certificates import Authority
from feltrig.emulators.saboteur.hooks.connections import at_each_connection
from feltrig.emulators.saboteur.hooks.line import answer_bytes
from feltrig.emulators.saboteur.mutant import Change, Mutant, Victim
from feltrig.emulators.stations.modbus_station import ModbusTcpStation
from feltrig.protocols.modbus.frame import encode_rtu

UNREACHABLE = (
    "A device with which no connection can be made is never judged: the run is inconclusive or does not begin."
)


def _tls(change: Callable[[ssl.SSLContext], None]) -> Change:
    """Another end of TLS."""

    def tamper(victim: Victim) -> None:
        def prepare(station: object) -> None:
            if isinstance(station, ModbusTcpStation) and station._secure is not None:
                assert station._secure._tls is not None
                change(station._secure._tls)

        victim.stations.append(prepare)

    return tamper


def _for_another_host(context: ssl.SSLContext) -> None:
    """Shows a certificate that was made for somebody else."""
    Authority().issue("another", ("other.example",)).load_into(context)


def _old(context: ssl.SSLContext) -> None:
    """Knows no newer TLS than 1.1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1_1
        context.maximum_version = ssl.TLSVersion.TLSv1_1


MUTANTS = (
    Mutant(
        "one-connection-only",
        ("MOD-79",),
        "serves one connection and no other after it",
        at_each_connection(lambda victim: victim.answers.append(lambda _: None)),
    ),
    Mutant(
        "rtu-in-tls",
        ("MOD-86",),
        "sends RTU frames in the TLS stream",
        answer_bytes(lambda answer: encode_rtu(answer[6], answer[7:])),
    ),
    Mutant(
        "certificate-of-another",
        ("MOD-87",),
        "shows a certificate for another host",
        _tls(_for_another_host),
        survives=UNREACHABLE,
    ),
    Mutant("old-tls", ("MOD-88",), "knows TLS 1.1 only", _tls(_old), survives=UNREACHABLE),
)
