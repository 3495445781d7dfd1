"""What `feltrig games` prints."""

from feltrig.harness.cli.games import games


def test_games_are_listed_with_where_and_how_they_are_played(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    games()
    text = capsys.readouterr().out
    for word in ("supreme_pai_gow", "Supreme Pai Gow", "NJ, MA", "dice, rng, button", "automated_shoe"):
        assert word in text
