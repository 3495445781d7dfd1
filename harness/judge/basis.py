"""What a finding rests on."""

from enum import Enum


class Basis(Enum):
    """Whose word a finding is."""

    SEEN = "seen"
    """An instrument of the rig: the reader, the clock, a person's eye, the bytes on the wire."""
    CLAIMED = "claimed"
    """The device's own word alone."""
    PLAYED = "played"
    """What the rig's own dealer, players and engine did. It says nothing of a device."""

    @property
    def words(self) -> str:
        """As people read it."""
        return "played by the rig" if self is Basis.PLAYED else self.value
