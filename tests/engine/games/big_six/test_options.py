"""Big Six: what a table chooses."""

from feltrig.engine.games.big_six.options import Options
from feltrig.engine.games.big_six.paytables import LEAST_ODDS
from feltrig.engine.games.big_six.spin import BetweenStops


def test_a_table_chooses_what_a_clapper_between_stops_means() -> None:
    assert [option.value for option in BetweenStops] == ["previous", "respin"]
    assert Options().between_stops is BetweenStops.PREVIOUS
    assert Options(between_stops=BetweenStops.RESPIN).odds == LEAST_ODDS
