"""A machine that does nothing by itself."""

from feltrig.emulators.profiles.puppet import Puppet
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.vocabulary import Error, State


def test_a_puppet_notes_what_it_is_told_and_replies_what_was_prepared() -> None:
    puppet = Puppet(RNG, replies={"select": Reply(Error.WRONG_STATE)}, state=State.BUSY)
    assert puppet.handle(Request("select"), 0.0) == Reply(Error.WRONG_STATE)
    assert puppet.handle(Request("display"), 0.0) == Reply()
    assert puppet.told == [("select", {}), ("display", {})]
    assert puppet.status(0.0).state is State.BUSY


def test_a_puppet_numbers_what_it_emits() -> None:
    puppet = Puppet(RNG)
    puppet.emit("selected", {"number": 3})
    assert [(event.number, event.name) for event in puppet.events(0, 0.0, 9).events] == [
        (1, "started"),
        (2, "selected"),
    ]
    assert puppet.events(1, 0.0, 9).events[0].values == {"number": 3}
