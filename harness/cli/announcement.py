"""Says where devices are served: in a table for people, or in JSON for a script."""

import json
from collections.abc import Iterable

from feltrig.harness.wires.endpoints import Endpoint


def announce(
    endpoints: Iterable[Endpoint],
    broker: str | None,
    doing: str,
    as_json: bool,
    *,
    ca: str | None = None,
    control: str | None = None,
) -> None:
    """Say where all are found, the file with the certificate of those with TLS, and the control interface."""
    if as_json:
        said = {"devices": {endpoint.name: endpoint.plain() for endpoint in endpoints}, "broker": broker}
        more = {"ca": ca, "control": control}
        print(json.dumps(said | {key: value for key, value in more.items() if value}), flush=True)
        return
    print(*lines(endpoints, broker), sep="\n")
    if ca:
        print(f"certificates signed by {ca}")
    if control:
        print(f"control interface at {control}")
    print(f"{doing} until interrupted (Ctrl-C)", flush=True)


def lines(endpoints: Iterable[Endpoint], broker: str | None) -> list[str]:
    """A table of the endpoints, and where the broker is."""
    rows = [("device", "kind", "wire", "where"), *((e.name, e.kind, e.wire, _where(e)) for e in endpoints)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (zip(row, widths, strict=True) for row in rows)
    said = ["  ".join(cell.ljust(width) for cell, width in row).rstrip() for row in padded]
    return [*said, f"MQTT broker at {broker}"] if broker else said


def _where(endpoint: Endpoint) -> str:
    if endpoint.broker is not None:
        return f"{endpoint.where} by {endpoint.broker}"
    return endpoint.where if endpoint.number is None else f"{endpoint.where} {endpoint.numbered} {endpoint.number}"
