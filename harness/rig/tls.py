"""Both ends of TLS, made from the files that a rig file names, and failures to be let in as errors of that file."""

import ssl
from pathlib import Path
from typing import TYPE_CHECKING

from feltrig.errors import RigError
from feltrig.harness.rig.model import DeviceConfig, Rig
from feltrig.harness.rig.shapes import TlsFiles
from feltrig.harness.wires import wire_of
from feltrig.protocols.errors import LineLost, NotAdmitted

if TYPE_CHECKING:
    from feltrig.emulators.certificates import Authority


def client_context(rig: Rig, where: str, files: TlsFiles, authority: "Authority | None" = None) -> ssl.SSLContext:
    """For the end that connects. It trusts the authority of the file, or else the one given, or else those of the
    computer. `where` is the table of the rig file that names the files. Raises RigError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if files.ca is not None:
        _trust(context, rig, f"{where}.ca", files.ca)
    elif authority is not None:
        context.load_verify_locations(cadata=authority.pem.decode())
    else:
        context.load_default_certs()
    if files.certificate is not None:
        _show(context, rig, where, files.certificate, files.key)
    return context


def server_context(rig: Rig, where: str, files: TlsFiles, host: str, authority: "Authority") -> ssl.SSLContext:
    """For the end that listens on a host. It shows the certificate of the file, or else one that the authority issues;
    and it asks for one if the files name an authority to check it by. Raises RigError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if files.ca is not None:
        _trust(context, rig, f"{where}.ca", files.ca)
        context.verify_mode = ssl.CERT_REQUIRED
    if files.certificate is not None:
        _show(context, rig, where, files.certificate, files.key)
    else:
        from feltrig.emulators.certificates import LOOPBACK  # noqa: PLC0415 - slow to import, and few rigs need it

        authority.issue(host, dict.fromkeys((host, *LOOPBACK))).load_into(context)
    return context


def refused(rig: Rig, device: DeviceConfig, error: LineLost) -> RigError:
    """The error of a rig whose device cannot be reached, under the key that is to blame."""
    where = f"devices.{device.name}"
    if isinstance(error, NotAdmitted):
        if wire_of(device).on_broker:
            where = "broker"
        if error.key:
            where = f"{where}.{error.key}"
    return RigError(f"{rig.source}: {where}: {error}")


def _trust(context: ssl.SSLContext, rig: Rig, key: str, name: str) -> None:
    path = _readable(rig, key, name)
    try:
        context.load_verify_locations(path)
    except ssl.SSLError as error:
        raise RigError(f"{rig.source}: {key}: {path}: contains no PEM certificate") from error


def _show(context: ssl.SSLContext, rig: Rig, where: str, certificate: str, key: str | None) -> None:
    path = _readable(rig, f"{where}.certificate", certificate)
    key_path = None if key is None else _readable(rig, f"{where}.key", key)
    try:
        # without a password of our own, an encrypted key would make OpenSSL ask for one at the terminal
        context.load_cert_chain(path, key_path, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise RigError(f"{rig.source}: {where}.key: {key_path or path}: does not belong to {path}") from error
        _trust(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), rig, f"{where}.certificate", certificate)
        blamed = f"{where}.certificate" if key is None else f"{where}.key"
        unusable = "holds no private key in PEM that can be read without a password"
        raise RigError(f"{rig.source}: {blamed}: {key_path or path}: {unusable}") from error


def _readable(rig: Rig, key: str, name: str) -> Path:
    path = rig.path(name)
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise RigError(f"{rig.source}: {key}: {path}: cannot be read: {error.strerror}") from error
