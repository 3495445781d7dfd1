"""Registries: the games, devices, wires and so on, by name. An installed package adds to one by an entry point."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import Generic, TypeVar

from feltrig.errors import RegistryError

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """Our own entries in their order, then those of installed packages. Each is imported when it is first asked for."""

    def __init__(
        self,
        group: str,
        own: Mapping[str, str],
        kind: type[T],
        read: Callable[[str, object], object] = lambda name, found: found,
    ) -> None:
        """`own` maps names to `module:attribute`; `group` is the entry point group; every entry must be a `kind`.

        `read` makes the entry of what the name leads to, where that is not yet the entry, such as a folder of data.
        """
        self.group = group
        self._own = own
        self._kind = kind
        self._read = read
        self._loaded: dict[str, T] = {}
        self._added: dict[str, EntryPoint] | None = None

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._additions()

    def __len__(self) -> int:
        return len(self._own) + len(self._additions())

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._additions()

    def _load(self, name: str) -> T:
        if name in self._own:
            found = self._read(name, resolve_name(self._own[name]))
        elif name in self._additions():
            found = self._load_addition(self._additions()[name])
        else:
            raise KeyError(name)
        assert isinstance(found, self._kind)
        return found

    def _load_addition(self, entry: EntryPoint) -> object:
        try:
            found = self._read(entry.name, entry.load())
        except Exception as error:
            raise RegistryError(f"{self._origin(entry)}: cannot be loaded: {error}") from error
        if not isinstance(found, self._kind):
            kind = self._kind.__name__
            raise RegistryError(f"{self._origin(entry)}: is a {type(found).__name__}; expected a {kind}")
        return found

    def _additions(self) -> Mapping[str, EntryPoint]:
        if self._added is None:
            added: dict[str, EntryPoint] = {}
            for entry in entry_points(group=self.group):
                if entry.name in self._own or added.get(entry.name, entry) != entry:
                    raise RegistryError(f"{self._origin(entry)}: the name is taken")
                added[entry.name] = entry
            self._added = added
        return self._added

    def _origin(self, entry: EntryPoint) -> str:
        package = f" of {entry.dist.name}" if entry.dist is not None else ""
        return f"entry point {entry.name!r} in {self.group}{package}"
