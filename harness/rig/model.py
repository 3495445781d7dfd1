"""A rig as its file describes it: the game, the devices and their wires. Each key stands here once, at its field."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from feltrig.emulators.models.faults import Fault
from feltrig.emulators.relays.noise import Disturbance
from feltrig.engine.games import GAMES
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.harness.rig.profile_key import ProfileName
from feltrig.harness.rig.shapes import FILE, HOST, PRIVATE_KEY, SEED, TCP_PORT, WORDS
from feltrig.harness.wires.wire import WireConfig
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.schema import (
    Choice,
    Flag,
    Number,
    Plain,
    Rows,
    Scope,
    Several,
    Text,
    Whole,
    key,
    table_of,
)

if TYPE_CHECKING:  # few rigs have profiles
    from feltrig.protocols.profiles.profile import Profile

CENTS = Whole(1)


@dataclass(frozen=True, slots=True)
class Wagers:
    """What is staked, in cents."""

    main: int = field(
        default=2500, metadata=key(CENTS, "what a scripted player stakes, or a small multiple of it, in cents")
    )
    bonus: int = field(
        default=500, metadata=key(Whole(0), "what a scripted player stakes on the bonus; 0 for no bonus wager")
    )
    minimum: int = field(default=500, metadata=key(CENTS, "least main wager of the table"))
    # 34.7(d): the bonus wager is at least one dollar.
    bonus_minimum: int = field(default=100, metadata=key(Whole(100), "least bonus wager of the table"))


START = Several(Choice(("dice", "rng", "button")))
DEAL = Several(Choice(("automated_shoe", "manual_shoe", "hand")))
BANK = Several(Choice(("none", "player", "co_bank")))
VIGORISH = Choice(("exact", "round_up_to_25_cents"))


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The game, and which of its ways to start, deal and bank are exercised."""

    name: str = field(metadata=key(Choice(GAMES), "the game"))
    jurisdiction: str = field(metadata=key(Choice(JURISDICTIONS), "whose rules apply"))
    start: tuple[str, ...] = field(
        default=(), metadata=key(START, "how the starting position is found; without it, every way of the game")
    )
    deal: tuple[str, ...] = field(
        default=(), metadata=key(DEAL, "how the cards are dealt; without it, every way of the game")
    )
    bank: tuple[str, ...] = field(default=("none",), metadata=key(BANK, "who banks"))
    decks: int = field(default=1, metadata=key(Choice((1, 2)), "number of decks; two alternate"))
    players: int = field(
        default=6, metadata=key(Whole(1, 8), "seats taken by scripted players, at most as many as the game has")
    )
    rounds: int = field(
        default=40, metadata=key(Whole(1, 1_000_000), "rounds of a run, unless the command says otherwise")
    )
    vigorish: str = field(default="exact", metadata=key(VIGORISH, "how the vigorish is rounded"))
    machine_shuffle: bool = field(
        default=True, metadata=key(Flag(), "whether the shuffler shuffles; if not, the dealer does by hand")
    )
    shuffler_counts: bool = field(
        default=True, metadata=key(Flag(), "whether the shuffler must count the deck after each shuffle")
    )
    wagers: Wagers = field(default=Wagers(), metadata=key(table_of(Wagers), "what is staked, in cents"))
    options: Mapping[str, object] = field(
        default_factory=dict, metadata=key(Plain(), "the game's own options; they apply to every way to play")
    )


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


@dataclass(frozen=True, slots=True)
class EmbeddedBroker:
    """The broker's own end of TLS, when it is started for the run."""

    ca: str | None = field(
        default=None,
        metadata=key(FILE, "PEM file of who signs its clients' certificates; without it, they need none"),
    )
    certificate: str | None = field(
        default=None,
        metadata=key(FILE, "PEM file of its certificate; without it, one is made for the run, and the rig trusts it"),
    )
    key: str | None = field(default=None, metadata=PRIVATE_KEY)


MQTT_PORT, MQTT_TLS_PORT = 1883, 8883


def _broker_port(scope: Scope) -> int:
    if scope["embedded"] is not None:
        return 0
    return MQTT_TLS_PORT if scope["tls"] else MQTT_PORT


_EMBEDDED = key(table_of(EmbeddedBroker), "with this table, the broker is started for the run")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """The MQTT broker that the devices use, and how to be let in."""

    host: str = field(default="127.0.0.1", metadata=key(HOST, "where the broker listens"))
    port: int = field(
        metadata=key(
            TCP_PORT,
            "its TCP port; without it 1883, or 8883 with TLS, and any free one when embedded",
            computed=_broker_port,
        )
    )
    """0 only when it is embedded: any free port."""
    username: str | None = field(
        default=None, metadata=key(WORDS, "name to log in with; an embedded broker then asks for it")
    )
    password: str | None = field(
        default=None, repr=False, metadata=key(Text(r"[^\x00]+", "text", secret=True), "goes with the username")
    )
    tls: bool = field(default=False, metadata=key(Flag(), "whether it speaks TLS"))
    ca: str | None = field(
        default=None,
        metadata=key(FILE, "PEM file of who signed the broker's certificate; without it, whom the computer trusts"),
    )
    certificate: str | None = field(
        default=None, metadata=key(FILE, "PEM file of the rig's certificate, for a broker that asks for one")
    )
    key: str | None = field(default=None, metadata=PRIVATE_KEY)
    embedded: EmbeddedBroker | None = field(
        default=None,
        metadata=_EMBEDDED,
    )
    """None when it is not started for the run."""


@dataclass(frozen=True, slots=True)
class IdentityConfig:
    """What a device is known by; None where nothing was said."""

    vendor: str | None = field(default=None, metadata=key(WORDS, "who made it"))
    model: str | None = field(default=None, metadata=key(WORDS, "what the vendor calls it"))
    serial: str | None = field(default=None, metadata=key(WORDS, "serial number"))
    firmware: str | None = field(default=None, metadata=key(WORDS, "firmware version"))
    digest: str | None = field(
        default=None,
        metadata=key(
            Text(r"[0-9a-f]{64}", "a SHA-256 digest of 64 small hex digits"),
            "SHA-256 of the firmware image; without it, that of `image`",
        ),
    )
    image: str | None = field(
        default=None, metadata=key(FILE, "file of the firmware image, which a salted challenge asks for")
    )


FUNCTION = Text(
    r"zoo:[a-z0-9-]+|[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*", "a function, written module:function"
)


@dataclass(frozen=True, slots=True)
class EmulatorConfig:
    """How a device is emulated."""

    seed: int | None = field(
        default=None,
        metadata=key(SEED, "seed of the device's own random stream; without it, derived from the run's seed"),
    )
    speed: float = field(
        default=0.0, metadata=key(Number(0, 1000), "factor of all mechanical times: 0 at once, 1 as in reality")
    )
    mechanics: str | None = field(
        default=None, metadata=key(FUNCTION, "a function of yours that does the device's work, see above")
    )
    identity: IdentityConfig = field(
        default=IdentityConfig(),
        metadata=key(table_of(IdentityConfig), "how the emulated device identifies itself; the rest is made up"),
    )
    faults: tuple[Fault, ...] = field(default=(), metadata=key(Rows(table_of(Fault)), "what goes wrong, and when"))
    settings: Mapping[str, object] = field(default_factory=dict)
    """The keys of its model, by name."""
    served: object = None
    """What its wire's record calls `served`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """One device, real or emulated."""

    name: str
    kind: str = field(metadata=key(Choice(KINDS), "what the device is; at most one of each kind"))
    wire: WireConfig
    deadline: float = field(default=2.0, metadata=key(Number(0.001, 3600), "seconds for one answer"))
    patience: float = field(
        default=120.0, metadata=key(Number(0.001, 86_400), "seconds for a mechanical operation to end")
    )
    reconnect: float = field(
        default=2.0, metadata=key(Number(0, 3600), "seconds for a lost line to come back; 0 ends the run at once")
    )
    identity: IdentityConfig = field(
        default=IdentityConfig(),
        metadata=key(
            table_of(IdentityConfig),
            "the identity that was submitted; each key given is compared with what the device says",
        ),
    )
    """What was submitted."""
    emulator: EmulatorConfig | None = None
    """None for a real machine."""
    noise: tuple[Disturbance, ...] = field(
        default=(), metadata=key(Rows(table_of(Disturbance)), "what disturbs its wire, whether it is emulated or real")
    )
    profile: "Profile | None" = field(
        default=None,
        metadata=key(ProfileName(), "the profile by which it talks; without it, the open protocol of its wire"),
    )


EMBEDDED = "embedded.toml"
"""The source of the rig that is part of the package."""


@dataclass(frozen=True, slots=True)
class Rig:
    """Everything that a rig file says."""

    name: str
    seed: int | None
    table: str
    game: GameConfig
    broker: BrokerConfig | None
    """None: the embedded broker serves, if one is needed at all."""
    devices: Mapping[str, DeviceConfig]
    source: str
    """The file, as the user named it."""
    digest: str
    """SHA-256 of the file's bytes, in hex."""

    @property
    def origin(self) -> str | None:
        """Where the file is found again from anywhere; None for the embedded rig."""
        return None if self.source == EMBEDDED else str(Path(self.source).absolute())

    def path(self, name: str) -> Path:
        """A file that the rig file names: relative to its own folder."""
        return Path(self.source).parent / name

    def choose_seed(self, seed: int | None) -> int:
        """The seed given, or the rig file's, or one drawn now."""
        if seed is not None:
            return seed
        return self.seed if self.seed is not None else secrets.randbits(32)

    def device(self, kind: str) -> DeviceConfig | None:
        """The device of a kind; a rig has one at most."""
        return next((device for device in self.devices.values() if device.kind == kind), None)
