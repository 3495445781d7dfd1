"""A rig as its file describes it: the game, the devices and their wires. Each key stands here once, at its field."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from feltrig.emulators.models.faults import Fault
from feltrig.emulators.relays.noise import Disturbance
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.houseway import DEFAULT as OWN_HOUSE_WAY
from feltrig.engine.games.supreme_pai_gow.houseway import FLOORS
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.harness.rig.profile_key import ProfileName
from feltrig.harness.rig.shapes import FILE, HOST, NAME, SEED, TCP_PORT, WORDS, NamedOrTable, ServerTls, private_key
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.kinds.shoe import SHOE, STACK_SIZES
from feltrig.protocols.schema import Choice, Flag, Number, Plain, Rows, Scope, Several, Text, Whole, key, table_of

if TYPE_CHECKING:  # few rigs have profiles
    from feltrig.protocols.profiles.profile import Profile

CENTS = Whole(1)


@dataclass(frozen=True, slots=True)
class Wagers:
    """What is staked, in cents."""

    main: int = key(CENTS, "what a scripted player stakes, or a small multiple of it, in cents", 2500)
    bonus: int = key(Whole(0), "what a scripted player stakes on the bonus; 0 for no bonus wager", 500)
    minimum: int = key(CENTS, "least main wager of the table", 500)
    # 34.7(d): the bonus wager is at least one dollar.
    bonus_minimum: int = key(Whole(100), "least bonus wager of the table", 100)


START = Several(Choice(("dice", "rng", "button")))
DEAL = Several(Choice(("automated_shoe", "manual_shoe", "hand")))
BANK = Several(Choice(("none", "player", "co_bank")))
VIGORISH = Choice(("exact", "round_up_to_25_cents"))


@dataclass(frozen=True, slots=True)
class SettingRule:
    """One rule of a house way."""

    high: str = key(Choice(FLOORS), "the least high hand to which it applies: a pair, two faces, or points")
    low: str = key(Choice(FLOORS), "the least low hand to which it applies")
    prefer: str = key(Choice(("high", "low")), "which hand it makes as high as it can")


@dataclass(frozen=True, slots=True)
class HouseWayConfig:
    """How the licensee has the dealer's hands set. The first rule that applies sets them."""

    name: str = key(WORDS, "its name")
    version: str = key(WORDS, "its version")
    source: str = key(WORDS, "whose submission it is, and of which date")
    rules: tuple[SettingRule, ...] = key(
        Rows(table_of(SettingRule)), "its rules in order; the last must apply to every hand"
    )


HOUSE_WAY = NamedOrTable(Choice((OWN_HOUSE_WAY.name,)), table_of(HouseWayConfig))


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The game, and which of its ways to start, deal and bank are exercised."""

    name: str = key(Choice(GAMES), "the game")
    jurisdiction: str = key(Choice(JURISDICTIONS), "whose rules apply")
    start: tuple[str, ...] = key(START, "how the starting position is found; without it, every way of the game", ())
    deal: tuple[str, ...] = key(DEAL, "how the cards are dealt; without it, every way of the game", ())
    bank: tuple[str, ...] = key(BANK, "who banks", ("none",))
    decks: int = key(Choice((1, 2)), "number of decks; two alternate", 1)
    players: int = key(Whole(1, 8), "seats taken by scripted players, at most as many as the game has", 6)
    rounds: int = key(Whole(1, 1_000_000), "rounds of a run, unless the command says otherwise", 40)
    vigorish: str = key(VIGORISH, "how the vigorish is rounded", "exact")
    house_way: HouseWayConfig | str | None = key(
        HOUSE_WAY,
        "how the dealer's hands are set, which Supreme Pai Gow needs: the rig's own way, or the licensee's",
        None,
    )
    machine_shuffle: bool = key(Flag(), "whether the shuffler shuffles; if not, the dealer does by hand", True)
    shuffler_counts: bool = key(Flag(), "whether the shuffler must count the deck after each shuffle", True)
    wagers: Wagers = key(table_of(Wagers), "what is staked, in cents", Wagers())
    options: Mapping[str, object] = key(
        Plain(), "the game's own options; they apply to every way to play", default_factory=dict
    )


MQTT_PORT, MQTT_TLS_PORT = 1883, 8883


def _broker_port(scope: Scope) -> int:
    if scope["embedded"] is not None:
        return 0
    return MQTT_TLS_PORT if scope["tls"] else MQTT_PORT


_EMBEDDED = key(table_of(ServerTls), "with this table, the broker is started for the run", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """The MQTT broker that the devices use, and how to be let in."""

    host: str = key(HOST, "where the broker listens", "127.0.0.1")
    port: int = key(
        TCP_PORT,
        "its TCP port; without it 1883, or 8883 with TLS, and any free one when embedded",
        computed=_broker_port,
    )
    """0 only when it is embedded: any free port."""
    username: str | None = key(WORDS, "name to log in with; an embedded broker then asks for it", None)
    password: str | None = key(Text(r"[^\x00]+", "text", secret=True), "goes with the username", None, repr=False)
    tls: bool = key(Flag(), "whether it speaks TLS", False)
    ca: str | None = key(
        FILE,
        "PEM file of the authority that signed the broker's certificate; without it, those that this computer trusts",
        None,
    )
    certificate: str | None = key(FILE, "PEM file of the rig's certificate, for a broker that asks for one", None)
    key: str | None = private_key()
    embedded: ServerTls | None = _EMBEDDED
    """None when it is not started for the run."""


@dataclass(frozen=True, slots=True)
class IdentityConfig:
    """What a device is known by; None where nothing was said."""

    vendor: str | None = key(WORDS, "who made it", None)
    model: str | None = key(WORDS, "what the vendor calls it", None)
    serial: str | None = key(WORDS, "serial number", None)
    firmware: str | None = key(WORDS, "firmware version", None)
    digest: str | None = key(
        Text(r"[0-9a-f]{64}", "a SHA-256 digest of 64 lower-case hex digits"),
        "SHA-256 of the firmware image; without it, that of `image`",
        None,
    )
    image: str | None = key(FILE, "file of the firmware image, which a salted challenge asks for", None)


FUNCTION = Text(
    r"zoo:[a-z0-9-]+|[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*", "a function, written module:function"
)


@dataclass(frozen=True, slots=True)
class EmulatorConfig:
    """How a device is emulated."""

    seed: int | None = key(
        SEED, "seed of the device's own random stream; without it, derived from the run's seed", None
    )
    speed: float = key(
        Number(0, 1000), "factor on all mechanical times: 0 takes no time, 1 is as slow as a real machine", 0.0
    )
    mechanics: str | None = key(FUNCTION, "a function of yours that does the device's work, see above", None)
    identity: IdentityConfig = key(
        table_of(IdentityConfig), "how the emulated device identifies itself; the rest is made up", IdentityConfig()
    )
    faults: tuple[Fault, ...] = key(Rows(table_of(Fault)), "what goes wrong, and when", ())
    sabotage: str | None = key(
        NAME, "a requirement that the device breaks: the name of a mutant, see `feltrig zoo --saboteur --list`", None
    )
    settings: Mapping[str, object] = field(default_factory=dict)
    """The keys of its model, by name."""
    served: object = None
    """What its wire's record calls `served`."""


class WireConfig(Protocol):
    """What a rig file says about a device on a wire: a frozen dataclass, whose fields only the wire's record knows."""

    name: ClassVar[str]
    """The wire's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceConfig:
    """One device, real or emulated."""

    name: str
    kind: str = key(Choice(KINDS), "what the device is; at most one of each kind. A profile says it too")
    wire: WireConfig
    deadline: float = key(Number(0.001, 3600), "seconds for one answer", 2.0)
    patience: float = key(Number(0.001, 86_400), "seconds for a mechanical operation to end", 120.0)
    stop_button: bool | None = key(
        Flag(), "whether it has a button that stops its work; without it, the operator is asked", None
    )
    stack_sizes: tuple[int, ...] = key(
        Several(Choice(STACK_SIZES)),
        "the sizes of stack for which it was submitted; without it, all of them",
        (),
        when={"kind": (SHOE.name,)},
    )
    """Empty for all."""
    reconnect: float = key(Number(0, 3600), "seconds for a lost line to come back; 0 ends the run at once", 2.0)
    identity: IdentityConfig = key(
        table_of(IdentityConfig),
        "the identity that was submitted; each key given is compared with what the device says",
        IdentityConfig(),
    )
    """What was submitted."""
    emulator: EmulatorConfig | None = None
    """None for a real machine."""
    replayed: Callable[[], bool] | None = None
    """Says whether the recording that is served in its place has power; None if none is."""
    noise: tuple[Disturbance, ...] = key(
        Rows(table_of(Disturbance)), "what disturbs its wire, whether it is emulated or real", ()
    )
    profile: "Profile | None" = key(
        ProfileName(), "the profile by which it talks; without it, the open protocol of its wire", None
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
