"""What the wires of one rig share while it is in use: its broker, and the certificates that are made up for it."""

import os
import ssl
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from feltrig.errors import RigError
from feltrig.harness.rig.model import BrokerConfig, Rig
from feltrig.harness.rig.shapes import ServerTls
from feltrig.harness.rig.tls import client_context, server_context
from feltrig.harness.wires.wire import LOOPBACK

if TYPE_CHECKING:
    from feltrig.emulators.broker import Broker
    from feltrig.emulators.certificates import Authority
    from feltrig.harness.wires.wire import Watcher


class RigSite:
    """A `Site`. The broker is that of the rig file until `serve_broker` has started one."""

    def __init__(self, rig: Rig | None) -> None:
        self.rig = rig
        self.broker = None if rig is None else rig.broker
        self.served: Broker | None = None
        """The broker that was started for this rig; None if the rig uses one that runs already."""
        self.watchers: dict[str, Watcher] = {}
        """Who listens to a device during the whole run, by its name."""

    @cached_property
    def authority(self) -> "Authority":
        """Issues the certificates of those emulated ends of TLS that were given none."""
        from feltrig.emulators.certificates import Authority

        return Authority()

    @property
    def made_up(self) -> bytes | None:
        """The authority's own certificate in PEM, if it has issued any."""
        return self.authority.pem if "authority" in vars(self) else None

    @property
    def broker_address(self) -> str | None:
        """`host:port` of the broker; None without one."""
        return None if self.broker is None else f"{self.broker.host}:{self.broker.port}"

    def broker_context(self) -> ssl.SSLContext | None:
        """TLS for whoever connects to the broker; None without TLS. Raises RigError."""
        if self.rig is None or self.broker is None or not self.broker.tls:
            return None
        embedded = self.broker.embedded
        made_up = embedded is not None and embedded.certificate is None
        return client_context(self.rig, "broker", self.broker, self.authority if made_up else None)

    async def serve_broker(self, stack: AsyncExitStack) -> "Broker | None":
        """Start the broker, unless it is one that runs already: then None. Raises RigError."""
        config = self.broker or BrokerConfig(host=LOOPBACK, port=0, embedded=ServerTls())
        if config.embedded is None:
            return None
        from feltrig.emulators.broker import Broker

        context = None
        if config.tls and self.rig is not None:
            context = server_context(self.rig, "broker.embedded", config.embedded, config.host, self.authority)
        users = None if config.username is None else {config.username: config.password or ""}
        broker = Broker(config.host, config.port, users, context)
        stack.push_async_callback(broker.stop)
        try:
            port = await broker.start()
        except OSError as error:
            source = "" if self.rig is None else f"{self.rig.source}: "
            raise RigError(f"{source}broker.embedded: {config.host}:{config.port}: {reason(error)}") from error
        self.broker = replace(config, port=port)
        self.served = broker
        return broker


def reason(error: OSError) -> str:
    """Why something could not be served. asyncio's own words for a port in use repeat the address as a tuple."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
