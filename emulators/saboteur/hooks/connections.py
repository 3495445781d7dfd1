"""Changes to what a device does when somebody connects to it again, or it to the broker."""

from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.publications import joins
from feltrig.emulators.saboteur.mutant import Change, Victim
from feltrig.emulators.stations.modbus_station import Master, ModbusTcpStation


def at_each_connection(does: Callable[[Victim], None]) -> Change:
    """Does something at each connection but the first."""

    def change(victim: Victim) -> None:
        count = 0

        def connected() -> None:
            nonlocal count
            count += 1
            if count > 1:
                does(victim)

        def prepare(station: object) -> None:
            if isinstance(station, ModbusTcpStation):
                make = station.make_master

                def made(serving: ModbusTcpStation) -> Master:
                    connected()
                    return make(serving)

                station.make_master = made

        victim.stations.append(prepare)
        joins(lambda _: connected())(victim)

    return change
