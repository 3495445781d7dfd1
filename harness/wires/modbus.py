"""The wires `modbus-rtu`, `modbus-tcp` and `modbus-tls`: registers (docs/modbus.md), or those of a profile."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from feltrig.emulators.machine import Machine, Station
from feltrig.harness.rig.model import BrokerConfig, DeviceConfig, Rig
from feltrig.harness.rig.shapes import FILE, HOST, TCP_PORT, ServedLine, ServerTls, private_key, without_certificate
from feltrig.harness.scene import Scene
from feltrig.harness.wires import serial_port, tcp
from feltrig.harness.wires.relays import alters
from feltrig.harness.wires.wire import LOOPBACK, Deferred, DeviceEnd, Dissector, DriverEnd, Wire
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Channel
from feltrig.protocols.schema import Mismatch, Scope, Whole, key
from feltrig.protocols.sniffing import Sniffer
from feltrig.protocols.vocabulary import Kind

if TYPE_CHECKING:
    import ssl

    from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation, Responder
    from feltrig.protocols.framed import Framed
    from feltrig.protocols.profiles.profile import Profile

PORTS = {"modbus-tcp": 502, "modbus-tls": 802}


def _port(scope: Scope) -> int:
    return PORTS[str(scope["wire"])] if scope["emulator"] is None else 0


UNIT = Whole(1, 247)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModbusRtu(serial_port.OnPort):
    """A device that is a Modbus slave on a serial line."""

    name: ClassVar[str] = "modbus-rtu"
    unit: int = key(UNIT, "Modbus unit", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModbusTcp:
    """A device that is a Modbus TCP server."""

    name: ClassVar[str] = "modbus-tcp"
    host: str | None = key(HOST, "where it listens; may be left out when emulated, for 127.0.0.1", None)
    """None only when the device is emulated: this computer."""
    port: int = key(
        TCP_PORT, "its TCP port; without it 502, or 802 with TLS, and any free one when emulated", computed=_port
    )
    """0 only when the device is emulated: any free port."""
    unit: int = key(UNIT, "Modbus unit", 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModbusTls(ModbusTcp):
    """A device that is a Modbus server over TLS (Modbus/TCP Security)."""

    name: ClassVar[str] = "modbus-tls"
    ca: str | None = key(
        FILE,
        "PEM file of the authority that signed the device's certificate; without it, those that this computer trusts",
        None,
    )
    certificate: str | None = key(FILE, "PEM file of the rig's certificate, for a device that asks for one", None)
    key: str | None = private_key()


def _rtu(device: DeviceConfig) -> ModbusRtu:
    assert isinstance(device.wire, ModbusRtu)
    return device.wire


def _tcp(device: DeviceConfig) -> ModbusTcp:
    assert isinstance(device.wire, ModbusTcp)
    return device.wire


def _unit(device: DeviceConfig) -> int:
    assert isinstance(device.wire, ModbusRtu | ModbusTcp)
    return device.wire.unit


def _tcp_line(device: DeviceConfig) -> str | None:
    served = None if device.emulator is None else device.emulator.served
    return served.line if isinstance(served, ServedLine) else None


def _where(config: ModbusTcp) -> str:
    return f"{config.host}:{config.port}"


def _listens(device: DeviceConfig) -> str:
    return f"{_tcp(device).host or LOOPBACK}:{_tcp(device).port}"


def _check_tcp(_: Rig, device: DeviceConfig) -> Iterator[Mismatch]:
    if device.emulator is None and _tcp(device).host is None:
        why = f"is missing; expected a host name or address, since {device.name} is not emulated"
        yield Mismatch(f"devices.{device.name}.host", why)


def _check_tls(rig: Rig, device: DeviceConfig) -> Iterator[Mismatch]:
    yield from _check_tcp(rig, device)
    assert isinstance(device.wire, ModbusTls)
    yield from without_certificate(f"devices.{device.name}", device.wire)
    if device.emulator is not None and isinstance(device.emulator.served, ServerTls):
        yield from without_certificate(f"devices.{device.name}.emulator", device.emulator.served)


def _clash(one: DeviceConfig, other: DeviceConfig) -> Mismatch | None:
    """Emulated devices need a port each, unless they share a line; real ones a unit each behind one address, which may
    be a gateway to several."""
    first, second = one.wire, other.wire
    if not isinstance(first, ModbusTcp) or not isinstance(second, ModbusTcp):
        return None
    if one.emulator is None and other.emulator is None:
        if (first.host, first.port, first.unit) != (second.host, second.port, second.unit):
            return None
        at = f"{second.unit} at {second.host}:{second.port}"
        return Mismatch(f"devices.{other.name}.unit", f"{at} is {one.name} already")
    shared = _tcp_line(one)
    if first.port != second.port or second.port == 0 or (shared is not None and shared == _tcp_line(other)):
        return None
    return Mismatch(f"devices.{other.name}.port", f"{second.port} is the port of {one.name} already")


def _rtu_channel(end: DriverEnd) -> Channel:
    device, config = end.device, _rtu(end.device)
    if device.profile is not None:
        from feltrig.protocols.profiles.register_channel import rtu_channel

        return rtu_channel(device.profile, end.port, config.unit, config.baud, device.deadline, end.tap)
    from feltrig.protocols.modbus.channel import ModbusRtuChannel

    return ModbusRtuChannel(KINDS[device.kind], end.port, config.unit, config.baud, device.deadline, end.tap)


def _tcp_channel(end: DriverEnd, context: "ssl.SSLContext | None" = None) -> Channel:
    device, config = end.device, _tcp(end.device)
    host, port = tcp.host_and_port(end.address)
    name = None if context is None else config.host
    if device.profile is not None:
        from feltrig.protocols.profiles.register_channel import tcp_channel

        return tcp_channel(
            device.profile, host, port, config.unit, device.deadline, end.tap, tls=context, server_name=name
        )
    from feltrig.protocols.modbus.channel import ModbusTcpChannel

    kind = KINDS[device.kind]
    return ModbusTcpChannel(kind, host, port, config.unit, device.deadline, end.tap, tls=context, server_name=name)


def _tls_channel(end: DriverEnd) -> Channel:
    """The rig's end of TLS knows the certificate that was made for an emulator."""
    from feltrig.harness.rig.tls import client_context

    config, emulator, rig = end.device.wire, end.device.emulator, end.site.rig
    assert isinstance(config, ModbusTls)
    assert rig is not None
    made_up = emulator is not None and isinstance(emulator.served, ServerTls) and emulator.served.certificate is None
    authority = end.site.authority if made_up else None
    return _tcp_channel(end, client_context(rig, f"devices.{end.device.name}", config, authority))


def _slave(end: DeviceEnd) -> "Machine | Responder":
    """The machine, behind the registers of its profile if it has one."""
    if end.device.profile is None:
        return end.machine
    from feltrig.emulators.profiles.registers import on_registers

    return on_registers(end.device.profile, end.machine)


def _rtu_station(end: DeviceEnd) -> Station:
    from feltrig.emulators.stations.modbus_station import ModbusRtuStation

    port = end.port(serial_port.make_port(end.device))
    return ModbusRtuStation(_slave(end), _unit(end.device), end.clock, end.misbehave, port)


def _tcp_station(end: DeviceEnd, context: "ssl.SSLContext | None" = None) -> Station:
    from feltrig.emulators.stations.modbus_station import ModbusTcpStation

    config = _tcp(end.device)
    host = config.host or LOOPBACK
    return ModbusTcpStation(_slave(end), config.unit, host, config.port, end.clock, end.misbehave, tls=context)


def _tls_station(end: DeviceEnd) -> Station:
    from feltrig.harness.rig.tls import server_context

    served = None if end.device.emulator is None else end.device.emulator.served
    assert isinstance(served, ServerTls)
    assert end.site.rig is not None
    where, host = f"devices.{end.device.name}.emulator", _tcp(end.device).host or LOOPBACK
    return _tcp_station(end, server_context(end.site.rig, where, served, host, end.site.authority))


def _join(station: "ModbusRtuStation | ModbusTcpStation", end: DeviceEnd) -> None:
    station.add(_slave(end), _unit(end.device), end.misbehave)


def _on_tcp(config: ModbusTcp, where: str) -> ModbusTcp:
    host, port = tcp.host_and_port(where)
    return ModbusTcp(host=host, port=port, unit=config.unit)


def _unseen_on_rtu(device: DeviceConfig, _: BrokerConfig | None) -> bool:
    """The open protocol has a checksum and tokens. By a profile a command that comes twice runs twice."""
    return device.profile is not None and alters(device)


def _unseen_on_tcp(device: DeviceConfig, _: BrokerConfig | None) -> bool:
    """Modbus TCP leaves it to TCP to carry the right bytes."""
    return alters(device)


def _sniffer(over: str, kind: Kind, profile: "Profile | None", where: str, number: int | None) -> Sniffer:
    if profile is not None:
        from feltrig.protocols.profiles.register_traffic import sniffer_for

        return sniffer_for(profile, over, unit=number)
    from feltrig.protocols.modbus.sniffer import rtu_sniffer, tcp_sniffer

    return (rtu_sniffer if over == ModbusRtu.name else tcp_sniffer)(kind, number)


def _framed(over: Literal["tcp", "rtu"], _: bool) -> "Framed":
    from feltrig.protocols.modbus.sniffer import framed

    return framed(over)


def _recognised_unit(sniffer: Sniffer) -> int:
    from feltrig.protocols.modbus.sniffer import ModbusSniffer

    assert isinstance(sniffer, ModbusSniffer)
    return sniffer.unit or 1


def _mod(*numbers: int) -> tuple[str, ...]:
    return tuple(f"MOD-{number}" for number in numbers)


_FUNCTIONS = _mod(3, 4, 5, 7, 8, 47, 48, 50, 51, 68, 69, 70, 71)
SCENES = (
    Scene(
        "the registers",
        "feltrig.harness.plan.conformance.registers:play",
        (*_mod(1, 2, *range(9, 40), 41, 42, 43, 44, 45, 46, 72, 73), "DEV-7", "DEV-97"),
        first=True,
        basis="seen",
    ),
    Scene("identification", "feltrig.harness.plan.conformance.identification:play", _mod(6, *range(80, 86))),
)
RTU_SCENES = (
    *SCENES,
    Scene(
        "the functions",
        "feltrig.harness.plan.conformance.functions:play_rtu",
        (*_FUNCTIONS, *_mod(59, 60, 76, 77), "DEV-2"),
        first=True,
        basis="seen",
    ),
)
TCP_SCENES = (
    *SCENES,
    Scene(
        "the functions",
        "feltrig.harness.plan.conformance.functions:play_tcp",
        (*_FUNCTIONS, *_mod(1, 74, 75, 79)),
        first=True,
        basis="seen",
    ),
)
TLS_SCENES = (*TCP_SCENES[:-1], replace(TCP_SCENES[-1], requirements=TCP_SCENES[-1].requirements + _mod(86, 87, 88)))

RTU = serial_port.on_port(
    name=ModbusRtu.name,
    config=ModbusRtu,
    numbered="unit",
    number=_unit,
    check=serial_port.check,
    channel=_rtu_channel,
    station=_rtu_station,
    join=_join,
    unseen=_unseen_on_rtu,
    sniffer=partial(_sniffer, ModbusRtu.name),
    framed=partial(_framed, "rtu"),
    dissector=Dissector("mbrtu", 502),
    malformed=Deferred("feltrig.protocols.modbus.malformed:rtu_malformed"),
    scenes=RTU_SCENES,
    recognised=lambda sniffer, _: ModbusRtu(baud=serial_port.USUAL_BAUD, unit=_recognised_unit(sniffer)),
)

TCP: Wire[Any] = Wire(
    name=ModbusTcp.name,
    config=ModbusTcp,
    served=ServedLine,
    media=("stream",),
    where=_where,
    at=_on_tcp,
    listens=_listens,
    numbered="unit",
    number=_unit,
    line=_tcp_line,
    agreed=("host", "port"),
    check=_check_tcp,
    clash=_clash,
    channel=_tcp_channel,
    station=_tcp_station,
    join=_join,
    relay=tcp.relay,
    unseen=_unseen_on_tcp,
    sniffer=partial(_sniffer, ModbusTcp.name),
    framed=partial(_framed, "tcp"),
    dissector=Dissector("mbtcp", 502),
    malformed=Deferred("feltrig.protocols.modbus.malformed:tcp_malformed"),
    scenes=TCP_SCENES,
    recognised=lambda sniffer, _: ModbusTcp(port=0, unit=_recognised_unit(sniffer)),
    verbatim=tcp.verbatim,
    comes_back=True,
)

TLS: Wire[Any] = replace(
    TCP,
    name=ModbusTls.name,
    config=ModbusTls,
    served=ServerTls,
    check=_check_tls,
    scenes=TLS_SCENES,
    channel=_tls_channel,
    station=_tls_station,
    unseen=lambda device, broker: False,  # TLS lets no changed byte through
    hidden=True,
    replayed_as=ModbusTcp.name,  # TLS is not in a recording, only what it carried
)
